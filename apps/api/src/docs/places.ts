import type { OpenApi } from './openapi/openapi.ts';

/** An operation or an event of the API reference. */
export interface Place {
  /** On this host, such as `/docs#tag/sending/POST/v1/notify/{channel}/text`. */
  readonly address: string;
  /** Of an operation; null for an event. */
  readonly method: string | null;
  /** The path of an operation, the name of an event. */
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  /** Empty if there is none. */
  readonly description: string;
  readonly operationId: string;
}

/** Every operation and event, in the order of the document. The addresses are those that Scalar makes. */
export function placesIn({ paths, webhooks }: OpenApi): readonly Place[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Place => {
      const { operationId, summary, description = '' } = operation;
      const tag = operation.tags[0] ?? '';
      const name = method.toUpperCase();
      const address = `/docs#tag/${slugOf(tag)}/${name}${path}`;
      return { address, method: name, name: path, tag, summary, description, operationId };
    }),
  );
  const events = Object.entries(webhooks).map(([name, { post }]): Place => {
    const { operationId, summary, description = '' } = post;
    const tag = post.tags[0] ?? '';
    const address = `/docs#tag/${slugOf(tag)}/webhook/POST/${name}`;
    return { address, method: null, name, tag, summary, description, operationId };
  });
  return [...operations, ...events];
}

/**
 * Finds operations by what guides write, `GET /v1/messages/:id` or `/v1/messages/{id}?…`. The result is null for a method
 * and a path that are none, and for a path alone.
 */
export function operationFinder(places: readonly Place[]): (words: string) => string | null {
  const addresses = new Map(
    places
      .filter(({ method }) => method !== null)
      .map(({ method, name, address }) => [`${method} ${patternOf(name)}`, address]),
  );
  return (words) => {
    const [, method = '', path = ''] = /^([A-Z]+) (\/[^\s?]+)/.exec(words) ?? [];
    return addresses.get(`${method} ${patternOf(path)}`) ?? null;
  };
}

/** A path without the names of its parameters. */
function patternOf(path: string): string {
  return path.replaceAll(/:\w+|\{\w+\}/g, '{}');
}

/** As Scalar writes the name of a tag. */
function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** An endpoint that is reached without Express's router. */
export interface ShortRoute {
  /** A method as HTTP writes it. */
  readonly method: string;
  /** Literal segments and `:names`. */
  readonly path: string;
}

/** A request of the short cut: Node's own, with the fields that Express would set. */
export interface ShortRequest extends IncomingMessage {
  readonly params: Readonly<Record<string, string>>;
  readonly query: object;
  readonly originalUrl: string;
  readonly route: { readonly path: string };
}

export interface ShortResponse extends ServerResponse {
  readonly locals: Record<string, unknown>;
}

interface Template {
  readonly route: ShortRoute;
  readonly segments: readonly { readonly name: string | null; readonly text: string }[];
}

/** A path without escapes and without empty segments. */
const plainPath = /^(?:\/[\w.~:@+-]+)+$/;

/**
 * The short cut past Express that the api once had for a few endpoints: a list of templates, compared one after the
 * other. A request whose path fits no template exactly, or has a query, goes to `otherwise`.
 */
export function shortCut(
  routes: readonly ShortRoute[],
  answer: (request: ShortRequest, response: ShortResponse) => void,
  otherwise: RequestListener,
): RequestListener {
  const templates = routes.map(toTemplate);
  return (request, response) => {
    const url = request.url ?? '';
    const found =
      plainPath.test(url) && !url.includes('?')
        ? find(templates, request.method ?? '', url.split('/'))
        : null;
    if (found === null) return otherwise(request, response);
    const { route, params } = found;
    const known = Object.assign(request, {
      params,
      originalUrl: url,
      query: {},
      route: { path: route.path },
    });
    answer(known, Object.assign(response, { locals: {} }));
  };
}

function toTemplate(route: ShortRoute): Template {
  const segments = route.path
    .split('/')
    .map((text) => ({ name: text.startsWith(':') ? text.slice(1) : null, text }));
  return { route, segments };
}

function find(
  templates: readonly Template[],
  method: string,
  segments: readonly string[],
): { readonly route: ShortRoute; readonly params: Record<string, string> } | null {
  const found = templates.find(
    (template) =>
      template.segments.length === segments.length &&
      template.segments.every(({ name, text }, index) => name !== null || text === segments[index]) &&
      template.route.method === method,
  );
  if (found === undefined) return null;
  const params: Record<string, string> = {};
  found.segments.forEach(({ name }, index) => {
    if (name !== null) params[name] = segments[index]!;
  });
  return { route: found.route, params };
}

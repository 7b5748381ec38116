import type { Operations } from '@notify/sdk';
import { failureOf, Unreachable } from './failure.ts';

/** The operations by method and path, which is how URLs and the keys of the cache are made. */
type OperationsByPlace = { [Id in keyof Operations as Operations[Id]['at']]: Operations[Id] };

/** An operation as the OpenAPI document places it, such as `get /v1/webhooks/{id}`. */
export type OperationKey = keyof OperationsByPlace;
export type InputOf<K extends OperationKey> = OperationsByPlace[K]['input'];
export type AnswerOf<K extends OperationKey> = OperationsByPlace[K]['answer'];
/** Operations that only read. */
export type ReadKey = Extract<OperationKey, `get ${string}`>;

/** The arguments after the operation: its input, which is optional if all its fields are. */
export type InputArgs<K extends OperationKey> =
  Record<never, never> extends InputOf<K> ? [input?: InputOf<K>] : [input: InputOf<K>];

/** Calls an operation; rejects with a `Failure`. */
export type Call = <K extends OperationKey>(
  operation: K,
  input?: InputOf<K>,
  signal?: AbortSignal,
) => Promise<AnswerOf<K>>;

/** The parts of an input. */
interface AnyInput {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A read without an answer is given up after this long, in ms. It can be repeated; a change cannot. */
const readWithinMs = 30_000;

/** Makes a function that calls operations through `send`, which adds the credential. */
export function createCall(send: (request: Request) => Promise<Response>): Call {
  return async (operation, input, signal) => {
    const answer = await send(requestFor(operation, input ?? {}, limited(operation, signal)));
    if (!answer.ok) throw await failureOf(answer);
    // The schemas define the answer; the contract's tests hold the api to them.
    return (answer.status === 204 ? undefined : await bodyOf(answer)) as AnswerOf<typeof operation>;
  };
}

function limited(operation: OperationKey, signal: AbortSignal | undefined): AbortSignal | undefined {
  if (!operation.startsWith('get ')) return signal;
  const limit = AbortSignal.timeout(readWithinMs);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

/** A body that breaks off is no answer. */
async function bodyOf(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch (cause) {
    if (isGivenUp(cause)) throw cause;
    throw new Unreachable(cause);
  }
}

/** Whether the caller aborted the request. A timeout of ours does not count. */
export function isGivenUp(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'AbortError';
}

/** The request of an operation with that input. */
export function requestFor(operation: OperationKey, input: AnyInput, signal?: AbortSignal): Request {
  const [method = 'get', template = '/'] = operation.split(' ');
  const { body } = input;
  return new Request(new URL(pathOf(template, input), location.origin), {
    method: method.toUpperCase(),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Path and query. Fields of the query that are undefined, null or empty are left out. */
export function pathOf(template: string, { path = {}, query = {} }: AnyInput): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? filled : `${filled}?${search}`;
}

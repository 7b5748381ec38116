import { type CallOptions, checkedLimits, type Config } from '../config.ts';
import { ApiError, ConfigurationError, NotFoundError, NotifyError } from '../errors.ts';
import { operations, type Operations } from '../schema.ts';
import { attempt, type Attempt, openBody, readJson } from './attempt.ts';
import { type Page, Pages } from './pages.ts';
import { sleep, waitBeforeRetry } from './retries.ts';

/** The name of an operation, as openapi.json has it. */
export type OperationId = keyof typeof operations;
/** The path parameters, the query parameters and the body of a request. */
export type Input<Id extends OperationId> = Operations[Id]['input'];
/** The body of the answer. */
export type Answer<Id extends OperationId> = Operations[Id]['answer'];
/** The query parameters. */
export type Query<Id extends OperationId> = Input<Id> extends { query?: infer Q } ? NonNullable<Q> : never;

/** How a call differs from others of its method. */
export interface TransportOptions extends CallOptions {
  /** Whether a repetition does nothing more than the first. Default: true for GET, PUT and DELETE. */
  readonly repeatable?: boolean;
  /** The key in the body of a send, for its error. */
  readonly sentKey?: string | undefined;
  /** The keys of the items of a bulk send, for its error. */
  readonly sentKeys?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The operations that answer pages. */
export type PagedId = { [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never }[OperationId];

/** Carries out operations, with credentials and retries. */
export interface Transport {
  /** Resolves with the body of the answer, undefined if it has none. */
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: TransportOptions): Promise<Answer<Id>>;
  /** Resolves with an answer whose body is unread. The signal still ends its body. */
  open<Id extends OperationId>(id: Id, input: Input<Id>, options?: TransportOptions): Promise<Response>;
  /** The list from the query's cursor on, or from its beginning. */
  pages<Id extends PagedId>(id: Id, input: Input<Id>, options?: TransportOptions): Pages<Answer<Id>>;
}

interface AnyInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const repeatableMethods: readonly string[] = ['GET', 'PUT', 'DELETE'];

/** The version of this package, which every request names. */
export const version = '0.1.0';

/**
 * Opens a transport. Each request sends the credential that its operation needs. Throws `ConfigurationError` before any request
 * if the configuration lacks it.
 */
export function openTransport(config: Config): Transport {
  return {
    call: (id, input, options) => request(id, input, options, readJson) as Promise<Answer<typeof id>>,
    open: (id, input, options) => request(id, input, options, openBody) as Promise<Response>,
    pages: (id, input: AnyInput, options) =>
      new Pages((cursor) => {
        const query = { ...input.query, ...(cursor === undefined ? {} : { cursor }) };
        return request(id, { ...input, query }, options, readJson) as Promise<Answer<typeof id>>;
      }),
  };

  async function request<T>(
    id: OperationId,
    input: AnyInput,
    options: TransportOptions = {},
    read: Attempt<T>['read'],
  ): Promise<T | undefined> {
    const [method = '', path = '', scope] = operations[id].split(' ');
    const { signal, maxRetries = config.maxRetries, timeoutMs = config.timeoutMs } = options;
    checkedLimits({ maxRetries, timeoutMs });
    const url = config.baseUrl + filled(path, input.path) + queryOf(input.query);
    const headers = { ...headersOf(id, path, scope, input.body, config), ...options.headers };
    const body = isFile(input.body)
      ? input.body
      : input.body === undefined
        ? null
        : JSON.stringify(input.body);
    const repeatable = options.repeatable ?? repeatableMethods.includes(method);
    let mayBeDone = false;
    for (let tries = 1; ; tries++) {
      try {
        const init = { method, headers, body };
        return await attempt({ url, init, fetch: config.fetch, timeoutMs, signal, read });
      } catch (error) {
        // An earlier try deleted it, and its answer was lost.
        if (method === 'DELETE' && mayBeDone && error instanceof NotFoundError) return undefined;
        if (!(error instanceof NotifyError)) throw error;
        if (options.sentKey !== undefined) error.idempotencyKey = options.sentKey;
        if (options.sentKeys !== undefined) error.idempotencyKeys = options.sentKeys;
        const waitMs = tries > maxRetries ? null : waitBeforeRetry(error, tries, repeatable);
        if (waitMs === null) throw error;
        mayBeDone ||= !(error instanceof ApiError) || error.status >= 500;
        config.onRetry({ operation: id, attempt: tries, error, waitMs });
        await sleep(waitMs, signal);
      }
    }
  }
}

function headersOf(
  id: OperationId,
  path: string,
  scope: string | undefined,
  body: unknown,
  { apiKey, token }: Config,
): Record<string, string> {
  const shared = {
    accept: '*/*',
    'user-agent': `notify-sdk/${version}`,
    ...(body === undefined ? {} : { 'content-type': isFile(body) ? typeOf(body) : 'application/json' }),
  };
  if (path.startsWith('/v1/notify/')) {
    if (apiKey !== null) return { ...shared, 'x-api-key': apiKey };
    throw new ConfigurationError(
      `${id} needs an API key with the scope ${scope}: give \`apiKey\`, or set NOTIFY_API_KEY.${
        token === null ? '' : ' A token does not work there; tenantMessages.* takes one.'
      }`,
    );
  }
  if (token !== null && (scope !== undefined || !token.startsWith('svc_tok_')))
    return { ...shared, authorization: `Bearer ${token}` };
  throw new ConfigurationError(
    scope === undefined
      ? `${id} needs an access token: give it as \`token\`. A service token does not work there.`
      : `${id} needs a service token with the scope ${scope}: give \`token\`, or set NOTIFY_TOKEN.${
          apiKey === null ? '' : ' An API key works on messages.* and verifications.* only.'
        }`,
  );
}

/** Whether a body is sent as it is. */
function isFile(body: unknown): body is Blob | Uint8Array<ArrayBuffer> {
  return body instanceof Blob || body instanceof Uint8Array;
}

function typeOf(file: Blob | Uint8Array): string {
  return (file instanceof Blob && file.type) || 'application/octet-stream';
}

/** The path with its parameters. An empty one would lead to another operation. */
function filled(template: string, parameters: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new ConfigurationError(`\`${name}\` must be a text that is not empty, yet is ${String(value)}.`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString()}`;
}

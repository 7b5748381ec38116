import { ConfigurationError, type NotifyError } from './errors.ts';
import { passOverInterimAnswers } from './transport/interim-answers.ts';

/** How a client reaches the service. Every field has a default. */
export interface NotifyOptions {
  /** Where the service is, with the path of a proxy if there is one. Default: `NOTIFY_URL`. */
  readonly baseUrl?: string | undefined;
  /** `svc_live_…`, for `messages.*` and `verifications.*`. Default: `NOTIFY_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** A service token (`svc_tok_…`) or an access token, for everything else. Default: `NOTIFY_TOKEN`. */
  readonly token?: string | undefined;
  /** How long one try may take, in ms, its answer included. `Infinity`: as long as it takes. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is tried again at most. Default: 3. */
  readonly maxRetries?: number | undefined;
  /** Used in place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Called before every wait for another try. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** What the client needs of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A try that failed and will be repeated. */
export interface Retry {
  /** The operation, such as `messages.sendText`. */
  readonly operation: string;
  /** 1 is the first try. */
  readonly attempt: number;
  readonly error: NotifyError;
  /** How long the client waits now. */
  readonly waitMs: number;
}

/** The options of every call. */
export interface CallOptions {
  /**
   * Ends the call: it then rejects with the signal's reason, which names no idempotency key. To repeat a send that you ended,
   * give it your own key, from `newIdempotencyKey()` for example.
   */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's. */
  readonly timeoutMs?: number | undefined;
  /** In place of the client's. */
  readonly maxRetries?: number | undefined;
}

/** The options of a send. */
export interface SendOptions extends CallOptions {
  /** In place of the body's `idempotencyKey`. Without either, the call makes one. */
  readonly idempotencyKey?: string | undefined;
}

/** Options that were checked, with their defaults. */
export interface Config {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly token: string | null;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: Fetch;
  readonly onRetry: (retry: Retry) => void;
}

/** Checks the options. Throws `ConfigurationError` for what can never work. */
export function resolveConfig(options: NotifyOptions): Config {
  const apiKey = options.apiKey ?? environment('NOTIFY_API_KEY');
  const token = options.token ?? environment('NOTIFY_TOKEN');
  if (apiKey?.startsWith('svc_tok_'))
    throw new ConfigurationError('`apiKey` is a service token (svc_tok_…): give it as `token`.');
  if (token?.startsWith('svc_live_'))
    throw new ConfigurationError('`token` is an API key (svc_live_…): give it as `apiKey`.');
  const baseUrl = checkedUrl(options.baseUrl ?? environment('NOTIFY_URL'));
  if (options.fetch === undefined) passOverInterimAnswers(new URL(baseUrl).origin);
  return {
    baseUrl,
    apiKey: apiKey ?? null,
    token: token ?? null,
    ...checkedLimits({ timeoutMs: options.timeoutMs ?? 30_000, maxRetries: options.maxRetries ?? 3 }),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    onRetry: options.onRetry ?? (() => {}),
  };
}

/** Returns the limits of a call. Throws `ConfigurationError` for a time or a number that means nothing. */
export function checkedLimits(
  limits: Pick<Config, 'timeoutMs' | 'maxRetries'>,
): Pick<Config, 'timeoutMs' | 'maxRetries'> {
  const { timeoutMs, maxRetries } = limits;
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0))
    throw new ConfigurationError(`\`timeoutMs\` must be above 0, yet is ${String(timeoutMs)}.`);
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new ConfigurationError(`\`maxRetries\` must be 0, 1, 2, …, yet is ${String(maxRetries)}.`);
  return limits;
}

function checkedUrl(baseUrl: string | undefined): string {
  if (baseUrl === undefined)
    throw new ConfigurationError(
      'There is no base URL: give `baseUrl`, or set NOTIFY_URL (http://localhost:3000 for a local service).',
    );
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new ConfigurationError(`The base URL is not an http(s) URL without a query: ${baseUrl}`);
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** A variable of the environment, where there is one. Deno may refuse to show it. An empty one is as if absent. */
function environment(name: string): string | undefined {
  const host = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  try {
    return host.process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

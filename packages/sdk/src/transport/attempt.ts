import type { Fetch } from '../config.ts';
import {
  apiError,
  ConnectionError,
  type FieldError,
  NotifyError,
  type Refusal,
  TimeoutError,
} from '../errors.ts';
import { retryAfterMs } from './retry-after.ts';

/** One try of a request. */
export interface Attempt<T> {
  readonly url: string;
  readonly init: RequestInit;
  readonly fetch: Fetch;
  /** Covers the whole answer, or of a stream its beginning. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /**
   * Reads the result from a 2xx response. The signal ends the answer until `read` has settled, or, if `read` calls `hold`, until
   * the function that `hold` returns is called.
   */
  readonly read: (response: Response, hold: () => () => void) => T | Promise<T>;
}

/** The longest time of a timer, in ms. A longer one would end at once (HTML, "Timers"). */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Sends the request once. Throws `ApiError` for an answer that is no success, `ConnectionError` or `TimeoutError` if
 * there is no complete answer, and the signal's reason if the caller ended it.
 */
export async function attempt<T>({ url, init, fetch, timeoutMs, signal, read }: Attempt<T>): Promise<T> {
  signal?.throwIfAborted();
  const left = new AbortController();
  const leave = (): void => left.abort(signal?.reason);
  signal?.addEventListener('abort', leave, { once: true });
  const release = (): void => signal?.removeEventListener('abort', leave);
  let isHeld = false;
  const hold = (): (() => void) => {
    isHeld = true;
    return release;
  };
  let timedOut = false;
  const timeOut = (): void => {
    timedOut = true;
    left.abort();
  };
  const timer = timeoutMs > maxTimerMs ? undefined : setTimeout(timeOut, timeoutMs);
  try {
    const response = await fetch(url, { ...init, signal: left.signal, redirect: 'manual' });
    if (!response.ok) throw await refusalOf(response);
    return await read(response, hold);
  } catch (error) {
    isHeld = false;
    signal?.throwIfAborted();
    if (error instanceof NotifyError) throw error;
    if (timedOut) throw new TimeoutError(`No complete answer within ${timeoutMs} ms`, { cause: error });
    throw new ConnectionError(`The connection failed: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    if (!isHeld) release();
  }
}

/** The answer with its body unread. The signal ends the body, and is left alone once the body has ended or is canceled. */
export function openBody(response: Response, hold: () => () => void): Response {
  if (response.body === null) return response;
  const release = hold();
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
      const { done, value } = await reader.read().catch((error: unknown) => {
        release();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      release();
      controller.close();
    },
    cancel(reason: unknown): Promise<void> {
      release();
      return reader.cancel(reason);
    },
  };
  // Nothing is read before it is wanted.
  const body = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** The JSON of an answer. One that is cut is a failure of the connection. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.status === 204) return undefined;
  if (!isJson(response)) throw foreign(response);
  return parsed(text);
}

async function refusalOf(response: Response): Promise<NotifyError> {
  const text = await response.text();
  const problem = isJson(response) ? problemIn(text) : null;
  if (problem === null) return foreign(response);
  const { code, title, detail, errors, requestId } = problem;
  return apiError({
    code: (textOf(code) ?? 'unknown') as Refusal['code'],
    status: response.status,
    title: textOf(title) ?? 'Refused',
    detail: textOf(detail),
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : undefined,
    requestId: textOf(requestId) ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  });
}

/** The members of a problem, unchecked, because a proxy may answer with JSON of its own. Null for anything but an object. */
function problemIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isFieldError(item: unknown): item is FieldError {
  const { at, message } = (item ?? {}) as { at?: unknown; message?: unknown };
  return typeof at === 'string' && typeof message === 'string';
}

/** The error for a response that is not Notify's, such as a proxy's. */
function foreign(response: Response): NotifyError {
  const target = response.headers.get('location');
  return apiError({
    code: 'unknown',
    status: response.status,
    title: 'Something else than Notify answered',
    detail: target === null ? 'Is the base URL right?' : `It redirects to ${target}. Is the base URL right?`,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  });
}

function isJson({ headers }: Response): boolean {
  return /\bjson\b/.test(headers.get('content-type') ?? '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConnectionError('The answer was cut', { cause: error });
  }
}

/** `fetch failed` says little: the reason is in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}

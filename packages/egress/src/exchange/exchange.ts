import type { Dispatcher } from 'undici';
import { EgressError, exchangeError } from '../errors.ts';
import type { HttpRequest, HttpResult } from '../http-client.ts';

/** Bounds of one exchange. */
export type ExchangeLimits = Pick<HttpRequest, 'deadlineMs' | 'maxBytes' | 'signal'>;

const defaultMaxBytes = 65_536;
const noBytes = Buffer.alloc(0);
const always = (): boolean => true;

/**
 * Sends one request over `dispatcher` and collects its answer. It always ends at the deadline. Once the status line and
 * headers have arrived it is an answer, even if the body breaks off or is too long. `bodyIsWhole` tells whether all of
 * a streamed request body was handed out.
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
  bodyIsWhole: () => boolean = always,
): Promise<HttpResult> {
  const one = new Exchange(limits, bodyIsWhole);
  if (limits.signal?.aborted) return one.result;
  try {
    dispatcher.dispatch(options, one);
  } catch (error) {
    one.onResponseError(null, error as Error);
  }
  return one.result;
}

/** A request under way. undici calls the `on…` methods in this order. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<HttpResult>;
  private readonly limits: ExchangeLimits;
  private readonly bodyIsWhole: () => boolean;
  private readonly maxBytes: number;
  private readonly resolve: (result: HttpResult) => void;
  private readonly beganAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | null = null;
  private written = false;
  private ended = false;
  private answer: { status: number; headers: Record<string, string> } | null = null;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(limits: ExchangeLimits, bodyIsWhole: () => boolean) {
    this.limits = limits;
    this.bodyIsWhole = bodyIsWhole;
    this.maxBytes = limits.maxBytes ?? defaultMaxBytes;
    const { promise, resolve } = Promise.withResolvers<HttpResult>();
    this.result = promise;
    this.resolve = resolve;
    this.timer = setTimeout(
      () => this.cut('timeout', 'no complete answer within the deadline'),
      limits.deadlineMs,
    );
    limits.signal?.addEventListener('abort', this.onAbort);
    if (limits.signal?.aborted) this.onAbort();
  }

  /** A connection is free and nothing is written yet. Aborting here sends nothing. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.ended) return controller.abort(new EgressError('aborted', 'ended before a connection was free'));
    this.controller = controller;
    this.written = true;
  }

  onResponseStart(
    _: unknown,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status >= 200) this.answer = { status, headers: flatten(headers) };
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.bytes > this.maxBytes) this.cut('too-large', 'the answer is too long');
  }

  onResponseEnd(): void {
    this.end(null);
  }

  onResponseError(_: unknown, error: Error): void {
    this.end(exchangeError(error));
  }

  private readonly onAbort = () => this.cut('aborted', 'the request was aborted');

  private cut(...reason: ConstructorParameters<typeof EgressError>): void {
    const error = new EgressError(...reason);
    this.end(error);
    this.controller?.abort(error);
  }

  private end(error: EgressError | null): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    this.limits.signal?.removeEventListener('abort', this.onAbort);
    const durationMs = performance.now() - this.beganAt;
    if (this.answer !== null) {
      const body = joined(this.chunks).subarray(0, this.maxBytes);
      this.resolve({ ok: true, ...this.answer, body, truncated: error !== null, durationMs });
    } else {
      const { class: errorClass, message: text } = error ?? new EgressError('protocol', 'no answer');
      const written = this.written && this.bodyIsWhole();
      this.resolve({ ok: false, error: errorClass, text, written, durationMs });
    }
  }
}

/** Joins the chunks without a copy if there is at most one, as in most answers. */
function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? noBytes);
}

/** Headers as one text each. */
export function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    flat[name] = typeof value === 'string' ? value : (value?.join(', ') ?? '');
  }
  return flat;
}

import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { EgressError, exchangeError } from '../errors.ts';

/** An answer whose body is read as it arrives. */
export interface StreamedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * The body, with back-pressure. Ends with an `EgressError` if it breaks off. Leaving it early closes the connection.
   */
  readonly body: Readable;
}

/**
 * Sends one request and resolves with its answer as soon as the headers have arrived. Rejects with an `EgressError`.
 * When `signal` fires, everything under way ends with its reason, which must be an `EgressError` too. `onStart` is called
 * before the first byte is written.
 */
export function openAnswer(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  onStart: () => void = () => undefined,
): Promise<StreamedAnswer> {
  const one = new AnswerStream(signal, onStart);
  if (signal.aborted) return one.answer;
  try {
    dispatcher.dispatch(options, one);
  } catch (error) {
    one.onResponseError(null, error as Error);
  }
  return one.answer;
}

/** How many bytes of a body are buffered for the reader. */
const highWaterMark = 65_536;

/** An answer under way. undici calls the `on…` methods in this order. */
class AnswerStream implements Dispatcher.DispatchHandler {
  readonly answer: Promise<StreamedAnswer>;
  private readonly onStart: () => void;
  private readonly body: Readable;
  private readonly resolve: (answer: StreamedAnswer) => void;
  private readonly reject: (error: Error) => void;
  private controller: Dispatcher.DispatchController | null = null;

  constructor(signal: AbortSignal, onStart: () => void) {
    this.onStart = onStart;
    const { promise, resolve, reject } = Promise.withResolvers<StreamedAnswer>();
    this.answer = promise;
    this.resolve = resolve;
    this.reject = reject;
    const onAbort = () => this.body.destroy(signal.reason as EgressError);
    this.body = new Readable({
      highWaterMark,
      read: () => this.controller?.resume(),
      destroy: (error, done) => {
        signal.removeEventListener('abort', onAbort);
        const reason = error ?? new EgressError('aborted', 'the answer was not read to its end');
        this.reject(reason);
        if (!this.body.readableEnded) this.controller?.abort(reason);
        done(error);
      },
    });
    // A reader gets the error. Without one, the error must not count as unhandled.
    this.body.on('error', () => undefined);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.body.destroyed)
      return controller.abort(new EgressError('aborted', 'ended before a connection was free'));
    this.onStart();
  }

  onResponseStart(
    _: unknown,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status >= 200) this.resolve({ status, headers, body: this.body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.body.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.body.push(null);
  }

  onResponseError(_: unknown, error: Error): void {
    this.body.destroy(exchangeError(error));
  }
}

import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { EgressError, exchangeError } from './errors.ts';

/** An answer whose body is read as it comes. */
export interface StreamedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** With back-pressure. Ends with an `EgressError` where the body breaks off; leaving it early cuts the connection. */
  readonly body: Readable;
}

/**
 * Sends one request and resolves with its answer as soon as the headers are in. Rejects with an `EgressError`. When
 * `signal` fires, whose reason must be one too, everything ends with that reason, whatever it was waiting for.
 */
export function openAnswer(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const one = new AnswerStream(signal);
  if (signal.aborted) return one.answer;
  try {
    dispatcher.dispatch(options, one);
  } catch (error) {
    one.onResponseError(null, error as Error);
  }
  return one.answer;
}

/** Bytes of a body that wait to be read. */
const highWaterMark = 65_536;

/** An answer under way; undici calls the `on…` methods in the order they stand here. */
class AnswerStream implements Dispatcher.DispatchHandler {
  readonly answer: Promise<StreamedAnswer>;
  private readonly body: Readable;
  private readonly resolve: (answer: StreamedAnswer) => void;
  private readonly reject: (error: Error) => void;
  private controller: Dispatcher.DispatchController | null = null;

  constructor(signal: AbortSignal) {
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
    // Whoever reads is told; nobody may be reading.
    this.body.on('error', () => undefined);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.body.destroyed)
      controller.abort(new EgressError('aborted', 'ended before a connection was free'));
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

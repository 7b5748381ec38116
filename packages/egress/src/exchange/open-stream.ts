import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { EgressError } from '../errors.ts';
import type { HttpErrorClass, HttpStream, StreamRequest } from '../http-client.ts';
import { openAnswer, type StreamedAnswer } from './answer-stream.ts';
import { type Clock, startClock } from './clock.ts';
import { decoded, decodingError } from './decoded.ts';
import { flatten } from './exchange.ts';

/** Bounds of one stream. */
export type StreamLimits = Pick<StreamRequest, 'deadlineMs' | 'idleMs' | 'maxBytes' | 'signal'>;

type Reason = [errorClass: HttpErrorClass, text: string];

const done = { done: true, value: undefined } as const;

/**
 * Sends one request and resolves when the headers of its answer have arrived. The body holds a connection until it ends,
 * fails, is returned, or the deadline passes. Little of it is in memory at a time.
 */
export async function openStream(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { deadlineMs, idleMs, maxBytes, signal }: StreamLimits,
  bodyIsWhole: () => boolean,
): Promise<HttpStream> {
  const beganAt = performance.now();
  const clock = startClock({ totalMs: deadlineMs, idleMs, signal });
  let written = false;
  try {
    const answer = await openAnswer(dispatcher, options, clock.signal, () => (written = true));
    answer.body.once('close', () => clock.stop());
    clock.rest();
    return streamOf(answer, clock, maxBytes);
  } catch (error) {
    clock.stop();
    if (!(error instanceof EgressError)) throw error;
    const durationMs = performance.now() - beganAt;
    return {
      ok: false,
      error: error.class,
      text: error.message,
      written: written && bodyIsWhole(),
      durationMs,
    };
  }
}

function streamOf(answer: StreamedAnswer, clock: Clock, maxBytes: number): HttpStream {
  const { 'content-encoding': coding = '', 'content-length': length, ...headers } = flatten(answer.headers);
  const body = decoded(answer.body, coding.toLowerCase());
  if (body === null) throw refusing(answer, 'protocol', 'the answer has an unknown content coding');
  if (Number(length) > maxBytes) throw refusing(answer, ...tooLarge(maxBytes));
  if (body === answer.body && length !== undefined) headers['content-length'] = length;
  return { ok: true, status: answer.status, headers, body: boundedBody(body, clock, maxBytes) };
}

function refusing(answer: StreamedAnswer, ...reason: Reason): EgressError {
  const error = new EgressError(...reason);
  answer.body.destroy(error);
  return error;
}

/**
 * The chunks of `source`, at most `maxBytes` of them. The limit of silence counts only while the reader waits. Written
 * by hand, because `return()` of a generator that was never read would close nothing.
 */
function boundedBody(source: Readable, clock: Clock, maxBytes: number): AsyncIterableIterator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let bytes = 0;
  let returned = false;
  async function next(): Promise<IteratorResult<Uint8Array>> {
    clock.heard();
    const result = await chunks.next();
    clock.rest();
    bytes += result.done === true ? 0 : result.value.length;
    if (bytes > maxBytes) throw new EgressError(...tooLarge(maxBytes));
    return result;
  }
  return {
    next: () =>
      next().catch((error: Error) => {
        source.destroy();
        if (returned) return done;
        throw error instanceof EgressError ? error : decodingError(error);
      }),
    async return() {
      returned = true;
      source.destroy();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function tooLarge(maxBytes: number): Reason {
  return ['too-large', `the answer is longer than ${maxBytes} bytes`];
}

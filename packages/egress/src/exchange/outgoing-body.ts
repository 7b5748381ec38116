import { describe, EgressError } from '../errors.ts';
import type { HttpRequest, StreamedBody } from '../http-client.ts';

/** A streamed body on its way out. */
export interface OutgoingBody {
  readonly length: number;
  /** Opens the source at the first read, which happens when a connection is free. It can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether the last byte was handed out. Before that, the other side cannot have the whole request. */
  readonly isWhole: () => boolean;
}

/** Whether the body is streamed. */
export function isStreamed(body: HttpRequest['body']): body is StreamedBody {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}

/**
 * Reads `body` with back-pressure and counts its bytes. A source that fails or has another length than promised aborts
 * the request.
 */
export function outgoingBody(body: StreamedBody): OutgoingBody {
  let sent = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of sourceOf(body)) {
      sent += chunk.length;
      if (sent > body.length) throw new EgressError('aborted', 'the body is longer than it was said to be');
      yield chunk;
    }
    if (sent < body.length) throw new EgressError('aborted', 'the body is shorter than it was said to be');
  }
  return { length: body.length, chunks: chunks(), isWhole: () => sent === body.length };
}

async function* sourceOf(body: StreamedBody): AsyncGenerator<Uint8Array> {
  try {
    yield* body.open();
  } catch (cause) {
    const text = cause instanceof Error ? describe(cause) : String(cause);
    throw new EgressError('aborted', `the body could not be read: ${text}`, { cause });
  }
}

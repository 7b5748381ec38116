import type { ServerResponse } from 'node:http';
import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';
import { addHeader } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** How often a stream says that it is still there, in ms: well within the silence that proxies, and our server, bear. */
const beatMs = 15_000;

const eventKey = 'x-event';

/** The response schema of a route that answers with a server-sent stream of such events, which its handler yields. */
export function EventStream<T extends TSchema>(event: T): TUnsafe<AsyncIterable<Static<T>>> {
  return Type.Unsafe<AsyncIterable<Static<T>>>({ [eventKey]: event });
}

/** What a stream of this schema is made of; null where it is no stream's. */
export function eventOf(schema: TSchema): TSchema | null {
  return ((schema as Record<string, unknown>)[eventKey] as TSchema | undefined) ?? null;
}

/**
 * Sends each event as JSON (HTML Living Standard, 9.2), and comments in between; no faster than the client reads. Ends
 * when the events do; they have to end when the client is gone.
 */
export async function sendEvents(
  exchange: Pick<Exchange, 'response' | 'headers'>,
  status: number,
  events: AsyncIterable<unknown>,
  everyMs = beatMs,
): Promise<void> {
  const { response, headers } = exchange;
  addHeader(exchange, 'Content-Type', 'text/event-stream; charset=utf-8');
  // Proxies such as nginx would collect the events otherwise.
  addHeader(exchange, 'X-Accel-Buffering', 'no');
  response.writeHead(status, headers).flushHeaders();
  const beat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
  }, everyMs);
  try {
    for await (const event of events) {
      response.write(`data: ${JSON.stringify(event)}\n\n`);
      if (response.writableNeedDrain && !response.closed) await drained(response);
    }
  } finally {
    clearInterval(beat);
  }
  response.end();
}

/** Resolves when the client has read enough, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

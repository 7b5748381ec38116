import type { ServerResponse } from 'node:http';
import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';
import { addHeader } from './answer.ts';
import type { Exchange } from './exchange.ts';

/**
 * The interval of comments that keep a stream alive, in ms. It is well below the idle timeouts of proxies and of our
 * server.
 */
const beatMs = 15_000;

const eventKey = 'x-event';

/** The response schema of a route that answers a stream of server-sent events of this kind. Its handler yields them. */
export function EventStream<T extends TSchema>(event: T): TUnsafe<AsyncIterable<Static<T>>> {
  return Type.Unsafe<AsyncIterable<Static<T>>>({ [eventKey]: event });
}

const idKey = Symbol('id');

/**
 * An event with the id that a reader sends as `Last-Event-ID` to continue after it. Without `event`, only the id is
 * sent (HTML Living Standard, 9.2.6).
 */
export interface Identified<Event> {
  readonly [idKey]: string;
  readonly event: Event | null;
}

export function identified<Event>(id: string, event: Event | null): Identified<Event> {
  return { [idKey]: id, event };
}

/** Like `EventStream`. Its handler yields events with their ids. */
export function ResumableStream<T extends TSchema>(event: T): TUnsafe<AsyncIterable<Identified<Static<T>>>> {
  return Type.Unsafe<AsyncIterable<Identified<Static<T>>>>({ [eventKey]: event });
}

/** The event schema of a stream's schema, or null if the schema is not a stream's. */
export function eventOf(schema: TSchema): TSchema | null {
  return ((schema as Record<string, unknown>)[eventKey] as TSchema | undefined) ?? null;
}

/**
 * Sends each event as JSON (HTML Living Standard, 9.2) with comments in between, at the pace of the client's reading.
 * Ends with the events, which have to end when the client is gone.
 */
export async function sendEvents(
  exchange: Pick<Exchange, 'response' | 'headers'>,
  status: number,
  events: AsyncIterable<unknown>,
  everyMs = beatMs,
): Promise<void> {
  const { response, headers } = exchange;
  addHeader(exchange, 'Content-Type', 'text/event-stream; charset=utf-8');
  // Otherwise proxies such as nginx would buffer the events.
  addHeader(exchange, 'X-Accel-Buffering', 'no');
  response.writeHead(status, headers).flushHeaders();
  const beat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
  }, everyMs);
  try {
    for await (const event of events) {
      response.write(blockOf(event));
      if (response.writableNeedDrain && !response.closed) await drained(response);
    }
  } finally {
    clearInterval(beat);
  }
  response.end();
}

function blockOf(event: unknown): string {
  if (typeof event !== 'object' || event === null || !(idKey in event)) return `${dataOf(event)}\n`;
  const { [idKey]: id, event: own } = event as Identified<unknown>;
  return `id: ${id}\n${own === null ? '' : dataOf(own)}\n`;
}

function dataOf(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n`;
}

/** Resolves when the client has read enough or is gone. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

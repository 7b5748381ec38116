import { randomBytes } from 'node:crypto';
import { state } from './state.ts';
import { partsOf, type Place } from './traceparent.ts';

/** The trace of one message or event. Every process makes the same one of the same ids, so none has to ask another. */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** The id of the span to which the others belong: `accept`, or `stored` of an inbound message. */
  readonly rootId: string;
  /** Whether its spans are recorded. */
  readonly sampled: boolean;
}

/**
 * The trace of a message. With the sender's `traceparent`, as it is stored, it is the sender's trace, and the sender has decided
 * whether it is sampled. Else its id is the message's UUID, and TRACE_RATIO decides by the random digits at its end
 * (UUID version 7, RFC 9562, 5.7).
 */
export function traceOfMessage(messageId: string, traceparent: string | null | undefined): Trace {
  const rootId = messageId.slice(19, 23) + messageId.slice(24);
  if (typeof traceparent === 'string') {
    const { traceId, sampled } = partsOf(traceparent);
    return { id: traceId, rootId, sampled };
  }
  const id = messageId.slice(0, 8) + messageId.slice(9, 13) + messageId.slice(14, 18) + rootId;
  return { id, rootId, sampled: isChosen(messageId) };
}

/** The trace of a message, or null if its spans are not recorded. For most messages this makes no object. */
export function sampledTrace(messageId: string, traceparent: string | null | undefined): Trace | null {
  const sampled = typeof traceparent === 'string' ? partsOf(traceparent).sampled : isChosen(messageId);
  return sampled ? traceOfMessage(messageId, traceparent) : null;
}

/** The trace of an event that belongs to no message, such as the test of a webhook. Nobody records its root. */
export function traceOfEvent(eventId: string): Trace {
  return traceOfMessage(eventId, null);
}

const randomDigits = 12;
/** The first random digits that are not sampled with this ratio. Comparing texts is several times as fast as numbers. */
let bound = { ratio: 0, digits: '0'.repeat(randomDigits) };

function isChosen(messageId: string): boolean {
  const { ratio } = state;
  if (ratio !== bound.ratio) bound = { ratio, digits: boundOf(ratio) };
  return messageId.slice(-randomDigits) < bound.digits;
}

function boundOf(ratio: number): string {
  if (ratio >= 1) return 'g';
  return Math.round(ratio * 16 ** randomDigits)
    .toString(16)
    .padStart(randomDigits, '0');
}

/** The place of the root span of a trace. */
export function rootOf({ id, rootId }: Trace): Place {
  return { traceId: id, spanId: rootId };
}

/** A place in a new trace that belongs to no message, such as that of a batch. */
export function newPlace(): Place {
  return { traceId: newSpanId() + newSpanId(), spanId: newSpanId() };
}

const idBytes = 8;
let random = Buffer.alloc(0);
let taken = 0;

/** The id of a new span. Random bytes are drawn for many at once, because each draw costs a microsecond. */
export function newSpanId(): string {
  if (taken === random.length) {
    random = randomBytes(512 * idBytes);
    taken = 0;
  }
  return random.toString('hex', taken, (taken += idBytes));
}

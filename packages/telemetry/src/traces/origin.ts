import { type Moment, maxLinks, span, type SpanOptions } from './span.ts';
import { newPlace, newSpanId, rootOf, type Trace } from './trace.ts';
import { partsOf, type Place, readTraceparent } from './traceparent.ts';

/** How the root span of a message continues the request that made the message. */
export interface Continued {
  /** The id of its parent, if the request is in the same trace. */
  readonly parent: string | null;
  /** The request, if it is in another trace. */
  readonly links: readonly Place[];
}

/** The place of a request whose messages are sampled, and the messages that it links to. */
interface Traced extends Place {
  readonly linked: Place[];
}

const nothing = (): Continued => ({ parent: null, links: [] });

/**
 * The request that messages come from. It is in the sender's trace, or else in that of its only message. If it makes several, it
 * has its own trace, and links lead both ways. Every request has one while traces are on, so it holds next to nothing until
 * one of its messages is sampled.
 */
export class Origin {
  /** The sender's `traceparent`, to store with its messages. Null without a valid one. */
  readonly traceparent: string | null;
  private traced: Traced | null = null;
  private made = 0;

  constructor(header: string | readonly string[] | undefined) {
    this.traceparent = header === undefined ? null : readTraceparent(header);
  }

  /** The id of its trace. Null while nothing of it is sampled. */
  get traceId(): string | null {
    return this.traced?.traceId ?? null;
  }

  /** Counts messages of which none is sampled. For them it does what `adopt` does, and needs no traces. */
  count(messages: number): void {
    this.made += messages;
  }

  /** Takes messages that the request has made. Call it once they are stored. */
  adopt(messages: readonly Trace[]): (message: Trace) => Continued {
    this.count(messages.length);
    if (this.traced === null && !messages.some(({ sampled }) => sampled)) return nothing;
    const { traceId, spanId, linked } = (this.traced ??= { ...this.placeOf(messages), linked: [] });
    for (const message of messages)
      if (message.sampled && message.id !== traceId && linked.length < maxLinks) linked.push(rootOf(message));
    return (message) =>
      message.id === traceId ? { parent: spanId, links: [] } : { parent: null, links: [{ traceId, spanId }] };
  }

  private placeOf(messages: readonly Trace[]): Place {
    if (this.traceparent !== null) return { traceId: partsOf(this.traceparent).traceId, spanId: newSpanId() };
    return messages.length === 1 ? { traceId: messages[0]!.id, spanId: newSpanId() } : newPlace();
  }

  /** Records the span of the request, if one of its messages is sampled. Call it once, at the end. */
  end(name: string, ended: Pick<SpanOptions, 'attributes' | 'error'> & { readonly beganAt: Moment }): void {
    if (this.traced === null) return;
    const { traceId, spanId, linked } = this.traced;
    span(name, {
      ...ended,
      trace: { id: traceId, rootId: spanId, sampled: true },
      id: spanId,
      parent: this.traceparent === null ? null : partsOf(this.traceparent).spanId,
      kind: 'server',
      links: linked,
      attributes: { ...ended.attributes, 'notify.messages': this.made },
    });
  }
}

/** The origin of the messages of a request with this `traceparent` header. */
export function originOf(header: string | readonly string[] | undefined): Origin {
  return new Origin(header);
}

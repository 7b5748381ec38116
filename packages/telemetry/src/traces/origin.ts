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

/** A request to us that may make messages. */
export interface Origin {
  /** The sender's `traceparent`, to store with its messages. Null without a valid one. */
  readonly traceparent: string | null;
  /** Takes messages that the request has made. Call it once they are stored. */
  adopt(messages: readonly Trace[]): (message: Trace) => Continued;
  /** The id of its trace. Null while nothing of it is sampled. */
  readonly traceId: string | null;
  /** Records the span of the request, if one of its messages is sampled. Call it once, at the end. */
  end(name: string, ended: Pick<SpanOptions, 'attributes' | 'error'> & { readonly beganAt: Moment }): void;
}

const nothing = (): Continued => ({ parent: null, links: [] });

function placeOf(sender: Place | null, messages: readonly Trace[]): Place {
  const only = messages.length === 1 ? messages[0]! : null;
  const traceId = sender?.traceId ?? only?.id;
  return traceId === undefined ? newPlace() : { traceId, spanId: newSpanId() };
}

/**
 * The origin of messages. It is in the sender's trace, or else in that of its only message. If it makes several, it has a trace
 * of its own, and links lead both ways.
 */
export function originOf(header: string | readonly string[] | undefined): Origin {
  const traceparent = readTraceparent(header);
  const sender = traceparent === null ? null : partsOf(traceparent);
  let place: Place | null = null;
  let isSampled = false;
  let made = 0;
  const linked: Place[] = [];

  function adopt(messages: readonly Trace[]): (message: Trace) => Continued {
    made += messages.length;
    const sampled = messages.filter((message) => message.sampled);
    isSampled ||= sampled.length > 0;
    if (!isSampled) return nothing;
    place ??= placeOf(sender, messages);
    const { traceId, spanId } = place;
    for (const message of sampled)
      if (message.id !== traceId && linked.length < maxLinks) linked.push(rootOf(message));
    return (message) =>
      message.id === traceId ? { parent: spanId, links: [] } : { parent: null, links: [{ traceId, spanId }] };
  }

  return {
    traceparent,
    adopt,
    get traceId() {
      return isSampled ? place!.traceId : null;
    },
    end(name, ended) {
      if (!isSampled || place === null) return;
      const { traceId, spanId } = place;
      span(name, {
        ...ended,
        trace: { id: traceId, rootId: spanId, sampled: true },
        id: spanId,
        parent: sender?.spanId ?? null,
        kind: 'server',
        links: linked,
        attributes: { ...ended.attributes, 'notify.messages': made },
      });
    },
  };
}

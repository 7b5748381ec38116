import { type Attributes, type EndedSpan, state } from './state.ts';
import { newPlace, newSpanId, rootOf, type Trace } from './trace.ts';
import type { Place } from './traceparent.ts';

/** A moment by `performance.now()`, or by another clock. */
export type Moment = number | Date;

/** A span that has just ended. */
export interface SpanOptions {
  /** If it is not sampled, nothing is recorded. */
  readonly trace: Trace;
  /** Default: a new id. */
  readonly id?: string;
  /** The id of its parent. Default: the root of the trace. Null: it has none. */
  readonly parent?: string | null;
  /** Default `internal`. */
  readonly kind?: EndedSpan['kind'];
  readonly links?: readonly Place[];
  readonly attributes?: Attributes;
  readonly beganAt: Moment;
  /** Default: now. */
  readonly endedAt?: Moment;
  /** The kind of its failure. */
  readonly error?: string | null;
}

/** Records a span that has ended and returns its place. It never throws and never waits. */
export function span(name: string, options: SpanOptions): Place {
  const { trace, id = newSpanId(), parent = trace.rootId, endedAt = performance.now() } = options;
  const place = { traceId: trace.id, spanId: id };
  if (trace.sampled)
    state.record?.({
      name,
      place,
      parentId: parent,
      kind: options.kind ?? 'internal',
      links: options.links ?? [],
      attributes: options.attributes ?? {},
      beganAt: sinceEpoch(options.beganAt),
      endedAt: sinceEpoch(endedAt),
      error: options.error ?? null,
    });
  return place;
}

/** How far the clock may be from `clockOffset` before that is taken anew, in ms. It is read in whole ms. */
const drift = 2;
let clockOffset = NaN;

/** The spans of one moment use one offset, so that they begin and end in their order. The clock may be set at any time. */
function sinceEpoch(moment: Moment): number {
  if (typeof moment !== 'number') return moment.getTime();
  const offset = Date.now() - performance.now();
  if (!(Math.abs(offset - clockOffset) < drift)) clockOffset = offset;
  return moment + clockOffset;
}

/** The part of one message in a batch. */
export type BatchMember = Pick<SpanOptions, 'trace' | 'id' | 'parent' | 'links' | 'attributes'> &
  Partial<Pick<SpanOptions, 'beganAt'>>;

/** A batch that has just ended. */
export interface BatchOptions {
  /** How many it had, sampled or not. */
  readonly size: number;
  readonly attributes?: Attributes;
  readonly beganAt: Moment;
  readonly endedAt?: Moment;
}

/** The most links of one span. */
export const maxLinks = 128;

/**
 * Records what was done for many messages at once: a span `batchName` in its own trace, which links to the messages, and
 * for each sampled message a span `name`, which links to the batch. Without sampled members it records nothing.
 */
export function batch(
  batchName: string,
  name: string,
  members: readonly BatchMember[],
  { size, attributes = {}, beganAt, endedAt = performance.now() }: BatchOptions,
): void {
  const sampled = members.filter(({ trace }) => trace.sampled);
  if (sampled.length === 0) return;
  const place = newPlace();
  span(batchName, {
    trace: { id: place.traceId, rootId: place.spanId, sampled: true },
    id: place.spanId,
    parent: null,
    links: sampled.slice(0, maxLinks).map(({ trace }) => rootOf(trace)),
    attributes: { ...attributes, 'notify.batch.size': size },
    beganAt,
    endedAt,
  });
  for (const member of sampled)
    span(name, { beganAt, endedAt, ...member, links: [place, ...(member.links ?? [])] });
}

import { originOf } from './origin.ts';
import { followed } from './sender-budget.ts';
import { batch, span } from './span.ts';
import { startTraces } from './start.ts';
import { state } from './state.ts';
import { newSpanId, sampledTrace, traceOfEvent, traceOfMessage } from './trace.ts';
import { traceparentHeader, writeTraceparent } from './traceparent.ts';

export type { Origin } from './origin.ts';
export type { BatchMember } from './span.ts';
export type { StartedTraces } from './start.ts';
export type { Trace } from './trace.ts';

/** The traces of this process. Nothing of it waits, throws, or knows OpenTelemetry. */
export const traces = {
  /** Whether spans are recorded. Everything about traces asks this first, so traces that are off cost one check. */
  get enabled(): boolean {
    return state.record !== null;
  },
  start: startTraces,
  span,
  batch,
  originOf,
  followed,
  traceOfMessage,
  sampledTrace,
  traceOfEvent,
  newSpanId,
  header: traceparentHeader,
  writeTraceparent,
} as const;

import { counter } from './registry.ts';

/** Spans of traces. `result` is `sent`, `failed` (the collector did not take them) or `dropped` (too many waited). */
export const traceSpans = counter('trace_spans_total', 'Spans, by what became of them', ['result']);

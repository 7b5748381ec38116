import { traceSpans } from '../metrics/traces.ts';
import { createOutbox } from './outbox.ts';
import { openOtlp, type OtlpOptions } from './otlp.ts';
import { type EndedSpan, state } from './state.ts';

export interface TracesOptions extends OtlpOptions {
  /** Share of messages that are traced, 0 to 1. */
  readonly ratio: number;
  /** Called once when spans begin to be lost, with the reason, and with null when they are sent again. */
  readonly onOutage: (fault: string | null) => void;
}

/** The traces of a process. */
export interface StartedTraces {
  /** Sends the last spans, within a second. */
  close(): Promise<void>;
}

const maxWaiting = 4_096;
const maxItems = 256;
const afterMs = 1_000;
const closeWithinMs = 1_000;

/** Turns traces on. Call it once, before the first request or turn. */
export async function startTraces({ ratio, onOutage, ...collector }: TracesOptions): Promise<StartedTraces> {
  const outbox = createOutbox<EndedSpan>({
    send: await openOtlp(collector),
    maxWaiting,
    maxItems,
    afterMs,
    sent: (count) => traceSpans.inc({ result: 'sent' }, count),
    lost: (count, why) => traceSpans.inc({ result: why }, count),
    outage: onOutage,
  });
  state.ratio = ratio;
  state.record = (span) => outbox.add(span);
  return {
    async close() {
      await outbox.close(closeWithinMs);
      state.record = null;
    },
  };
}

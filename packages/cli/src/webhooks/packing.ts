import type { Webhook } from '@notify/sdk';
import { UsageFailure } from '../failures.ts';
import { flag, integer } from '../options.ts';

/** The options that make a webhook take packs of events. */
export const packingOptions = {
  maxEvents: integer(
    '<count>',
    { min: 1, max: 500 },
    'Post up to so many events at once, in packs. With --max-wait-ms.',
  ),
  maxWaitMs: integer(
    '<ms>',
    { min: 0, max: 60_000 },
    'How long an event waits for others of its pack. With --max-events.',
  ),
};

/** The same, with a way back. */
export const changedPackingOptions = {
  ...packingOptions,
  single: flag('Post each event by itself.'),
};

interface Typed {
  readonly maxEvents: number | undefined;
  readonly maxWaitMs: number | undefined;
  readonly single?: boolean;
}

/** How the webhook gets its events, as a request has it. Undefined if no option says so. Throws UsageFailure if they contradict each other. */
export function deliveryOf({ maxEvents, maxWaitMs, single = false }: Typed): Webhook['delivery'] | undefined {
  if (maxEvents === undefined && maxWaitMs === undefined) return single ? { mode: 'single' } : undefined;
  if (single) throw new UsageFailure('--single excludes --max-events and --max-wait-ms');
  if (maxEvents === undefined || maxWaitMs === undefined)
    throw new UsageFailure('--max-events and --max-wait-ms need each other');
  return { mode: 'batch', maxEvents, maxWaitMs };
}

/** How the webhook gets its events, in few words. Null for a post of each. */
export function packingInWords({ delivery }: Pick<Webhook, 'delivery'>): string | null {
  if (delivery.mode === 'single') return null;
  return `up to ${delivery.maxEvents} events, after at most ${delivery.maxWaitMs} ms`;
}

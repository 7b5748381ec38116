import type { Webhook } from '@notify/sdk';

export type Packing = Webhook['delivery'];

/** How a webhook gets its events, as inputs hold it. The limits stay while `single` is chosen. */
export interface PackingValues {
  readonly mode: Packing['mode'];
  readonly maxEvents: number | string;
  readonly maxWaitMs: number | string;
}

/** The inputs of this packing. Limits to begin with, where it has none. */
export function packingValues(delivery: Packing): PackingValues {
  return delivery.mode === 'batch' ? delivery : { mode: 'single', maxEvents: 100, maxWaitMs: 1_000 };
}

/** The packing of these inputs. */
export function packingOf({ mode, maxEvents, maxWaitMs }: PackingValues): Packing {
  return mode === 'single' ? { mode } : { mode, maxEvents: Number(maxEvents), maxWaitMs: Number(maxWaitMs) };
}

/** A packing in words. Null for a post of each event. */
export function packingInWords(delivery: Packing): string | null {
  if (delivery.mode === 'single') return null;
  const { maxEvents, maxWaitMs } = delivery;
  const most = `Up to ${maxEvents} ${maxEvents === 1 ? 'event' : 'events'} per request`;
  return maxWaitMs === 0 ? most : `${most}, after at most ${maxWaitMs.toLocaleString('en')} ms`;
}

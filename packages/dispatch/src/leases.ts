import type { Adapter } from '@notify/channels';
import type { ClaimTerms } from '@notify/db/dispatch';
import { mediaTimes } from '@notify/egress';

/** How much longer than its call a lease lasts, in ms: time to begin the call, and to settle it. */
export const leaseSlackMs = 5_000;

/** The longest a media message waits for others to be done with their files before it is given back, in ms. */
export const mediaWaitMs = 10_000;

/** How much longer than a call an upload may take, in ms, where the adapter says nothing of it. */
const uploadMs = 120_000;

/** How long claims last, by provider. */
export function leases(adapters: ReadonlyMap<string, Adapter>): ClaimTerms['leaseMs'] {
  return Object.fromEntries(Array.from(adapters.values(), (adapter) => [adapter.id, leaseOf(adapter)]));
}

function leaseOf(adapter: Adapter): ClaimTerms['leaseMs'][string] {
  const text = adapter.capabilities.callDeadlineMs + leaseSlackMs;
  if (adapter.media === undefined) return { text, media: text };
  return { text, media: mediaWaitMs + mediaTimes.lookMs + mediaDeadlineMs(adapter) + leaseSlackMs };
}

/** The longest a call with a file may take, in ms, the file's download included. */
export function mediaDeadlineMs({ mediaDeadlineMs: own, capabilities }: Adapter): number {
  return own ?? mediaTimes.downloadMs + uploadMs + capabilities.callDeadlineMs;
}

import type { Adapter } from '@notify/channels';
import type { ClaimTerms } from '@notify/db/dispatch';
import { mediaTimes } from '@notify/egress';

/** How much longer than its call a lease lasts, in ms: the time to begin the call and to settle it. */
export const leaseSlackMs = 5_000;

/** The longest that a media message waits for a file permit before it is given back, in ms. */
export const mediaWaitMs = 10_000;

/** The default time that an upload may take beyond its call, in ms. An adapter can set its own. */
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

/** The longest that a call with a file may take, in ms, including the file's download. */
export function mediaDeadlineMs({ mediaDeadlineMs: own, capabilities }: Adapter): number {
  return own ?? mediaTimes.downloadMs + uploadMs + capabilities.callDeadlineMs;
}

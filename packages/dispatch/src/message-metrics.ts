import { providerErrorCodes } from '@notify/channels';
import { messageErrors, problems } from '@notify/contract';
import type { Channel } from '@notify/core';
import type { Settled, SettledSent, Settlement } from '@notify/db/dispatch';
import type { ReachedStatus } from '@notify/db/messages';
import { metrics, type Trace } from '@notify/telemetry';

/** The end of an attempt with what is counted and traced of it. */
export interface EndedAttempt extends Settlement {
  readonly channel: Channel;
  readonly provider: string;
  readonly bulk: boolean;
  /** The time from the acceptance of the message, or from the connection of its account, to the provider's answer, in ms. */
  readonly waitedMs: number;
  /** The trace of its message if it is sampled. */
  readonly trace?: Trace;
}

/** The codes that may stand in a label. Settings of `http-sms` can name any others. */
const errorCodes = new Set(Object.keys({ ...messageErrors, ...providerErrorCodes, ...problems }));

/** Counts the statuses that messages have reached in a commit. Call it once, after the commit. */
export function countReached(reached: readonly ReachedStatus[]): void {
  const changes = reached.filter(({ status }) => status !== 'queued');
  metrics.countEach(metrics.messages.reached, changes, ({ channel, provider, status }) => ({
    channel: channel ?? 'none',
    provider: provider ?? 'none',
    status,
  }));
  const failures = changes.filter(({ status }) => status === 'failed');
  metrics.countEach(metrics.messages.failed, failures, ({ provider, errorCode }) => ({
    provider: provider ?? 'none',
    error_code: labelOf(errorCode),
  }));
  for (const { provider, status, ageMs } of changes)
    if (status === 'delivered')
      metrics.messages.toDelivered.observe({ provider: provider ?? 'none' }, seconds(ageMs));
}

/** Counts messages that were sent, as the statement for plain successes has committed them. */
export function countSent(settlements: readonly EndedAttempt[], { messageIds }: SettledSent): void {
  const sent = settlements.filter((one) => messageIds.has(one.messageId));
  metrics.countEach(metrics.messages.reached, sent, ({ channel, provider }) => ({
    channel,
    provider,
    status: 'sent',
  }));
  observeWaits(sent);
  metrics.settlements.settled.inc({ kind: 'messages' }, sent.length);
}

/** Counts what a transaction has committed of a batch. */
export function countSettled(settlements: readonly EndedAttempt[], settled: Settled): void {
  const mine = settlements.filter((one) => settled.settled.has(one));
  countReached(settled.reached);
  observeWaits(mine.filter(({ decision }) => decision.kind === 'sent'));
  const unknown = mine.filter(({ attempted, outcome }) => attempted && outcome.kind === 'unknown');
  metrics.countEach(metrics.messages.unknown, unknown, providerOf);
  const repeated = new Set(settled.repeated);
  const again = mine.filter(({ messageId }) => repeated.has(messageId));
  metrics.countEach(metrics.messages.repeated, again, providerOf);
  metrics.settlements.settled.inc({ kind: 'messages' }, mine.length);
  if (settled.lost.length > 0) metrics.leasesLost.inc({ kind: 'messages' }, settled.lost.length);
}

function observeWaits(sent: readonly EndedAttempt[]): void {
  for (const { provider, bulk, waitedMs } of sent)
    metrics.messages.toProvider.observe({ provider, size: bulk ? 'bulk' : 'single' }, seconds(waitedMs));
}

function providerOf({ provider }: EndedAttempt): { readonly provider: string } {
  return { provider };
}

function labelOf(errorCode: string | null): string {
  return errorCode !== null && errorCodes.has(errorCode) ? errorCode : 'other';
}

/** The clocks of two machines may differ by a little, and no time is negative. */
function seconds(ms: number): number {
  return Math.max(0, ms) / 1_000;
}

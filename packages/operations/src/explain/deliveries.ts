import type { DeliveryFacts, MessageFacts, WebhookFacts } from '@notify/db/explanations';
import { failuresUntilFailing } from '@notify/core';
import { isOrphaned, isRunning, leaseWords, overdueMs, takersWords } from './processes.ts';
import { because, type Reason } from './reason.ts';
import { countOf } from './said.ts';
import { span, timeBeside } from './times.ts';

/** Why a delivery of an event has not arrived. */
export function explainDelivery(facts: DeliveryFacts, context: Context): Reason {
  const { now, sendsHeldSince } = context;
  const { delivery, webhook, waiting } = facts;
  if (delivery.state === 'failed')
    return because(
      'delivery-failed',
      delivery.reason === 'expired'
        ? 'It was given up after 3 days, because the webhook kept failing.'
        : `It was given up after ${delivery.attempts} attempts${lastResult(facts)}.`,
      { detail: delivery.endedAt === null ? null : `That was ${timeBeside(delivery.endedAt, now)}.` },
    );
  if (delivery.state === 'skipped')
    return because('delivery-skipped', 'It was skipped, because the webhook was disabled.');
  if (webhook === null) return because('webhook-removed', 'The webhook was removed, so it is not posted.');
  if (waiting === null) return because('post-due', 'It is due, and will be posted in a moment.');
  if (!webhook.isActive)
    return because(
      'webhook-disabled',
      `The webhook is disabled${webhook.disabledReason === null ? '' : `: ${webhook.disabledReason.replace(/\.$/, '')}`}. It is skipped.`,
    );
  if (sendsHeldSince !== null && (waiting.lease === null || waiting.lease.until <= now))
    return because(
      'posts-held',
      'Nothing is posted for now, because the database was restored from a backup.',
      { detail: `Held since ${timeBeside(sendsHeldSince, now)}. "notify release-sends" ends it.` },
    );
  return explainWaiting(facts, webhook, waiting, context);
}

type Context = Pick<MessageFacts, 'now' | 'processes' | 'sendsHeldSince'>;

function explainWaiting(
  facts: DeliveryFacts,
  webhook: WebhookFacts,
  { dueAt, lease, ahead }: NonNullable<DeliveryFacts['waiting']>,
  { now, processes }: Context,
): Reason {
  if (lease !== null && lease.until > now) {
    const detail = leaseWords(lease, processes, now, 'it is posted again');
    return isOrphaned(lease, processes, now)
      ? because('post-interrupted', 'Its post was interrupted. It is posted again.', {
          until: lease.until,
          detail,
        })
      : because('posting', 'It is being posted.', { detail });
  }
  const next = webhook.pausedUntil !== null && webhook.pausedUntil > dueAt ? webhook.pausedUntil : dueAt;
  const until = next > now ? next : null;
  const when = until === null ? null : timeBeside(until, now);
  if (webhook.failureCount >= failuresUntilFailing && webhook.failingSince !== null)
    return because(
      'webhook-failing',
      `The webhook has failed ${webhook.failureCount} times in a row${lastFailure(webhook)}. One delivery at a time probes it until one succeeds.`,
      {
        until,
        detail: `Its first failure was ${timeBeside(webhook.failingSince, now)}.${when === null ? '' : ` The next post is ${when}.`}${ahead === 0 ? '' : ` ${before(ahead)}.`}`,
      },
    );
  if (webhook.pausedUntil !== null && webhook.pausedUntil > now)
    return because('webhook-paused', 'The webhook is paused.', {
      until: webhook.pausedUntil,
      detail: `Posting resumes ${timeBeside(webhook.pausedUntil, now)}.`,
    });
  if (dueAt > now)
    return because(
      'post-retry',
      `Attempt ${facts.delivery.attempts} failed${lastResult(facts)}. It is posted again.`,
      {
        until: dueAt,
        detail: `The next attempt is due ${timeBeside(dueAt, now)}.`,
      },
    );
  return explainUntaken(dueAt, ahead, webhook, { now, processes });
}

function explainUntaken(
  dueAt: Date,
  ahead: number,
  { atOnce }: WebhookFacts,
  { now, processes }: Pick<Context, 'now' | 'processes'>,
): Reason {
  const name = 'webhook-worker';
  const sinceMs = now.getTime() - dueAt.getTime();
  const runs = isRunning(name, processes, now);
  const takers = `It has been due for ${span(sinceMs)}. ${takersWords(name, processes, now)}`;
  if (!runs && (sinceMs >= overdueMs || processes.length > 0))
    return because('post-not-taken', 'It is due, and no worker has taken it yet.', { detail: takers });
  if (ahead > 0)
    return because(
      'behind-other-deliveries',
      `${before(ahead)}. The webhook gets at most ${atOnce} ${atOnce === 1 ? 'post' : 'posts'} at once.`,
    );
  if (sinceMs >= overdueMs)
    return because('post-not-taken', 'It is due, and no worker has taken it yet.', { detail: takers });
  return because('post-due', 'It is due, and will be posted in a moment.');
}

function before(ahead: number): string {
  return `${countOf(ahead, 'delivery', 'deliveries')} ${ahead === 1 ? 'goes' : 'go'} first`;
}

function lastResult({ delivery: { lastAttempt } }: DeliveryFacts): string {
  return lastAttempt === null ? '' : ` (${resultOf(lastAttempt.status, lastAttempt.error)})`;
}

function lastFailure({ lastFailedStatus, lastFailedError }: WebhookFacts): string {
  return lastFailedStatus === null && lastFailedError === null
    ? ''
    : ` (last: ${resultOf(lastFailedStatus, lastFailedError)})`;
}

function resultOf(status: number | null, error: string | null): string {
  return status === null ? (error ?? 'no response') : `HTTP ${status}`;
}

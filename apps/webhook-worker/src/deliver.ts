import { formatId } from '@notify/core';
import type { ClaimedDelivery, DeliveryDecision } from '@notify/db/webhooks';
import { reached, signatureHeaders } from '@notify/runtime';
import type { Slot } from '@notify/turns';
import { countPost, eventsOf } from './post-metrics.ts';
import { decideDelivery, type PostResult, wishedWaitMs } from './decide-delivery.ts';
import type { WebhookDeps } from './deps.ts';
import { giveBack } from './give-back.ts';
import { tracePost } from './post-traces.ts';
import { signingSecrets } from './signing-secrets.ts';

/** The longest that a post may take, from look-up to the last byte of the response, in ms. */
export const postDeadlineMs = 10_000;

/** How much longer than its post a lease lasts, in ms: the time to begin the post and to settle it. */
export const leaseSlackMs = 5_000;

/** How long a delivery waits after the proxy failed, in ms. */
const proxyPauseMs = 5_000;

const storedAnswerBytes = 4_096;

/** A failure like any other: its tenant sees it among the attempts, and it backs off on the same schedule. */
const unsigned: PostResult = {
  ok: false,
  error: 'secret-unreadable',
  text: "the webhook's secret cannot be opened",
  durationMs: 0,
};

/** Brings one claimed delivery, or pack, to the end of an attempt: signs, posts, decides, settles. */
export async function deliver(claimed: ClaimedDelivery, slot: Slot, deps: WebhookDeps): Promise<void> {
  const { claimedAt, stopping } = slot;
  const waitedMs = performance.now() - claimedAt;
  if (stopping.aborted || waitedMs > leaseSlackMs / 2) return giveBack([claimed], deps);
  const beganAt = new Date(claimed.claimedAt.getTime() + waitedMs);
  const trace = tracePost(claimed);
  const result = await post(claimed, slot, beganAt, trace?.headers ?? {}, deps);
  const number = claimed.attempts + 1;
  trace?.end(number, result);
  reached('webhook-posted');
  countPost(claimed, deps.lane, result, performance.now() - claimedAt);
  if (!result.ok && result.error === 'proxy') return postpone(claimed, result.text, deps);
  // The process ran out of time, not the receiver. So the attempt does not count, and the delivery is posted again.
  if (!result.ok && result.error === 'aborted') return giveBack([claimed], deps);
  const endedAtMs = Date.now();
  const decision = decideDelivery(result, number, deps.random, endedAtMs, {
    retries: !claimed.isTest,
    events: eventsOf(claimed),
  });
  logAttempt(claimed, number, result, decision, trace?.traceId ?? null, deps);
  // Any other decision can pause the webhook, so it is settled before more deliveries are claimed.
  if (decision.kind === 'delivered') slot.free();
  const settlement = {
    deliveryId: claimed.id,
    ...(claimed.pack && { pack: claimed.pack }),
    webhookId: claimed.webhook.id,
    holder: claimed.holder,
    generation: claimed.webhook.generation,
    probe: claimed.webhook.probe,
    number,
    beganAt,
    durationMs: result.durationMs,
    status: result.ok ? result.status : null,
    error: result.ok ? null : result.error,
    answer: result.ok ? result.body.subarray(0, storedAnswerBytes).toString('utf8') : null,
    retryAfterMs: wishedWaitMs(result, endedAtMs),
    decision,
  };
  await deps.settle(settlement, claimedAt + postDeadlineMs + leaseSlackMs);
}

/** The operator's proxy failed. This counts as no attempt, and not against the webhook. */
async function postpone(claimed: ClaimedDelivery, detail: string, deps: WebhookDeps): Promise<void> {
  deps.log.tell('egress-proxy-failed', { deliveryId: claimed.id, detail });
  await giveBack([claimed], deps, proxyPauseMs);
}

/** Posts exactly the signed bytes, or nothing without a secret to sign with. */
async function post(
  claimed: ClaimedDelivery,
  slot: Slot,
  at: Date,
  traceHeaders: Readonly<Record<string, string>>,
  deps: WebhookDeps,
): Promise<PostResult> {
  try {
    const secrets = signingSecrets(claimed, deps);
    if (secrets === null) return unsigned;
    const body = Buffer.from(claimed.body);
    const signature = signatureHeaders({ secrets, id: postId(claimed), at, body });
    // The request keeps its own time, so an abort means that the process has no time left.
    using deadline = slot.deadlines.begin();
    reached('webhook-posting');
    return await deps.http.request({
      method: 'POST',
      url: claimed.webhook.url,
      headers: { 'content-type': 'application/json', ...signature, ...traceHeaders },
      body,
      deadlineMs: postDeadlineMs,
      signal: deadline.signal,
    });
  } finally {
    slot.release();
  }
}

/** The `webhook-id` of a post, the same over its retries. */
function postId({ pack, eventId }: ClaimedDelivery): string {
  return pack === undefined ? formatId('evt', eventId) : formatId('bat', pack.id);
}

function logAttempt(
  claimed: ClaimedDelivery,
  attempt: number,
  result: PostResult,
  decision: DeliveryDecision,
  traceId: string | null,
  deps: WebhookDeps,
): void {
  deps.log.tell('delivery-attempt', {
    deliveryId: claimed.id,
    eventId: claimed.eventId,
    ...(claimed.pack === undefined
      ? messageOf(claimed.body)
      : { packId: claimed.pack.id, events: eventsOf(claimed) }),
    webhookId: claimed.webhook.id,
    tenantId: claimed.webhook.tenantId,
    attempt,
    ...(result.ok ? { status: result.status } : { error: result.error, detail: result.text }),
    decision: decision.kind,
    durationMs: Math.round(result.durationMs),
    ...(traceId === null ? {} : { traceId }),
  });
}

/** The first fields of an event. A text of a tenant cannot look so, because the body begins with them. */
const firstFields = /^\{\s*"event"\s*:\s*"[a-z.-]+"\s*,\s*"messageId"\s*:\s*"msg_([0-9a-f-]{36})"/;

/** The `messageId` of an event as a field of a log line. None if the event belongs to no message. */
function messageOf(body: string): { readonly messageId?: string } {
  const messageId = firstFields.exec(body)?.[1];
  return messageId === undefined ? {} : { messageId };
}

import { ResendMessage, ResentMessage } from '@notify/contract';
import { formatId, hasMask } from '@notify/core';
import { findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { findResend, isOutbound, type OutboundRow } from '@notify/db/messages';
import { carriesCode } from '@notify/db/verifications';
import { traces } from '@notify/telemetry';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { interactiveItem } from '../interactive/interactive-item.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { takeRate } from '../keys/take-rate.ts';
import { acceptResent } from '../sending/accept.ts';
import { shownLabels } from '../sending/labels.ts';
import type { LookUps } from '../sending/look-up.ts';
import { judgeKnown } from '../sending/recipient.ts';
import {
  type SendItem,
  interactiveProblems,
  singleSendProblems,
  templateProblems,
  toAcceptItem,
  toMessage,
  type SendNeeds,
} from '../sending/send.ts';
import { shownBody } from '../sending/shown-body.ts';
import { takeMessages } from '../sending/take-messages.ts';
import { templateItem, type TemplateNeeds } from '../templates/template-item.ts';
import { MessageParams, readMessageId } from './message-id.ts';

export const resendMessage = defineRoute({
  operationId: 'tenantMessages.resend',
  method: 'post',
  path: '/v1/messages/:id/resend',
  tag: 'Messages',
  summary: 'Resend a failed message',
  description:
    'Sends a new message with the same recipient, content, metadata, tags and lifetime. Repeating the request does not send again: it returns the message that replaces the failed one, until that one fails too. If the failed message may have arrived, `possibleDuplicate` is true. A message of a group can be resent once the group has ended, and the new one is of no group.',
  credential: 'bearer',
  scope: 'messages:manage',
  params: MessageParams,
  query: NoQuery,
  body: ResendMessage,
  status: 202,
  response: ResentMessage,
  problems: [
    'not-found',
    'not-resendable',
    ...singleSendProblems.filter((code) => code !== 'unknown-channel'),
    'file-not-found',
    ...templateProblems,
    ...interactiveProblems,
    'rate-limited',
  ],
  async handle(
    { params, body, caller, request, reply },
    deps: SendNeeds &
      TemplateNeeds & { readonly db: Db; readonly keyRates: KeyRates; readonly lookUps: LookUps },
  ) {
    const { tenantId } = caller;
    await takeRate(deps, tenantId, deps.settings.keyRatePerMinute, (name, value) =>
      reply.header(name, value),
    );
    const { message, successor, isInOpenGroup, traceparent } = found(
      await findResend(deps.db, tenantId, readMessageId(params.id), traces.enabled),
    );
    if (!isOutbound(message)) throw new Problem('not-resendable', { detail: 'The message was received.' });
    if (message.status !== 'failed')
      throw new Problem('not-resendable', { detail: `Its status is ${message.status}.` });
    if (hasMask(message.body) && (await carriesCode(deps.db, message.id)))
      throw new Problem('not-resendable', {
        detail: 'It carries a one-time code. Start a new verification.',
      });
    if (isInOpenGroup)
      throw new Problem('not-resendable', { detail: 'Its group has not ended: the next route may begin.' });
    const resendOf = formatId('msg', message.id);
    const possibleDuplicate = mayHaveArrived(message);
    if (successor !== null && successor.status !== 'failed')
      return { ...toSent(successor), resendOf, possibleDuplicate };
    const accountId = body.channelAccountId ?? (await presentAccount(message, deps));
    const item = await toItem(message, accountId, successor, deps);
    await takeMessages(caller, 1, deps);
    const original = { messageId: message.id, possibleDuplicate, traceparent };
    // Its key is of our making (`keyAfter`), not of the request.
    const unkeyed = { ...item, madeBy: { apiKeyId: null, idempotencyKey: null } };
    const result = await acceptResent(deps.acceptor, unkeyed, original, request.origin);
    return { ...toMessage(item, result, deps), resendOf, possibleDuplicate };
  },
});

/** Whether one of its attempts has an unknown outcome. */
function mayHaveArrived(message: OutboundRow): boolean {
  return message.error_code === 'outcome-unknown' || message.possible_duplicate;
}

/** The account that the message was to use, unless it has since been removed. */
async function presentAccount(message: OutboundRow, { db }: { db: Db }): Promise<string | null> {
  if (message.channel_account_id === null) return null;
  return (await findAccount(db, message.tenant_id, message.channel_account_id))?.id ?? null;
}

async function toItem(
  message: OutboundRow,
  accountId: string | null,
  successor: OutboundRow | null,
  deps: TemplateNeeds & { readonly lookUps: LookUps },
): Promise<SendItem> {
  const { tenant_id: tenantId, recipient: address } = message;
  const heard = { tenantId, channel: message.channel, accountIds: null, address };
  const fault = await judgeKnown(heard, deps);
  if (fault !== null) throw new Problem('invalid-recipient', { detail: `The recipient ${fault}.` });
  const { channel, type, body } = message;
  const sender = { tenantId: message.tenant_id, keyId: null };
  const send = {
    to: message.recipient,
    isHeard: true as const,
    expiresInSeconds: Math.round((message.expires_at.getTime() - dueFrom(message)) / 1000),
    ...(message.urgent === true ? { urgent: true } : {}),
    ...shownLabels(message),
    idempotencyKey: keyAfter(message, successor),
    ...(accountId === null ? {} : { channelAccountId: accountId }),
    // Another account cannot quote it.
    ...(message.reply_to !== null && accountId !== null && accountId === message.channel_account_id
      ? { quoted: { messageId: message.reply_to, accountId } }
      : {}),
  };
  if ('interactive' in body) {
    const { interactive } = body;
    return interactiveItem(
      sender,
      channel,
      { ...send, interactive },
      { bulk: false, at: 'interactive' },
      deps,
    );
  }
  if (!('template' in body)) return toAcceptItem(sender, channel, { ...send, type, body }, false);
  const { template } = body;
  return templateItem(sender, channel, { ...send, template }, { bulk: false, at: 'template' }, deps);
}

/** Since when its lifetime counts, in ms. What quiet hours have postponed it by does not count. */
function dueFrom({
  created_at: createdAt,
  scheduled_at: scheduledAt,
  postponed_ms: postponedMs,
}: OutboundRow): number {
  return Math.max(createdAt.getTime(), scheduledAt?.getTime() ?? 0) + (postponedMs ?? 0);
}

/**
 * The idempotency key that merges two clicks into one message, even in different processes: both follow the same
 * attempt to replace it. It is longer than a tenant's key may be, so it cannot collide with one.
 */
function keyAfter(message: OutboundRow, successor: OutboundRow | null): string {
  const attempt = successor === null ? 'for the first time' : `after ${successor.id} has failed as well`;
  return `The message ${message.id} has failed, and somebody wants it sent again ${attempt}.`;
}

/** The existing replacement of the message, in its current state. */
function toSent(message: OutboundRow): Omit<ResentMessage, 'resendOf' | 'possibleDuplicate'> {
  const messageId = formatId('msg', message.id);
  return {
    id: messageId,
    messageId,
    tenantId: formatId('ten', message.tenant_id),
    provider: message.channel,
    channelAccountId: message.channel_account_id,
    to: message.recipient,
    type: message.type,
    status: message.status,
    body: shownBody(message.body),
    createdAt: message.created_at.toISOString(),
    scheduledAt: message.scheduled_at?.toISOString() ?? null,
    ...shownLabels(message),
  };
}

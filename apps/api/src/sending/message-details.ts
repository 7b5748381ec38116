import type { MessageDetails, MessageRecord } from '@notify/contract';
import { formatId } from '@notify/core';
import type { MessageRow } from '@notify/db/messages';
import { shownLabels } from './labels.ts';
import { shownBody, threadOf } from './shown-body.ts';

/** A message as the API shows it, in its current state. */
export function toDetails(message: Omit<MessageRow, 'emitted'>): MessageDetails {
  const id = formatId('msg', message.id);
  return {
    id,
    messageId: id,
    channelAccountId: message.channel_account_id,
    direction: message.received_at === null ? 'outbound' : 'inbound',
    from: message.sender,
    contact: message.contact,
    replyTo: message.reply_to === null ? null : formatId('msg', message.reply_to),
    threadId: message.received_at === null ? null : threadOf(message.body),
    groupId: message.group_id === null ? null : formatId('grp', message.group_id),
    receivedAt: message.received_at?.toISOString() ?? null,
    provider: message.channel,
    to: message.recipient,
    type: message.type,
    status: message.status,
    body: shownBody(message.body),
    ...shownLabels(message),
    externalId: message.external_id,
    error: message.error,
    errorCode: message.error_code,
    ...toTimes(message),
    urgent: message.urgent === true,
    attempts: message.attempts,
    segments: message.segments,
    possibleDuplicate: message.possible_duplicate,
  };
}

/** The same with the request that made it, for its tenant. */
export function toRecord(message: Omit<MessageRow, 'emitted'>): MessageRecord {
  const { api_key_id: apiKeyId, idempotency_key: idempotencyKey } = message;
  return {
    ...toDetails(message),
    apiKeyId: apiKeyId === null ? null : formatId('key', apiKeyId),
    idempotencyKey,
  };
}

function toTimes(message: Omit<MessageRow, 'emitted'>) {
  return {
    sentAt: message.sent_at?.toISOString() ?? null,
    deliveredAt: message.delivered_at?.toISOString() ?? null,
    readAt: message.read_at?.toISOString() ?? null,
    failedAt: message.failed_at?.toISOString() ?? null,
    expiresAt: message.expires_at.toISOString(),
    createdAt: message.created_at.toISOString(),
    scheduledAt: message.scheduled_at?.toISOString() ?? null,
    updatedAt: message.updated_at.toISOString(),
  };
}

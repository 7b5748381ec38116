import type { MessageDetails } from '@notify/contract';
import { formatId } from '@notify/core';
import type { MessageRow } from '@notify/db/messages';
import { shownBody } from './shown-body.ts';

/** A message as the API shows it, in its current state. */
export function toDetails(message: MessageRow): MessageDetails {
  return {
    messageId: formatId('msg', message.id),
    channelAccountId: message.channel_account_id,
    provider: message.channel,
    to: message.recipient,
    type: message.type,
    status: message.status,
    body: shownBody(message.body),
    externalId: message.external_id,
    error: message.error,
    errorCode: message.error_code,
    ...toTimes(message),
    attempts: message.attempts,
    segments: message.segments,
    possibleDuplicate: message.possible_duplicate,
  };
}

function toTimes(message: MessageRow) {
  return {
    sentAt: message.sent_at?.toISOString() ?? null,
    deliveredAt: message.delivered_at?.toISOString() ?? null,
    readAt: message.read_at?.toISOString() ?? null,
    failedAt: message.failed_at?.toISOString() ?? null,
    expiresAt: message.expires_at.toISOString(),
    createdAt: message.created_at.toISOString(),
    updatedAt: message.updated_at.toISOString(),
  };
}

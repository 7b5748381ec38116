import { MessageDetails } from '@notify/contract';
import { formatId, parseId } from '@notify/core';
import type { MessageRow } from '@notify/db';
import Type from 'typebox';
import { found } from '../http/found.ts';
import { Problem } from '../http/problem.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';

export const getMessage = defineRoute({
  method: 'get',
  path: '/v1/notify/messages/:id',
  tag: 'Sending',
  summary: 'Look a message up',
  credential: 'api-key',
  params: Type.Object({ id: Type.String() }),
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: MessageDetails,
  problems: ['not-found'],
  async handle({ params, caller }, deps) {
    const message = await deps.lookUp({ ...caller, messageId: found(parseId('msg', params.id)) });
    if (message === 'key-revoked') throw new Problem('invalid-api-key');
    return toDetails(found(message));
  },
});

function toDetails(message: MessageRow): MessageDetails {
  return {
    messageId: formatId('msg', message.id),
    channelAccountId: message.channel_account_id,
    provider: message.channel,
    to: message.recipient,
    type: message.type,
    status: message.status,
    body: message.body,
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

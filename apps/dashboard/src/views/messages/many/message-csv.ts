import type { MessageRecord } from '@notify/sdk';
import { csvOf } from '../../../parts/csv.ts';
import { inShort } from '../content/message-text.ts';
import { stateOf } from '../message-state.ts';

type Cell = string | number | boolean | null;

/** The columns, by the names that the api gives these fields. Times are ISO 8601 in UTC. */
const columns: readonly (readonly [name: string, of: (message: MessageRecord, context: Context) => Cell])[] =
  [
    ['id', ({ messageId }) => messageId],
    ['direction', ({ direction }) => direction],
    ['channel', ({ provider }) => provider],
    ['to', ({ to }) => to],
    ['from', ({ from }) => from],
    ['status', (message, { nowMs }) => stateOf(message, nowMs)],
    ['errorCode', ({ errorCode }) => errorCode],
    ['error', ({ error }) => error],
    ['type', ({ type }) => type],
    ['content', inShort],
    ['account', ({ channelAccountId }, { nameOf }) => nameOf(channelAccountId)],
    ['channelAccountId', ({ channelAccountId }) => channelAccountId],
    ['createdAt', ({ createdAt }) => createdAt],
    ['scheduledAt', ({ scheduledAt }) => scheduledAt],
    ['sentAt', ({ sentAt }) => sentAt],
    ['deliveredAt', ({ deliveredAt }) => deliveredAt],
    ['readAt', ({ readAt }) => readAt],
    ['failedAt', ({ failedAt }) => failedAt],
    ['attempts', ({ attempts }) => attempts],
    ['segments', ({ segments }) => segments],
    ['possibleDuplicate', ({ possibleDuplicate }) => possibleDuplicate],
    ['externalId', ({ externalId }) => externalId],
    ['groupId', ({ groupId }) => groupId],
    ['idempotencyKey', ({ idempotencyKey }) => idempotencyKey],
    ['apiKeyId', ({ apiKeyId }) => apiKeyId],
    ['tags', ({ tags }) => tags.join(' ')],
    ['metadata', ({ metadata }) => (Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata))],
  ];

interface Context {
  /** In ms since 1970. */
  readonly nowMs: number;
  /** The name of an account. */
  readonly nameOf: (accountId: string | null) => string;
}

/** Messages as a table for a spreadsheet. */
export function messagesCsv(messages: readonly MessageRecord[], context: Context): string {
  const rows = messages.map((message) => columns.map(([, of]) => textOf(of(message, context))));
  return csvOf([columns.map(([name]) => name), ...rows]);
}

function textOf(value: Cell): string {
  return value === null ? '' : String(value);
}

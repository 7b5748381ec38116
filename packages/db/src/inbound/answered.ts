import type { Labels } from '@notify/core';
import { sql } from 'kysely';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import type { Seen } from './seen.ts';
import type { StorableInbound } from './storable.ts';

/** A message that was answered. */
export interface Answered {
  readonly id: string;
  readonly metadata: Labels['metadata'];
}

/**
 * The messages that these answer, by the provider's ids, in either direction and within their account. Null where none
 * is known. An id may be good for one chat only, so a message of the same person is preferred. On Telegram an id names
 * its chat, `chat:message`; those that earlier versions stored do not, so there it must be a message of the same chat.
 */
export async function findAnswered(
  trx: Statements,
  messages: readonly Seen<StorableInbound>[],
): Promise<Map<string, Answered>> {
  const answers = messages.filter(({ item }) => item.replyTo !== null);
  if (answers.length === 0) return new Map();
  const asked = unnestRows(
    'i',
    answers,
    {
      account_id: uuid(({ item }) => item.account.id),
      external_id: text(({ item }) => item.replyTo),
      contact: text(({ item }) => item.contact),
      channel: text(({ item }) => item.account.channel),
    },
    'ordinal',
  );
  const { rows } = await sql<{ id: string | null; metadata: Labels['metadata'] }>`
    select found.id, found.metadata from ${asked} left join lateral (
      select m.id, m.metadata from messages m
      where m.channel_account_id = i.account_id
        and m.external_id = any (array[i.external_id, split_part(i.external_id, ':', 2)])
        and case when i.channel = 'telegram' and position(':' in m.external_id) = 0
          then contact_key(i.channel, coalesce(m.sender, m.recipient)) = i.contact else m.external_id = i.external_id end
      order by case when i.channel = 'telegram' then true
        else contact_key(i.channel, coalesce(m.sender, m.recipient)) = i.contact end desc, m.id desc limit 1
    ) found on true order by ordinal`.execute(trx);
  const batch = new Map(messages.map((one) => [keyOf(one.item, one.item.externalId), one]));
  return new Map(
    answers.flatMap((one, index) => {
      const earlier = batch.get(keyOf(one.item, one.item.replyTo!));
      const { id: stored, metadata } = rows[index]!;
      const id = stored ?? (earlier === undefined || earlier === one ? null : earlier.messageId);
      return id === null ? [] : [[one.messageId, { id, metadata }]];
    }),
  );
}

function keyOf({ account, contact }: StorableInbound, externalId: string): string {
  return `${account.id} ${contact} ${externalId}`;
}

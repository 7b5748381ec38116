import { judgeWords } from '@notify/core';
import { sql } from 'kysely';
import { text, timestamptz, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import type { NewConsent } from '../consents/consent.ts';
import type { Seen } from './seen.ts';
import type { StorableInbound } from './storable.ts';

/** How many messages of a conversation are read, newest first, to find a start word. */
const lookBack = 20;

interface Word {
  readonly one: Seen<StorableInbound>;
  readonly consent: NewConsent;
}

/**
 * What stored messages say about the consent of their writers. A stop word that was written before a start word, but arrives
 * after it, is left out: the start word of somebody who had not opted out left no record.
 */
export async function readWords(
  trx: Statements,
  messages: readonly Seen<StorableInbound>[],
): Promise<NewConsent[]> {
  const words = messages.flatMap((one): Word[] => {
    const consent = consentOf(one);
    return consent === null ? [] : [{ one, consent }];
  });
  const outdated = await findOutdated(trx, words.filter(mayBeOutdated));
  return words.flatMap(({ one, consent }) => (outdated.has(one.messageId) ? [] : [consent]));
}

/** What a message says: as the provider judged it, else by the words of the account. */
function consentOf({ item, messageId }: Seen<StorableInbound>): NewConsent | null {
  const { account, message, body, from: recipient, sentAt: saidAt } = item;
  const said = 'text' in body ? judgeWords(String(body.text), account.keywords) : null;
  const status = message.consent ?? said;
  if (status === null) return null;
  const source = message.consent === undefined ? 'keyword' : 'provider';
  return { account, recipient, status, source, messageId, saidAt };
}

function mayBeOutdated({ consent: { status, source }, one: { item } }: Word): boolean {
  const { start } = item.account.keywords;
  return status === 'opted-out' && source === 'keyword' && item.sentAt !== null && start.length > 0;
}

/** The messages that are older than a start word of the same conversation. Most find no later message at all. */
async function findOutdated(trx: Statements, words: readonly Word[]): Promise<Set<string>> {
  if (words.length === 0) return new Set();
  const stops = unnestRows('s', words, {
    message_id: uuid(({ one }) => one.messageId),
    account_id: uuid(({ one }) => one.item.account.id),
    contact: text(({ one }) => one.item.contact),
    said_at: timestamptz(({ one }) => one.item.sentAt),
  });
  const { rows } = await sql<{ id: string; text: string }>`
    select s.message_id as id, later.text from ${stops}
    join conversations c on c.account_id = s.account_id and c.contact = s.contact and c.last_inbound_at > s.said_at
    cross join lateral (
      select message_id from conversation_messages m where m.conversation_id = c.id and m.inbound
      order by message_id desc limit ${lookBack}
    ) newest
    cross join lateral (
      select body ->> 'text' as text from messages m
      where m.id = newest.message_id and m.sent_at > s.said_at and body ->> 'text' is not null limit 1
    ) later`.execute(trx);
  const keywords = new Map(words.map(({ one }) => [one.messageId, one.item.account.keywords]));
  const started = rows.filter((row) => judgeWords(row.text, keywords.get(row.id)!) === 'opted-in');
  return new Set(started.map((row) => row.id));
}

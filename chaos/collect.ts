import type { EventKind, EventName } from '@notify/core';
import type { SmsEntry, LedgerEntry } from '@notify/testkit';
import { sql } from 'kysely';
import type { Evidence, EventRecord, MessageRecord, ReceivedRecord, SentClaim } from './evidence.ts';
import type { Send } from './load.ts';
import type { ReceivedEvent } from './peers/receiver-main.ts';
import type { System } from './system.ts';

/** Gathers what all sides know by now of these messages, whose keys begin with `<prefix>-`. */
export async function collect(system: System, sends: readonly Send[], prefix: string): Promise<Evidence> {
  const isOurs = (key: string): boolean => key.startsWith(`${prefix}-`);
  const messages = (await readMessages(system)).filter(({ key }) => isOurs(key));
  const ids = new Set(messages.map((message) => message.id));
  const [events, received, taken] = await Promise.all([
    readEvents(system),
    readReceived(system),
    readTaken(system, isOurs),
  ]);
  return {
    claims: sends.map(toClaim),
    messages,
    events: events.filter((event) => ids.has(event.messageId)),
    received: received.filter((post) => ids.has(post.messageId)),
    taken,
  };
}

function toClaim({ key, tenant, undeliverable, ids, wrong }: Send): SentClaim {
  return { key, policy: tenant.policy, undeliverable, ids: [...ids], wrong };
}

async function readMessages({ db }: System): Promise<readonly MessageRecord[]> {
  const { rows } = await sql<MessageRecord>`
    select id, substr(body ->> 'text', 7) as key, status, error_code as "errorCode", emitted,
      possible_duplicate as "possibleDuplicate"
    from messages`.execute(db);
  return rows;
}

async function readEvents({ db }: System): Promise<readonly EventRecord[]> {
  const { rows } = await sql<EventRecord>`
    select id, message_id as "messageId", substr(event, 9) as kind, sequence from events
    where message_id is not null`.execute(db);
  return rows;
}

async function readReceived({ receiver }: System): Promise<readonly ReceivedRecord[]> {
  const posts = await receiver.ledger<ReceivedEvent>();
  return posts.map(({ eventId, messageId, event, ...post }) => ({
    ...post,
    eventId: bare(eventId),
    messageId: bare(messageId),
    kind: (event as EventName).replace('message.', '') as EventKind,
  }));
}

/** Both providers know a message by our id of it, and by its text. */
async function readTaken(
  { gateway, twilio }: System,
  isOurs: (key: string) => boolean,
): Promise<Map<string, number>> {
  const throughGateway = await gateway.ledger<LedgerEntry>();
  const throughTwilio = await twilio.ledger<SmsEntry>();
  const all = [
    ...throughGateway.map((entry) => ({ ...entry, times: entry.taken })),
    ...throughTwilio.map((entry) => ({ ...entry, times: entry.externalIds.length })),
  ];
  const taken = all.filter(({ text, times }) => times > 0 && isOurs(keyOf(text)));
  return new Map(taken.map(({ id, times }) => [id, times]));
}

/** Of `chaos 3-17`: `3-17`. */
function keyOf(text: string): string {
  return text.slice(text.indexOf(' ') + 1);
}

/** Of `msg_018f…`: `018f…`. */
function bare(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

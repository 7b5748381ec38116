import type { Db } from '@notify/db/connection';
import type { SmsEntry, LedgerEntry } from '@notify/testkit';
import { sql } from 'kysely';
import { type StoredAnswers, thrownAway } from '../system/answers.ts';
import type {
  Evidence,
  EventRecord,
  InboundRecord,
  MessageRecord,
  ReceivedRecord,
  SentClaim,
} from './evidence.ts';
import type { Send } from '../load/client.ts';
import type { Phase } from '../faults/phase.ts';
import type { ReceivedEvent } from '../peers/receiver-main.ts';
import type { System } from '../system/system.ts';
import { readGroups } from './read-groups.ts';
import type { VerificationRecord } from './audit-verifications.ts';
import { codesAt, type Verifying } from '../load/verifying.ts';

/**
 * Collects what all sides know now of these messages, whose keys begin with `<prefix>-`. The rows are one snapshot.
 * The ledgers are read later, so they hold everything that the rows say was sent or posted.
 */
export async function collect(
  system: System<unknown>,
  {
    sends,
    arrivals,
    prefix,
    verified = [],
    groups = [],
  }: Pick<Phase, 'sends' | 'arrivals' | 'prefix'> & Partial<Pick<Phase, 'verified' | 'groups'>>,
): Promise<Evidence> {
  const isOurs = (key: string): boolean => key.startsWith(`${prefix}-`);
  const rows = await readRows(system.db);
  const messages = rows.messages.filter(({ key }) => isOurs(key));
  const inbound = rows.inbound.filter(({ key }) => isOurs(key));
  const ids = new Set([...messages, ...inbound].map((message) => message.id));
  const [received, known, answers] = await Promise.all([
    readReceived(system),
    readProviders(system, isOurs),
    readThrownAway(system, rows.events),
  ]);
  return {
    claims: sends.map(toClaim),
    verifications: await readVerifications(system, verified),
    groups: await readGroups(system, groups),
    arrivals: arrivals.map(({ key, handedOver, wrong }) => ({ key, handedOver, wrong })),
    messages,
    inbound,
    events: rows.events.filter((event) => ids.has(event.messageId)),
    received: received.filter((post) => ids.has(post.messageId)),
    thrownAway: answers,
    ...known,
  };
}

/** The rows first, so that the ledgers hold everything that they say was sent. */
async function readVerifications(
  system: System<unknown>,
  verified: readonly Verifying[],
): Promise<readonly VerificationRecord[]> {
  if (verified.length === 0) return [];
  const rows = await sql<{ id: string; to: string; status: string; tries: number }>`
    select id, shown_recipient as "to", status, tries from verifications`.execute(system.db);
  const doubles = await sql<{ id: string }>`select id from messages where possible_duplicate`.execute(
    system.db,
  );
  const possible = new Set(doubles.rows.map(({ id }) => id));
  const sent = Map.groupBy(await codesAt(system), ({ to }) => to);
  return verified.map(({ key, tenant, to, ids, approvals, wrong }) => ({
    key,
    policy: tenant.policy,
    ids: [...ids],
    approvals,
    wrong,
    rows: rows.rows.filter((row) => row.to === to),
    sent: (sent.get(to) ?? []).map((one) => ({ ...one, possibleDuplicate: possible.has(one.messageId) })),
  }));
}

function readRows(db: Db): Promise<Pick<Evidence, 'messages' | 'inbound' | 'events'>> {
  const oneMoment = db.transaction().setIsolationLevel('repeatable read');
  return oneMoment.execute(async (trx) => ({
    messages: await readMessages(trx),
    inbound: await readInbound(trx),
    events: await readEvents(trx),
  }));
}

function toClaim({ key, tenant, undeliverable, sendAt, tags, ids, wrong }: Send): SentClaim {
  return { key, policy: tenant.policy, undeliverable, sendAt, tags, ids: [...ids], wrong };
}

async function readMessages(db: Db): Promise<readonly MessageRecord[]> {
  const { rows } = await sql<MessageRecord>`
    select id, substr(body ->> 'text', 7) as key, status, error_code as "errorCode", emitted,
      possible_duplicate as "possibleDuplicate", scheduled_at as "scheduledAt", coalesce(tags, '{}') as tags,
      array(
        select tag from message_tags t where t.tenant_id = messages.tenant_id and message_id = messages.id
      ) as "listedUnder",
      (select min(started_at) from attempts where message_id = messages.id) as "attemptedAt"
    from messages where received_at is null`.execute(db);
  return rows;
}

async function readInbound(db: Db): Promise<readonly InboundRecord[]> {
  const { rows } = await sql<InboundRecord>`
    select id, substr(body ->> 'text', 7) as key from messages where received_at is not null`.execute(db);
  return rows;
}

async function readEvents(db: Db): Promise<readonly EventRecord[]> {
  const { rows } = await sql<EventRecord>`
    select id, message_id as "messageId", substr(event, 9) as kind, sequence, coalesce(tags, '{}') as tags from events
    where message_id is not null`.execute(db);
  return rows;
}

async function readReceived({ receiver }: System<unknown>): Promise<readonly ReceivedRecord[]> {
  const posts = await receiver.ledger<ReceivedEvent>();
  return posts.map(({ eventId, messageId, event, ...post }) => ({
    ...post,
    eventId: bare(eventId),
    messageId: bare(messageId),
    kind: event.replace('message.', '') as ReceivedRecord['kind'],
  }));
}

/** Reads the logs before the rows, because a later line may not be stored yet. */
async function readThrownAway(
  { answers, processes, db }: System<unknown>,
  events: readonly EventRecord[],
): Promise<Map<string, string[]>> {
  const logged = [...(await answers.read())];
  const cutPids = new Set(processes.flatMap((each) => [...each.cutPids]));
  const messageOf = new Map(events.map((event) => [event.id, event.messageId]));
  const byMessage = new Map<string, string[]>();
  for (const answer of thrownAway(logged, await readStored(db), cutPids)) {
    const message = answer.kind === 'call' ? answer.id : messageOf.get(answer.eventId ?? '');
    if (message === undefined) continue;
    const known = byMessage.get(message) ?? [];
    byMessage.set(message, [...known, `the ${answer.kind} of attempt ${answer.attempt} (${answer.id})`]);
  }
  return byMessage;
}

async function readStored(db: Db): Promise<StoredAnswers> {
  const calls = await sql<{ name: string }>`
    select message_id || ' ' || number || ' ' || part as name from attempts where outcome = 'accepted'`.execute(
    db,
  );
  const late = await sql<{ name: string }>`
    select id as name from messages where reports @> '[{"status": "sent"}]'`.execute(db);
  const posts = await sql<{ name: string }>`
    select delivery_id || ' ' || number as name from delivery_attempts`.execute(db);
  const names = ({ rows }: { rows: readonly { name: string }[] }) => new Set(rows.map((row) => row.name));
  return { calls: names(calls), acceptedLate: names(late), posts: names(posts) };
}

/** Twilio sends three reports for a delivered message. */
const twilioReports = 3;

/** Both providers know a message by our id and by its text. */
async function readProviders(
  { gateway, twilio }: System<unknown>,
  isOurs: (key: string) => boolean,
): Promise<Pick<Evidence, 'taken' | 'delivered'>> {
  const throughGateway = await gateway.ledger<LedgerEntry>();
  const throughTwilio = await twilio.ledger<SmsEntry>();
  const all = [
    ...throughGateway.map((entry) => ({ ...entry, times: entry.taken, isDelivered: entry.reported > 0 })),
    ...throughTwilio.map(({ id, text, externalIds: { length: times }, reported }) => {
      return { id, text, times, isDelivered: times === 1 && reported === twilioReports };
    }),
  ];
  const taken = all.filter(({ text, times }) => times > 0 && isOurs(keyOf(text)));
  return {
    taken: new Map(taken.map(({ id, times }) => [id, times])),
    delivered: new Set(taken.flatMap(({ id, isDelivered }) => (isDelivered ? [id] : []))),
  };
}

/** `chaos 3-17` → `3-17` */
function keyOf(text: string): string {
  return text.slice(text.indexOf(' ') + 1);
}

/** `msg_018f…` → `018f…` */
function bare(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

import type { Db } from '@notify/db/connection';
import { acceptMessages, findMessagesOf } from '@notify/db/messages';
import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  testDatabase,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import { sql } from 'kysely';
import { handOnLateTexts } from '../../src/inbound/late-pieces.ts';
import { storeReceived } from '../../src/inbound/store.ts';
import { claim, rules } from '../dispatching.ts';

/** Random numbers from a seed, so that a failure can be repeated (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const people = Array.from({ length: 6 }, (_, index) => `+1555000100${index}`);

/** What one tenant's provider has to tell: whole messages and texts in three pieces, each more than once. */
function news(tenant: TestTenant, random: (below: number) => number) {
  const account = inboundAccountOf(tenant);
  const whole = Array.from({ length: 60 }, (_, index) =>
    inboundText(account, {
      externalId: `whole-${index}`,
      from: people[random(people.length)]!,
      contact: random(2) === 0 ? { name: `Name ${index}` } : null,
      body: { text: index % 10 === 0 ? 'STOP' : index % 10 === 5 ? 'START' : 'hi' },
      replyTo: random(2) === 0 ? `whole-${random(60)}` : null,
    }),
  );
  const pieces = Array.from({ length: 30 }, (_, index) =>
    inboundText(account, {
      externalId: `piece-${index}`,
      from: people[Math.floor(index / 3) % people.length]!,
      body: { text: String(index % 3) },
      piece: { reference: String(Math.floor(index / 3)), index: (index % 3) + 1, total: 3 },
    }),
  );
  const once = [...whole, ...pieces];
  return [...once, ...once, ...once].map((item) => ({ item, at: random(1_000_000) }));
}

/** Everything in batches of random size and order, beside sends, claims and reads. */
async function live(db: Db, tenants: readonly TestTenant[], seed: number): Promise<void> {
  const random = randomFrom(seed);
  const told = tenants.flatMap((tenant) => news(tenant, random)).toSorted((a, b) => a.at - b.at);
  const work: (() => Promise<unknown>)[] = [];
  while (told.length > 0) {
    const inbound = told.splice(0, 1 + random(20)).map(({ item }) => item);
    work.push(() => storeReceived(db, { inbound, moved: [], consents: [] }));
    const tenant = tenants[random(tenants.length)]!;
    const to = Array.from({ length: 1 + random(8) }, () => people[random(people.length)]!);
    work.push(() =>
      acceptMessages(
        db,
        to.map((one) => textItem(tenant, { to: one })),
        rules,
      ),
    );
    if (random(4) === 0) work.push(() => claim(db, tenant, { limit: 1 + random(5) }));
    if (random(4) === 0) work.push(() => handOnLateTexts(db, 60_000, 10));
    if (random(4) === 0)
      work.push(() =>
        sql`update conversations set read_through = latest_id where tenant_id = ${tenant.tenantId} and contact = ${to[0]!.slice(1)}`.execute(
          db,
        ),
      );
    if (random(4) === 0) work.push(async () => findMessagesOf(db, tenant.tenantId, []));
  }
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = work.shift(); next !== undefined; next = work.shift()) await next();
    }),
  );
}

interface Fault {
  readonly fault: string;
  readonly count: number;
}

/** What must never be found, by name. */
async function faults(db: Db): Promise<Fault[]> {
  const { rows } = await sql<Fault>`
    with inbound as (select * from messages where received_at is not null),
    thread as (
      select m.id, c.id as conversation_id, m.received_at is not null as inbound from messages m join conversations c
        on c.account_id = m.channel_account_id and c.contact = ltrim(coalesce(m.sender, m.recipient), '+')
    )
    select fault, count(*)::int as count from (
      select 'an id with two messages' as fault from inbound
        group by channel_account_id, external_id having count(*) > 1
      union all
      select 'a message without exactly one event' from inbound i
        where (select count(*) from events e where e.message_id = i.id) <> 1
      union all
      select 'an event without a message' from events e
        where event = 'message.received' and not exists (select from inbound where id = e.message_id)
      union all
      select 'a repeated row of a thread' from conversation_messages
        group by message_id having count(*) > 1
      union all
      select 'an inbound message without its row' from thread t where inbound
        and not exists (select from conversation_messages c where (c.conversation_id, c.message_id, c.inbound)
          = (t.conversation_id, t.id, true))
      union all
      select 'a row of another conversation' from conversation_messages c
        where not exists (select from thread t where (t.conversation_id, t.id, t.inbound)
          = (c.conversation_id, c.message_id, c.inbound))
      union all
      select 'a conversation whose latest message is another' from conversations c
        where latest_id <> (select message_id from conversation_messages m where m.conversation_id = c.id
          order by message_id desc limit 1)
      union all
      select 'an answer to a message of another account' from inbound i
        join messages r on r.id = i.reply_to where r.channel_account_id <> i.channel_account_id
      union all
      select 'an answer to an older message that was overlooked' from inbound i
        where reply_to is not null and not exists (select from messages where id = i.reply_to)
      union all
      select 'a consent that differs from its last change' from consents c
        where status <> (select status from consent_changes h where h.account_id = c.account_id
          and h.recipient = c.recipient order by id desc limit 1)
      union all
      select 'a suppression that differs from the consent' from consents c
        where (status = 'opted-out') <> exists (select from suppressions s
          where s.account_id = c.account_id and s.recipient = c.recipient)
    ) found group by 1`.execute(db);
  return rows;
}

test.each([1, 2, 3, 4, 5])(
  'random histories on many connections leave one message and one event per id (seed %i)',
  async (seed) => {
    await using test = await testDatabase();
    const tenants = [await makeTenant(test.db), await makeTenant(test.db), await makeTenant(test.db)];
    await live(test.db, tenants, seed);
    expect(await faults(test.db)).toEqual([]);
    const inbound = await test.db
      .selectFrom('messages')
      .select(['channel_account_id', 'body'])
      .where('received_at', 'is not', null)
      .execute();
    expect(inbound).toHaveLength(tenants.length * (60 + 10));
    expect(inbound.filter(({ body }) => 'text' in body && body.text === '012')).toHaveLength(
      tenants.length * 10,
    );
    expect(await test.db.selectFrom('inbound_pieces').selectAll().execute()).toEqual([]);
  },
);

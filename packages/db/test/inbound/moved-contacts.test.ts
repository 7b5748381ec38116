import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { type InboundAccount, storeReceived } from '@notify/db/inbound';
import { acceptMessages } from '@notify/db/messages';
import { removeConsent, storeConsents } from '@notify/db/consents';
import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  testDatabase,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import { sql } from 'kysely';
import { claim, rules } from '../dispatching.ts';

const [lid, number] = ['123@lid', '+15550001000'];

async function write(db: Db, account: InboundAccount, from: string, text = 'hi'): Promise<void> {
  const inbound = [inboundText(account, { from, body: { text } })];
  await storeReceived(db, { inbound, moved: [], consents: [] });
}

function moveOf(account: InboundAccount, from: string, to: string) {
  return { inbound: [], moved: [{ account, from, to }], consents: [] };
}

async function waitingFor(db: Db, count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows[0]!.waiting >= count) return;
    await delay(5);
  }
}

test('of two conversations that become one, the newest of each field is kept', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db, { channel: 'whatsapp' }), 'whatsapp');
  await write(test.db, account, lid);
  await write(test.db, account, number);
  await sql`
    update conversations set read_through = latest_id, burst_began_at = '2026-01-02', burst_in = 7, burst_out = 8,
      slow_until = '2126-01-02', next_send_at = '2126-01-01'
    where address = ${number}`.execute(test.db);
  const [other] = await test.db
    .selectFrom('conversations')
    .selectAll()
    .where('address', '=', number)
    .execute();
  await storeReceived(test.db, moveOf(account, lid, number));
  const { latest_id, read_through, burst_in, burst_out, slow_until, next_send_at } = other!;
  const kept = await test.db.selectFrom('conversations').selectAll().execute();
  expect(kept).toMatchObject([{ latest_id, read_through, burst_in, burst_out, slow_until, next_send_at }]);
});

test('a send that waits while its conversation joins another is not linked to the one that is gone', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db, { channel: 'whatsapp' });
  const account = inboundAccountOf(tenant, 'whatsapp');
  await write(test.db, account, lid);
  await write(test.db, account, number);
  const mover = await test.db.startTransaction().execute();
  await storeReceived(mover, moveOf(account, lid, number));
  const accepted = acceptMessages(test.db, [textItem(tenant, { channel: 'whatsapp', to: number })], rules);
  await waitingFor(test.db, 1);
  await mover.commit().execute();
  await accepted;
  const { rows } = await sql`
    select from conversation_messages m
    where not exists (select from conversations c where c.id = m.conversation_id)`.execute(test.db);
  expect(rows).toEqual([]);
});

async function stateOf(db: Db, tenant: TestTenant, to: string): Promise<string> {
  await acceptMessages(db, [textItem(tenant, { channel: 'whatsapp', to })], rules);
  const [claimed] = await claim(db, tenant, { limit: 1 });
  return `${claimed!.to} ${claimed!.state}`;
}

async function told(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select('body')
    .where('event', 'like', 'contact.%')
    .orderBy('id')
    .execute();
  return rows.map(({ body }) => {
    const { event, to } = JSON.parse(body) as { event: string; to: string };
    return `${to} ${event}`;
  });
}

test('an opt-out moves with its contact, and an opt-in at the new address lifts it at the old one', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db, { channel: 'whatsapp' });
  const account = inboundAccountOf(tenant, 'whatsapp');
  await write(test.db, account, lid, 'STOP');
  await storeReceived(test.db, moveOf(account, lid, number));
  expect(await stateOf(test.db, tenant, number)).toBe(`${number} opted-out`);
  const history = await test.db.selectFrom('consent_changes').selectAll().orderBy('id').execute();
  expect(history.map(({ recipient }) => recipient)).toEqual([lid, number.slice(1)]);
  expect(history[1]!.message_id).toBe(history[0]!.message_id);
  await write(test.db, account, number, 'START');
  expect(await stateOf(test.db, tenant, number)).toBe(`${number} call`);
  expect(await stateOf(test.db, tenant, lid)).toBe(`${number} call`);
  expect(await told(test.db)).toEqual([
    `${lid} contact.opted-out`,
    `${number} contact.opted-out`,
    `${number} contact.opted-in`,
  ]);
});

test('of two addresses that become one, the newest consent counts, also one that an earlier version stored', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db, { channel: 'whatsapp' });
  const account = inboundAccountOf(tenant, 'whatsapp');
  await write(test.db, account, lid, 'STOP');
  await write(test.db, account, number, 'STOP');
  await write(test.db, account, number, 'START');
  await storeReceived(test.db, moveOf(account, lid, number));
  expect(await stateOf(test.db, tenant, lid)).toBe(`${number} call`);
  await sql`insert into suppressions (account_id, recipient) values (${tenant.accountId}, '777@lid')`.execute(
    test.db,
  );
  await storeReceived(test.db, moveOf(account, '777@lid', number));
  expect(await stateOf(test.db, tenant, number)).toBe(`${number} opted-out`);
});

test('what is said about an old address holds for the person, and is forgotten under every address', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db, { channel: 'whatsapp' });
  const account = inboundAccountOf(tenant, 'whatsapp');
  await storeReceived(test.db, moveOf(account, lid, number));
  const put = (status: 'opted-out' | 'opted-in') =>
    storeConsents(test.db, [{ account, recipient: lid, status, source: 'api', messageId: null }]);
  await put('opted-out');
  expect(await stateOf(test.db, tenant, number)).toBe(`${number} opted-out`);
  await put('opted-in');
  expect(await stateOf(test.db, tenant, number)).toBe(`${number} call`);
  await put('opted-out');
  await removeConsent(test.db, account, number);
  expect(await stateOf(test.db, tenant, lid)).toBe(`${number} call`);
  expect(await test.db.selectFrom('consents').selectAll().execute()).toEqual([]);
});

test('an opt-out while its contact moves is obeyed at the new address', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db, { channel: 'whatsapp' });
  const account = inboundAccountOf(tenant, 'whatsapp');
  const mover = await test.db.startTransaction().execute();
  await storeReceived(mover, moveOf(account, lid, number));
  const stop = storeConsents(test.db, [
    { account, recipient: lid, status: 'opted-out', source: 'api', messageId: null },
  ]);
  await waitingFor(test.db, 1);
  await mover.commit().execute();
  await stop;
  expect(await stateOf(test.db, tenant, number)).toBe(`${number} opted-out`);
});

test('moves in any direction, messages and sends at once wait for each other in one order', async () => {
  await using test = await testDatabase();
  const tenants = [
    await makeTenant(test.db, { channel: 'whatsapp' }),
    await makeTenant(test.db, { channel: 'whatsapp' }),
  ];
  const random = (below: number) => Math.floor(Math.random() * below);
  const people = Array.from({ length: 5 }, (_, index) => `+1555000100${index}`);
  const person = () => people[random(people.length)]!;
  const some = <One>(make: (account: InboundAccount) => One, most: number): One[] =>
    Array.from({ length: random(most + 1) }, () => make(inboundAccountOf(tenants[random(2)]!, 'whatsapp')));
  const receive = (mostMoves: number) =>
    storeReceived(test.db, {
      inbound: some(
        (account) => inboundText(account, { from: person(), sentAt: new Date(Date.now() + 60_000) }),
        4,
      ),
      moved: some((account) => ({ account, from: person(), to: person() }), mostMoves),
      consents: some(
        (account) => ({
          account,
          recipient: person(),
          status: random(2) === 0 ? 'opted-out' : 'opted-in',
          source: 'provider',
          messageId: null,
        }),
        2,
      ),
    });
  // One message each: of sends to several people that wait for a move, two may still meet in opposite order.
  const accept = () => {
    const item = textItem(tenants[random(2)]!, { channel: 'whatsapp', to: person() });
    return acceptMessages(test.db, [item], rules);
  };
  const works = [() => receive(3), () => receive(3), () => receive(0), accept];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let done = 0; done < 40; done++) await works[random(works.length)]!();
    }),
  );
  const { rows } = await sql`
    select from conversation_messages m
    where not exists (select from conversations c where c.id = m.conversation_id)`.execute(test.db);
  expect(rows).toEqual([]);
});

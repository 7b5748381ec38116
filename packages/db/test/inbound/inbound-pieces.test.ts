import type { Db } from '@notify/db/connection';
import { handOnLateTexts } from '@notify/db/inbound';
import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  openTestDb,
  testDatabase,
  type TestTenant,
} from '@notify/testkit';
import { sql } from 'kysely';
import { storeInbound } from '../store-inbound.ts';

const words = ['One ', 'two ', 'three'];

/** A piece of the text `words`, whose provider's id is `reference-index`. */
function piece(tenant: TestTenant, index: number, reference = 'ref', changes: object = {}) {
  return inboundText(inboundAccountOf(tenant), {
    externalId: `${reference}-${index}`,
    body: { text: words[index - 1]! },
    piece: { reference, index, total: words.length },
    ...changes,
  });
}

async function textsOf(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('messages').select('body').orderBy('id').execute();
  return rows.map(({ body }) => ('text' in body ? String(body.text) : JSON.stringify(body)));
}

async function waiting(db: Db): Promise<number> {
  return (await db.selectFrom('inbound_pieces').selectAll().execute()).length;
}

test.each([
  ['in order', [1, 2, 3]],
  ['out of order', [3, 1, 2]],
  ['repeated while it waits and afterwards', [2, 2, 3, 3, 1, 1, 2, 3]],
])('a text in pieces is one message and one event: %s', async (_, order) => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const kinds: string[] = [];
  const ids = new Set<string>();
  for (const index of order) {
    const { results } = await storeInbound(test.db, [piece(tenant, index)]);
    kinds.push(results[0]!.kind);
    if ('messageId' in results[0]!) ids.add(results[0].messageId);
  }
  const completes = order.findIndex((_one, index) => new Set(order.slice(0, index + 1)).size === 3);
  expect(kinds).toEqual(
    order.map((_one, at) => (at < completes ? 'waits' : at === completes ? 'stored' : 'repeated')),
  );
  expect(ids.size).toBe(1);
  expect(await textsOf(test.db)).toEqual(['One two three']);
  expect(await waiting(test.db)).toBe(0);
  expect(await test.db.selectFrom('events').select('message_id').execute()).toEqual([
    { message_id: [...ids][0] },
  ]);
});

test('pieces that arrive at once on many connections are one message', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const texts = Array.from({ length: 20 }, (_, index) => `ref-${index}`);
  const batches = [1, 2, 3].flatMap((index) => [
    texts.map((reference) => piece(tenant, index, reference)),
    texts.toReversed().map((reference) => piece(tenant, index, reference)),
  ]);
  await Promise.all(batches.map((batch) => storeInbound(test.db, batch)));
  expect(await textsOf(test.db)).toEqual(texts.map(() => 'One two three'));
  expect(await waiting(test.db)).toBe(0);
});

test('a whole text may come in one batch, among other messages', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const { results } = await storeInbound(test.db, [
    piece(tenant, 2),
    inboundText(inboundAccountOf(tenant), { body: { text: 'between' } }),
    piece(tenant, 1),
    piece(tenant, 3),
  ]);
  expect(results.map(({ kind }) => kind)).toEqual(['stored', 'stored', 'stored', 'stored']);
  expect(await textsOf(test.db)).toEqual(['between', 'One two three']);
});

test('texts of different people or accounts never mix, and a reference that comes again begins a new text', async () => {
  await using test = await testDatabase();
  const [tenant, stranger] = [await makeTenant(test.db), await makeTenant(test.db)];
  await storeInbound(test.db, [
    piece(tenant, 1),
    piece(tenant, 2, 'ref', { from: '+15550002000' }),
    piece(stranger, 3),
  ]);
  expect(await waiting(test.db)).toBe(3);
  await storeInbound(test.db, [piece(tenant, 1, 'ref', { externalId: 'another', body: { text: 'New ' } })]);
  expect(await textsOf(test.db)).toEqual(['One ']);
  await storeInbound(test.db, [piece(tenant, 3), piece(tenant, 2, 'ref', { externalId: 'second' })]);
  expect(await textsOf(test.db)).toEqual(['One ', 'New two three']);
});

test('a text without its last piece is handed on after five minutes, once, and is no word about consent', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const handOn = () => handOnLateTexts(test.db, 300_000, 100);
  await storeInbound(test.db, [
    piece(tenant, 3),
    piece(tenant, 1, 'ref', { body: { text: 'STOP' }, sentAt: new Date(0) }),
    piece(tenant, 2, 'other'),
  ]);
  expect(await handOn()).toEqual({ webhooks: [], providers: [], messageIds: [], failures: [] });
  expect(await textsOf(test.db)).toEqual([]);
  await sql`update inbound_pieces set received_at = now() - interval '301 seconds' where reference like '% ref'`.execute(
    test.db,
  );
  const handed = await Promise.all([handOn(), handOn()]);
  expect(handed.flatMap(({ providers }) => providers)).toEqual(['sandbox']);
  expect(await textsOf(test.db)).toEqual(['STOPthree']);
  expect(await test.db.selectFrom('messages').select('sent_at').execute()).toEqual([
    { sent_at: new Date(0) },
  ]);
  expect(await test.db.selectFrom('consents').selectAll().execute()).toEqual([]);
  expect(await waiting(test.db)).toBe(1);
  const repeated = await storeInbound(test.db, [piece(tenant, 3)]);
  expect(repeated.results[0]!.kind).toBe('repeated');
});

test('a text that always fails holds up no other', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await storeInbound(test.db, [piece(tenant, 1, 'bad', { body: { text: 'bad' } })]);
  await storeInbound(test.db, [piece(tenant, 2, 'good')]);
  await sql`alter table messages add check (body::text not like '%bad%')`.execute(test.db);
  await sql`update inbound_pieces set received_at = received_at - interval '301 seconds'`.execute(test.db);
  const handOn = () => handOnLateTexts(test.db, 300_000, 1);
  expect((await handOn()).failures).toHaveLength(1);
  expect((await handOn()).failures).toEqual([]);
  expect(await textsOf(test.db)).toEqual(['two ']);
  expect(await waiting(test.db)).toBe(1);
});

test('many late texts take a few connections only', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const many = Array.from({ length: 40 }, (_, index) => piece(tenant, 1, `ref-${index}`));
  await storeInbound(test.db, many);
  const db = openTestDb(test.url, { maxConnections: 20, applicationName: 'late' });
  await handOnLateTexts(db, -1_000, 100);
  const { rows } = await sql<{ opened: number }>`
    select count(*)::int as opened from pg_stat_activity
    where datname = current_database() and application_name = 'late'`.execute(test.db);
  expect(await textsOf(test.db)).toHaveLength(many.length);
  expect(rows[0]!.opened).toBeLessThanOrEqual(4);
  await db.destroy();
});

test('what is left of a removed account is thrown away', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await storeInbound(test.db, [piece(tenant, 1)]);
  await sql`update channel_accounts set deleted_at = now()`.execute(test.db);
  await handOnLateTexts(test.db, -1_000, 100);
  expect(await textsOf(test.db)).toEqual([]);
  expect(await waiting(test.db)).toBe(0);
});

test('a piece that cannot be one is a message', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const odd = [
    { index: 0, total: 2 },
    { index: 3, total: 2 },
    { index: 1, total: 400 },
    { index: Number.NaN, total: 2 },
  ];
  await storeInbound(
    test.db,
    odd.map((one, index) =>
      piece(tenant, 1, `odd-${index}`, { piece: { reference: `odd-${index}`, ...one } }),
    ),
  );
  expect(await textsOf(test.db)).toEqual(odd.map(() => 'One '));
});

import { randomUUID } from 'node:crypto';
import type { Channel } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { settleMessages, settleSent } from '@notify/db/dispatch';
import { acceptMessages } from '@notify/db/messages';
import { changeWebhook, replayBatch, startReplay, testWebhook } from '@notify/db/webhooks';
import {
  addAccount,
  inboundAccountOf,
  inboundText,
  makeTenant,
  makeWebhook,
  type TestDatabase,
  testDatabase,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import { sql } from 'kysely';
import { createLooker, type EventFilter, passBetween, readEvents } from '../../src/events/index.ts';
import type { Circumstances } from '../../src/verifications/circumstances.ts';
import { holdPrefix } from '../../src/verifications/hold-prefix.ts';
import type { NewVerification } from '../../src/verifications/new-verification.ts';
import { accepted, claim, rules, settlement } from '../dispatching.ts';
import { atStart, longAgo } from '../events/event-world.ts';
import { move, sendGroup, textGroup } from '../groups/grouping.ts';
import { storeInbound } from '../store-inbound.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
/** Accounts of the tenant: two for sms, the first of which is the default, and one for telegram. */
let [a, b, telegram]: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
beforeEach(async () => {
  tenant = await makeTenant(db);
  [a, b, telegram] = [tenant.accountId, await addAccount(db, tenant), await addAccount(db, tenant)];
  await sql`update channel_accounts set channel = 'telegram', is_default = true where id = ${telegram}`.execute(
    db,
  );
});
afterAll(() => database[Symbol.asyncDispose]());

const everyEvent = [
  'message.queued',
  'message.sent',
  'message.failed',
  'message.received',
  'contact.opted-out',
  'group.delivered',
  'group.failed',
  'verification.held',
];

interface Filters {
  readonly accountIds?: readonly string[];
  readonly channels?: readonly Channel[];
  readonly tags?: readonly string[];
}

const subscribe = (filters: Filters = {}, events = everyEvent) =>
  makeWebhook(db, tenant.tenantId, { ...filters, events });

/** The events that wait for a webhook, each with what it is about. */
async function waiting(webhookId: string): Promise<string[]> {
  const { rows } = await sql<{ about: string }>`
    select e.event || coalesce(' ' || (select body ->> 'text' from messages m where m.id = e.message_id), '') as about
    from delivery_due d join events e on e.id = d.event_id where d.webhook_id = ${webhookId} order by e.id`.execute(
    db,
  );
  return rows.map(({ about }) => about);
}

interface Sent {
  readonly accountId?: string | undefined;
  readonly channel?: Channel;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Has a text accepted. */
async function send(name: string, { accountId, channel = 'sms', tags, metadata }: Sent = {}): Promise<void> {
  const labels = { metadata: metadata ?? null, tags: tags ?? null };
  const item = textItem(tenant, { accountId: accountId ?? null, channel, body: { text: name }, labels });
  const { results } = await acceptMessages(db, [item], rules);
  expect(results.map(({ kind }) => kind)).not.toContain('refused');
}

test.each<[string, () => Filters, string[]]>([
  ['no filter', () => ({}), ['a', 'b', 'tagged', 'told', 'telegram']],
  ['an account', () => ({ accountIds: [b!] }), ['b']],
  ['two accounts', () => ({ accountIds: [b!, telegram!] }), ['b', 'telegram']],
  ['a channel', () => ({ channels: ['sms'] }), ['a', 'b', 'tagged', 'told']],
  [
    'all channels',
    () => ({ channels: ['sms', 'telegram', 'whatsapp'] }),
    ['a', 'b', 'tagged', 'told', 'telegram'],
  ],
  ['a tag', () => ({ tags: ['x'] }), ['tagged']],
  ['one of two tags', () => ({ tags: ['other', 'y'] }), ['tagged', 'telegram']],
  ['an account and a tag', () => ({ accountIds: [telegram!], tags: ['x', 'y'] }), ['telegram']],
  ['what excludes itself', () => ({ accountIds: [a!], channels: ['telegram'] }), []],
  ['an account of nobody', () => ({ accountIds: [randomUUID()] }), []],
])('a webhook with %s gets the events of those messages alone', async (_what, filters, expected) => {
  const id = await subscribe(filters());
  await send('a', { accountId: a });
  await send('b', { accountId: b });
  await send('tagged', { tags: ['x', 'y'] });
  await send('told', { metadata: { x: 'x' } });
  await send('telegram', { channel: 'telegram', tags: ['y'] });
  expect(await waiting(id)).toEqual(expected.map((name) => `message.queued ${name}`));
});

test.each([
  ['usual', settleSent],
  ['general', settleMessages],
])('later events are judged, too, by the %s statement', async (_which, settle) => {
  await sql`update channel_accounts set status = 'connected', last_connected_at = now() where id = ${a}`.execute(
    db,
  );
  const [mine, others] = [
    await subscribe({ accountIds: [a!], tags: ['x'] }),
    await subscribe({ accountIds: [b!] }),
  ];
  await send('one', { tags: ['x'] });
  await send('two');
  const claims = await claim(db, tenant);
  await settle(
    db,
    claims.map((one) => settlement(one, accepted, { kind: 'sent' })),
  );
  expect(await waiting(mine)).toEqual(['message.queued one', 'message.sent one']);
  expect(await waiting(others)).toEqual([]);
});

describe('an event that lacks a field', () => {
  test('of a person passes the filter on tags, and is judged by its account and channel', async () => {
    const filters: Filters[] = [
      { tags: ['x'] },
      { accountIds: [a!], tags: ['x'] },
      { accountIds: [b!] },
      { channels: ['telegram'], tags: ['x'] },
    ];
    const ids = await Promise.all(filters.map((one) => subscribe(one)));
    await storeInbound(db, [inboundText(inboundAccountOf(tenant), { body: { text: 'STOP' } })]);
    const both = ['contact.opted-out', 'message.received STOP'];
    const got = await Promise.all(ids.map(waiting));
    expect(got.map((one) => one.toSorted())).toEqual([both, both, [], []]);
  });

  test('of a prefix that is held passes every filter', async () => {
    const id = await subscribe({ accountIds: [a!], channels: ['telegram'], tags: ['x'] });
    const seen = { starts: 9, checked: 0, approved: 0 };
    await db
      .transaction()
      .execute((trx) =>
        holdPrefix(
          trx,
          { tenantId: tenant.tenantId, prefix: '+49' } as NewVerification,
          { holds: 0, seen } as Circumstances,
        ),
      );
    expect(await waiting(id)).toEqual(['verification.held']);
  });

  test('of a message without an account passes the filter on accounts alone', async () => {
    const [account, channel] = [
      await subscribe({ accountIds: [a!] }),
      await subscribe({ accountIds: [a!], channels: ['telegram'] }),
    ];
    const lost = textItem(tenant, { accountId: randomUUID(), bulk: true, body: { text: 'lost' } });
    await acceptMessages(db, [lost], rules);
    const { rows } = await sql`select from messages where channel_account_id is null`.execute(db);
    expect(rows).toHaveLength(1);
    expect(await waiting(account)).toEqual(['message.failed lost']);
    expect(await waiting(channel)).toEqual([]);
  });

  test('that is a test reaches the webhook that asked for it', async () => {
    const id = await subscribe({ accountIds: [randomUUID()], channels: ['whatsapp'], tags: ['x'] });
    await testWebhook(db, tenant.tenantId, id);
    expect(await waiting(id)).toEqual(['webhook.test']);
  });
});

describe('an event of a group', () => {
  /** A group from `a`, then from telegram, of which the first route fails for good. */
  async function fail(): Promise<string> {
    const group = textGroup(tenant, 1, { labels: { metadata: null, tags: ['x'] } });
    const routes = [
      ...group.routes,
      { ...group.routes[0]!, channel: 'telegram' as const, accountId: telegram!, to: '7' },
    ];
    const { groupId } = await sendGroup(db, { ...group, routes });
    for (const accountId of [a!, telegram!]) {
      const claims = await claim(db, { ...tenant, accountId });
      const [errorCode, text] = ['blocked', 'blocked'];
      await settleMessages(
        db,
        claims.map((one) =>
          settlement(one, { kind: 'rejected', errorCode, text }, { kind: 'failed', errorCode, text }),
        ),
      );
      await move(db, groupId);
    }
    return groupId;
  }

  test('fits by any of its routes, which must fit as a whole', async () => {
    const filters: Filters[] = [
      { accountIds: [a!] },
      { accountIds: [telegram!] },
      { channels: ['sms'] },
      { accountIds: [a!], channels: ['sms'], tags: ['x'] },
      { accountIds: [b!] },
      { channels: ['whatsapp'] },
      { accountIds: [a!], channels: ['telegram'] },
      { tags: ['y'] },
    ];
    const ids = await Promise.all(filters.map((one) => subscribe(one, ['group.failed'])));
    await fail();
    const got = await Promise.all(ids.map(waiting));
    expect(got.map(({ length }) => length)).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  });

  test('that has been removed meanwhile is judged by the message that the event names', async () => {
    const [first, last] = [await subscribe({}, ['group.failed']), await subscribe({}, ['group.failed'])];
    const groupId = await fail();
    await sql`delete from delivery_due where tenant_id = ${tenant.tenantId}`.execute(db);
    await sql`delete from message_groups where id = ${groupId}`.execute(db);
    await changeWebhook(db, tenant.tenantId, first, { accountIds: [a!] });
    await changeWebhook(db, tenant.tenantId, last, { accountIds: [telegram!] });
    for (const webhookId of [first, last]) {
      await startReplay(db, db, { tenantId: tenant.tenantId, webhookId, since: longAgo });
      await replayBatch(db, webhookId);
    }
    expect([await waiting(first), await waiting(last)]).toEqual([[], ['group.failed']]);
  });
});

describe('replay', () => {
  const replay = async (webhookId: string): Promise<number> => {
    const begun = await startReplay(db, db, { tenantId: tenant.tenantId, webhookId, since: longAgo });
    await replayBatch(db, webhookId);
    return begun.kind === 'replays' ? begun.missed.events : -1;
  };

  test('posts and counts what matches the filters of today, whatever they were then', async () => {
    const id = await subscribe({ accountIds: [b!] });
    await send('a', { tags: ['x'] });
    await send('b', { accountId: b });
    expect(await waiting(id)).toEqual(['message.queued b']);
    expect(await replay(id)).toBe(0);

    await changeWebhook(db, tenant.tenantId, id, { accountIds: null, tags: ['x'] });
    // What waits already is posted.
    expect(await waiting(id)).toEqual(['message.queued b']);
    expect(await replay(id)).toBe(1);
    expect(await waiting(id)).toEqual(['message.queued a', 'message.queued b']);
  });

  test('of a webhook without filters posts all that it missed', async () => {
    await send('a');
    const id = await subscribe();
    expect(await replay(id)).toBe(1);
    expect(await waiting(id)).toEqual(['message.queued a']);
  });
});

test('a change leaves the filters that it does not name', async () => {
  const id = await subscribe({ accountIds: [a!], channels: ['sms'], tags: ['x'] });
  const change = (fields: Parameters<typeof changeWebhook>[3]) =>
    changeWebhook(db, tenant.tenantId, id, fields);
  expect(await change({ description: 'mine', accountIds: undefined })).toMatchObject({
    accountIds: [a],
    channels: ['sms'],
    tags: ['x'],
  });
  expect(await change({ channels: null, tags: ['y'] })).toMatchObject({
    accountIds: [a],
    channels: null,
    tags: ['y'],
  });
});

test.each<[string, () => EventFilter, string[]]>([
  ['nothing', () => ({}), ['a', 'contact', 'held', 'tagged', 'telegram']],
  ['an account', () => ({ accountId: a!.toUpperCase() }), ['a', 'contact', 'tagged']],
  ['a channel', () => ({ channel: 'telegram' }), ['telegram']],
  ['a tag', () => ({ tag: 'x' }), ['tagged', 'telegram']],
  ['all three', () => ({ accountId: a!, channel: 'sms', tag: 'x' }), ['tagged']],
])('a list of events that is filtered by %s has only events with it', async (_what, filter, expected) => {
  await send('a');
  await send('tagged', { tags: ['x'] });
  await send('telegram', { channel: 'telegram', tags: ['x'] });
  await storeInbound(db, [inboundText(inboundAccountOf(tenant), { body: { text: 'contact' } })]);
  await sql`
    insert into events (id, tenant_id, event, body, occurred_at)
    select id, ${tenant.tenantId}::uuid, 'verification.held',
      verification_held_body(id, now(), ${tenant.tenantId}::uuid, '+49', 1, 0, 0, now()), now()
    from (select uuidv7() as id) made`.execute(db);
  const looker = createLooker(db);
  const place = await atStart(looker);
  const pass = 'to' in place ? place : passBetween(place.from, await looker.look(), longAgo)!;
  const { events } = await readEvents(
    db,
    tenant.tenantId,
    pass,
    { limit: 50, maxBytes: 1_000_000 },
    filter(),
  );
  const ids = events.map(({ id }) => id);
  const { rows } = await sql<{ about: string }>`
    select coalesce((select body ->> 'text' from messages m where m.id = e.message_id), 'held') as about
    from events e where id = any (${ids}::uuid[])`.execute(db);
  expect(rows.map(({ about }) => about).toSorted()).toEqual(expected);
});

import { randomUUID } from 'node:crypto';
import { type Channel, contactKey, contactKeys } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { listConsents, readConsent, removeConsent, storeConsents } from '@notify/db/consents';
import { type InboundAccount, learnAddresses, storeReceived } from '@notify/db/inbound';
import { acceptMessages, findKnownAddresses, findWaiting, searchMessages } from '@notify/db/messages';
import { findContact, saveContact } from '@notify/db/whatsapp';
import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  testDatabase,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import { sql } from 'kysely';
import { createPairing } from '../src/conversations/index.ts';
import { takeSlots } from '../src/dispatch/recipient-slots.ts';
import { knownMigrations } from '../src/maintenance/migrate/files.ts';
import { claim, rules } from './dispatching.ts';

const pairs: readonly (readonly [sent: string, writes: string])[] = [
  ['+5511987650000', '+551187650000'],
  ['+525512345678', '+5215512345678'],
  ['+5491123456789', '+541123456789'],
  ['+541123456789', '+5491123456789'],
  ['+2290197123456', '+22997123456'],
];
const [sent, writes] = pairs[0]!;

async function world(db: Db, channel: Channel = 'whatsapp') {
  const tenant = await makeTenant(db, { channel });
  return { tenant, account: inboundAccountOf(tenant, channel), channel };
}

async function write(
  db: Db,
  account: InboundAccount,
  from: string,
  text = 'hi',
  replyTo: string | null = null,
) {
  const inbound = [inboundText(account, { from, body: { text }, replyTo })];
  return storeReceived(db, { inbound, moved: [], consents: [] });
}

/** What becomes of a message to an address. */
async function stateOf(db: Db, tenant: TestTenant, channel: Channel, to: string): Promise<string> {
  await acceptMessages(db, [textItem(tenant, { channel, to })], rules);
  const [claimed] = await claim(db, tenant, { limit: 1 });
  return claimed!.state;
}

/** Takes back the schema of migration 0037, as the version before knows it. */
async function undoMigration(db: Db): Promise<void> {
  await sql`drop function contact_key`.execute(db);
  await sql`drop function contact_keys`.execute(db);
  await sql`drop function message_recipient`.execute(db);
  await sql`alter table consents drop column address`.execute(db);
  await sql`alter table moved_contacts drop column told`.execute(db);
}

async function migrateAgain(db: Db): Promise<void> {
  const migration = (await knownMigrations()).find(({ name }) => name === '0037_contact_keys')!;
  await db.transaction().execute((trx) => migration.up(trx as never, undefined as never));
}

/** What a process of the version before writes when a recipient consents. */
async function storeEarlier(
  db: Db,
  account: InboundAccount,
  recipient: string,
  status: 'opted-out' | 'opted-in',
  age = '0 s',
): Promise<void> {
  await sql`
    insert into consents (account_id, recipient, tenant_id, status, source, change_id, changed_at)
    values (${account.id}, ${recipient}, ${account.tenantId}, ${status}, 'api', uuidv7(), now() - ${age}::interval)`.execute(
    db,
  );
  if (status === 'opted-out')
    await sql`insert into suppressions (account_id, recipient) values (${account.id}, ${recipient})`.execute(
      db,
    );
}

test('a recipient has the same keys in SQL as in JavaScript', async () => {
  await using test = await testDatabase();
  const addresses = [
    ...pairs.flat(),
    ...pairs.flat().map((address) => address.slice(1)),
    '+551132345678',
    '+4917012345678',
    '+14155550123',
    '55',
    '549',
    '++1555',
    '-100123',
    '551187650000@lid',
    '',
    '@Ada_L',
    '@ÄDA',
    'US.AbC1',
    'local:551187650000',
    'MyBank',
  ];
  for (const channel of ['sms', 'whatsapp', 'telegram'] as const) {
    for (const address of addresses) {
      const { rows } = await sql<{ key: string; keys: string[] }>`
        select contact_key(${channel}, ${address}) as key, contact_keys(${channel}, contact_key(${channel}, ${address})) as keys`.execute(
        test.db,
      );
      expect(rows).toEqual([{ key: contactKey(channel, address), keys: contactKeys(channel, address) }]);
    }
  }
});

test.each(pairs)(
  'a STOP from the other spelling of %s, %s, counts for both, and a START lifts it',
  async (to, from) => {
    await using test = await testDatabase();
    for (const channel of ['whatsapp', 'sms'] as const) {
      const { tenant, account } = await world(test.db, channel);
      await write(test.db, account, from, 'STOP');
      for (const address of [to, from]) {
        expect(await stateOf(test.db, tenant, channel, address)).toBe('opted-out');
        expect(await readConsent(test.db, account, address, 10)).toMatchObject({
          current: { status: 'opted-out', source: 'keyword' },
          changes: [{ status: 'opted-out' }],
        });
        expect(
          await listConsents(test.db, { tenantId: tenant.tenantId, recipient: address, limit: 10 }),
        ).toMatchObject([{ recipient: from, status: 'opted-out' }]);
      }
      await write(test.db, account, to, 'START');
      for (const address of [to, from]) expect(await stateOf(test.db, tenant, channel, address)).toBe('call');
      await storeConsents(test.db, [
        { account, recipient: to, status: 'opted-out', source: 'api', messageId: null },
      ]);
      expect(await stateOf(test.db, tenant, channel, from)).toBe('opted-out');
      await removeConsent(test.db, account, from);
      expect(await stateOf(test.db, tenant, channel, to)).toBe('call');
      expect(await listConsents(test.db, { tenantId: tenant.tenantId, limit: 10 })).toEqual([]);
    }
  },
);

test('a person who writes from two spellings has one conversation, shown as the last one wrote', async () => {
  await using test = await testDatabase();
  const { tenant, account } = await world(test.db);
  await write(test.db, account, writes);
  await write(test.db, account, sent);
  await acceptMessages(test.db, [textItem(tenant, { channel: 'whatsapp', to: writes })], rules);
  await acceptMessages(test.db, [textItem(tenant, { channel: 'whatsapp', to: sent })], rules);
  const rows = await test.db
    .selectFrom('conversations')
    .select(['address', 'burst_in', 'burst_out'])
    .execute();
  expect(rows).toEqual([{ address: sent, burst_in: 2, burst_out: 2 }]);
  const linked = await test.db.selectFrom('conversation_messages').selectAll().execute();
  expect(linked).toHaveLength(4);
});

test('a link that one spelling opened may be opened again from the other', async () => {
  await using test = await testDatabase();
  const { tenant, account } = await world(test.db);
  const { tenantId, accountId } = tenant;
  await createPairing(test.db, { tenantId, accountId, payload: 'p', reference: 'r', expiresInSeconds: 60 });
  for (const from of [sent, writes]) {
    const inbound = [inboundText(account, { from, pairing: 'p' })];
    const { results } = await storeReceived(test.db, { inbound, moved: [], consents: [] });
    expect(results).toEqual([{ kind: 'paired' }]);
  }
});

test('messages to both spellings keep the distance of one recipient', async () => {
  await using test = await testDatabase();
  const { tenant } = await world(test.db);
  const items = [sent, writes].map((to) => textItem(tenant, { channel: 'whatsapp', to }));
  await acceptMessages(test.db, items, rules);
  expect(await takeSlots(test.db, await claim(test.db, tenant), 60_000)).toHaveLength(1);
});

test('what a process of the version before notes under another spelling counts, until the person opts in', async () => {
  await using test = await testDatabase();
  const { tenant, account, channel } = await world(test.db);
  const other = writes.slice(1);
  await sql`insert into suppressions (account_id, recipient) values (${account.id}, ${other})`.execute(
    test.db,
  );
  await sql`
    insert into consents (account_id, recipient, tenant_id, status, source, change_id)
    values (${account.id}, ${other}, ${account.tenantId}, 'opted-out', 'keyword', uuidv7())`.execute(test.db);
  expect(await stateOf(test.db, tenant, channel, sent)).toBe('opted-out');
  expect(await readConsent(test.db, account, sent, 10)).toMatchObject({ current: { status: 'opted-out' } });
  await write(test.db, account, sent, 'START');
  expect(await stateOf(test.db, tenant, channel, writes)).toBe('call');
  const rows = await test.db.selectFrom('consents').select(['recipient', 'status', 'address']).execute();
  expect(rows).toEqual([{ recipient: sent.slice(1), status: 'opted-in', address: sent }]);
  await write(test.db, account, sent, 'STOP');
  // Such a process looks for the spelling that a message names.
  const kept = await test.db.selectFrom('suppressions').select('recipient').orderBy('recipient').execute();
  expect(kept.map(({ recipient }) => recipient)).toEqual([other, sent.slice(1)]);
});

test('the migration makes one of the rows that a person had under two spellings', async () => {
  await using test = await testDatabase();
  const { tenant, account, channel } = await world(test.db);
  await write(test.db, account, sent, 'one');
  const usual = sent.slice(1);
  const other = writes.slice(1);
  await undoMigration(test.db);
  await sql`
    with made as (
      insert into conversations (id, tenant_id, account_id, channel, contact, address, latest_id, last_inbound_at)
      values (uuidv7(), ${account.tenantId}, ${account.id}, 'whatsapp', ${other}, ${writes}, uuidv7(), now() + interval '1 s')
      returning id, latest_id
    )
    insert into conversation_messages (conversation_id, message_id, inbound) select id, latest_id, true from made`.execute(
    test.db,
  );
  await sql`
    insert into consents (account_id, recipient, tenant_id, status, source, change_id, changed_at)
    values (${account.id}, ${usual}, ${account.tenantId}, 'opted-in', 'api', uuidv7(), now() - interval '1 h'),
      (${account.id}, ${other}, ${account.tenantId}, 'opted-out', 'keyword', uuidv7(), now())`.execute(
    test.db,
  );
  await sql`insert into suppressions (account_id, recipient) values (${account.id}, ${other})`.execute(
    test.db,
  );
  await sql`
    insert into consent_changes (id, tenant_id, account_id, recipient, status, source)
    values (uuidv7(), ${account.tenantId}, ${account.id}, ${other}, 'opted-out', 'keyword')`.execute(test.db);
  await migrateAgain(test.db);
  const conversations = await test.db.selectFrom('conversations').select(['contact', 'address']).execute();
  expect(conversations).toEqual([{ contact: usual, address: writes }]);
  expect(await test.db.selectFrom('conversation_messages').selectAll().execute()).toHaveLength(2);
  const consents = await test.db.selectFrom('consents').select(['recipient', 'status', 'address']).execute();
  expect(consents).toEqual([{ recipient: usual, status: 'opted-out', address: writes }]);
  expect(await readConsent(test.db, account, sent, 10)).toMatchObject({ changes: [{ status: 'opted-out' }] });
  expect(await stateOf(test.db, tenant, channel, sent)).toBe('opted-out');
});

test('a pair that a provider told joins consent and conversation of numbers that no rule joins', async () => {
  await using test = await testDatabase();
  const { tenant, account, channel } = await world(test.db);
  const [asked, known] = ['+4915112345678', '+4917098765432'];
  await write(test.db, account, known, 'STOP');
  expect(await stateOf(test.db, tenant, channel, asked)).toBe('call');
  const learned = [{ accountId: account.id, asked, known }];
  await learnAddresses(test.db, learned);
  expect(await stateOf(test.db, tenant, channel, asked)).toBe('opted-out');
  for (const address of [asked, known])
    expect(await readConsent(test.db, account, address, 10)).toMatchObject({
      current: { status: 'opted-out' },
    });
  const found = await listConsents(test.db, { tenantId: tenant.tenantId, recipient: asked, limit: 10 });
  expect(found).toMatchObject([{ recipient: known, status: 'opted-out' }]);
  await write(test.db, account, known, 'START');
  expect(await stateOf(test.db, tenant, channel, asked)).toBe('call');
  await storeConsents(test.db, [
    { account, recipient: asked, status: 'opted-out', source: 'api', messageId: null },
  ]);
  expect(await stateOf(test.db, tenant, channel, known)).toBe('opted-out');
  const conversations = await test.db.selectFrom('conversations').select('address').execute();
  expect(conversations).toEqual([{ address: known }]);
  const before = await test.db.selectFrom('moved_contacts').selectAll().execute();
  await learnAddresses(test.db, learned);
  expect(await test.db.selectFrom('moved_contacts').selectAll().execute()).toEqual(before);
});

test('a pair of an account that is gone, and one that the rules know, is not kept', async () => {
  await using test = await testDatabase();
  const { account } = await world(test.db);
  await learnAddresses(test.db, [
    { accountId: account.id, asked: sent, known: writes },
    { accountId: '019a0000-0000-7000-8000-000000000000', asked: '+4915112345678', known: '+4917098765432' },
  ]);
  expect(await test.db.selectFrom('moved_contacts').selectAll().execute()).toEqual([]);
});

test('a Telegram username is one recipient, however it is capitalised', async () => {
  await using test = await testDatabase();
  const { tenant, account, channel } = await world(test.db, 'telegram');
  await storeConsents(test.db, [
    { account, recipient: '@Durov', status: 'opted-out', source: 'api', messageId: null },
  ]);
  for (const to of ['@durov', '@DUROV', '@Durov']) {
    expect(await stateOf(test.db, tenant, channel, to)).toBe('opted-out');
    expect(await readConsent(test.db, account, to, 10)).toMatchObject({ current: { status: 'opted-out' } });
  }
  const listed = await listConsents(test.db, { tenantId: tenant.tenantId, recipient: '@DUROV', limit: 10 });
  expect(listed).toMatchObject([{ recipient: '@Durov' }]);
});

test('the migration keeps opt-outs of usernames with capitals, unless the person opted in later', async () => {
  await using test = await testDatabase();
  const { tenant, account, channel } = await world(test.db, 'telegram');
  await undoMigration(test.db);
  await storeEarlier(test.db, account, '@Durov', 'opted-out');
  await storeEarlier(test.db, account, '@Ada_L', 'opted-out', '1 h');
  await storeEarlier(test.db, account, '@ada_l', 'opted-in');
  await sql`insert into suppressions (account_id, recipient) values (${account.id}, '@Older')`.execute(
    test.db,
  );
  await migrateAgain(test.db);
  for (const to of ['@durov', '@Durov', '@DUROV', '@older', '@Older'])
    expect(await stateOf(test.db, tenant, channel, to)).toBe('opted-out');
  for (const to of ['@Ada_L', '@ada_l']) expect(await stateOf(test.db, tenant, channel, to)).toBe('call');
  const kept = await test.db.selectFrom('suppressions').select('recipient').orderBy('recipient').execute();
  // Processes of the version before look for the capitals.
  expect(kept.map(({ recipient }) => recipient).toSorted()).toEqual(['@Durov', '@Older', '@durov', '@older']);
});

test.each(['an opt-in', 'a removal'] as const)(
  'the opt-out of a username that a process of the version before notes counts until %s',
  async (end) => {
    await using test = await testDatabase();
    const { tenant, account, channel } = await world(test.db, 'telegram');
    const say = (recipient: string, status: 'opted-out' | 'opted-in') =>
      storeConsents(test.db, [{ account, recipient, status, source: 'api', messageId: null }]);
    await storeEarlier(test.db, account, '@Durov', 'opted-out');
    expect(await stateOf(test.db, tenant, channel, '@Durov')).toBe('opted-out');
    expect(await readConsent(test.db, account, '@Durov', 1)).toMatchObject({
      current: { status: 'opted-out' },
    });
    if (end === 'a removal') await removeConsent(test.db, account, '@durov');
    else await say('@durov', 'opted-in');
    for (const to of ['@durov', '@Durov']) expect(await stateOf(test.db, tenant, channel, to)).toBe('call');
    const listed = await listConsents(test.db, { tenantId: tenant.tenantId, limit: 10 });
    expect(listed.map(({ status }) => status)).toEqual(end === 'a removal' ? [] : ['opted-in']);
    await say('@DUROV', 'opted-out');
    // Such a process looks for the username as a message names it.
    const kept = await test.db.selectFrom('suppressions').select('recipient').execute();
    expect(kept.map(({ recipient }) => recipient).toSorted()).toEqual(['@DUROV', '@durov']);
  },
);

test('the migration takes no "not on WhatsApp" of one spelling for the other', async () => {
  await using test = await testDatabase();
  const { account } = await world(test.db);
  const link = { account_id: account.id, tenant_id: account.tenantId };
  await test.db.insertInto('whatsapp_links').values(link).execute();
  await undoMigration(test.db);
  const looked = (recipient: string, jid: string | null) => saveContact(test.db, account.id, recipient, jid);
  await looked('551187650000', null);
  await looked('525512345678', null);
  await looked('5491123456789', null);
  await looked('541123456789', '541123456789@s.whatsapp.net');
  await looked('2290197123456', '2290197123456@s.whatsapp.net');
  await looked('22997123456', null);
  await looked('4917012345678', null);
  await migrateAgain(test.db);
  const found = (recipient: string) => findContact(test.db, account.id, recipient);
  expect(await found('5511987650000')).toBeNull();
  expect(await found('525512345678')).toBeNull();
  expect(await found('5491123456789')).toMatchObject({ jid: '541123456789@s.whatsapp.net' });
  expect(await found('2290197123456')).toMatchObject({ jid: '2290197123456@s.whatsapp.net' });
  expect(await found('4917012345678')).toMatchObject({ jid: null });
});

test('a pair that a provider told outlasts what the asked number writes, and a change of number does not', async () => {
  await using test = await testDatabase();
  const { tenant, account, channel } = await world(test.db);
  const [asked, known] = ['+4915112345678', '+4917098765432'];
  await learnAddresses(test.db, [{ accountId: account.id, asked, known }]);
  const say = async (text: string) => {
    const inbound = [
      inboundText(account, { from: asked, body: { text }, sentAt: new Date(Date.now() + 60_000) }),
    ];
    await storeReceived(test.db, { inbound, moved: [], consents: [] });
  };
  await say('STOP');
  for (const to of [asked, known]) expect(await stateOf(test.db, tenant, channel, to)).toBe('opted-out');
  await write(test.db, account, known);
  await say('hi');
  const conversations = await test.db.selectFrom('conversations').select('contact').execute();
  expect(conversations).toEqual([{ contact: known.slice(1) }]);
  await storeReceived(test.db, {
    inbound: [],
    moved: [{ account, from: asked, to: '+4916011112222' }],
    consents: [],
  });
  await say('I am somebody else');
  expect(await test.db.selectFrom('moved_contacts').selectAll().execute()).toEqual([]);
});

test('a pair widens a search for a recipient at the account that learned it only', async () => {
  await using test = await testDatabase();
  const { tenant, account } = await world(test.db);
  const { tenantId } = tenant;
  const [asked, known] = ['+4915112345678', '+4917098765432'];
  await learnAddresses(test.db, [{ accountId: account.id, asked, known }]);
  const others = (['sms', 'whatsapp'] as const).map((channel) => ({
    id: randomUUID(),
    tenant_id: tenantId,
    channel,
    provider: 'sandbox',
    name: `other ${channel}`,
    is_default: false,
    settings: '{}',
  }));
  await test.db.insertInto('channel_accounts').values(others).execute();
  const items = [account, ...others].map(({ id: accountId, channel }) =>
    textItem(tenant, { channel, accountId, to: asked }),
  );
  const { results } = await acceptMessages(test.db, items, rules);
  const [first] = results.map((one) => ('message' in one ? one.message.id : one.kind));
  const filter = {
    recipients: [known],
    knownRecipients: await findKnownAddresses(test.db, tenantId, [known]),
  };
  expect(await findWaiting(test.db, tenantId, filter, 10)).toEqual([first]);
  const page = await searchMessages(test.db, { tenantId, filter, limit: 10, budgetMs: 60_000 });
  expect(page.messages.map(({ id }) => id)).toEqual([first]);
});

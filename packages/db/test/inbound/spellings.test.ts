import { randomUUID } from 'node:crypto';
import { contactKey, contactKeys } from '@notify/core';
import { listConsents, readConsent, removeConsent, storeConsents } from '@notify/db/consents';
import { learnAddresses, storeReceived } from '@notify/db/inbound';
import { acceptMessages, findKnownAddresses, findWaiting, searchMessages } from '@notify/db/messages';
import { inboundText, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { createPairing } from '../../src/conversations/index.ts';
import { giveRecipientTimes } from '../../src/dispatch/recipient-pace.ts';
import { claim, rules } from '../dispatching.ts';
import { pairs, sent, stateOf, world, write, writes } from './spelling-world.ts';

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
  expect(await giveRecipientTimes(test.db, await claim(test.db, tenant), 60_000)).toHaveLength(1);
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

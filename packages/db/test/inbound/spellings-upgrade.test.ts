import type { Db } from '@notify/db/connection';
import { listConsents, readConsent, removeConsent, storeConsents } from '@notify/db/consents';
import type { InboundAccount } from '@notify/db/inbound';
import { findContact, saveContact } from '@notify/db/whatsapp';
import { testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { knownMigrations } from '../../src/maintenance/migrate/files.ts';
import { sent, stateOf, world, write, writes } from './spelling-world.ts';

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

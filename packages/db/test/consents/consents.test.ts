import { setTimeout as delay } from 'node:timers/promises';
import { type ConsentStatus, contactKey, inboundEventNames } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { storeConsents } from '@notify/db/consents';
import { type Claimed, settleMessages } from '@notify/db/dispatch';
import { acceptMessages } from '@notify/db/messages';
import { applyReceipts, storeReceipts, takeReceipts } from '@notify/db/receipts';
import { makeTenant, makeWebhook, testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import type { ConsentAccount, NewConsent } from '../../src/consents/consent.ts';
import { recipientKey } from '../../src/consents/recipient-key.ts';
import { claim, rules, settlement } from '../dispatching.ts';

const ada = '+15550001000';
const refusal = { errorCode: 'recipient-opted-out', text: 'STOP' };

async function claimOne(db: Db, tenant: TestTenant, to = ada): Promise<Claimed> {
  await acceptMessages(db, [textItem(tenant, { to })], rules);
  const [claimed] = await claim(db, tenant, { limit: 1 });
  return claimed!;
}

function accountOf({ accountId, tenantId }: TestTenant): ConsentAccount {
  return { id: accountId, tenantId, channel: 'sms' };
}

function consent(tenant: TestTenant, status: ConsentStatus, changes: Partial<NewConsent> = {}): NewConsent {
  return {
    account: accountOf(tenant),
    recipient: ada,
    status,
    source: 'keyword',
    messageId: null,
    ...changes,
  };
}

async function told(db: Db): Promise<Record<string, unknown>[]> {
  const events = await db
    .selectFrom('events')
    .select('body')
    .where('event', 'like', 'contact.%')
    .orderBy('id')
    .execute();
  return events.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

async function history(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('consent_changes').selectAll().orderBy('id').execute();
  return rows.map(({ recipient, status, source }) => `${recipient} ${status} ${source}`);
}

/** Whether `consents` and `suppressions` name the same recipients. */
async function isInStep(db: Db): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select not exists (
      select from (select account_id, recipient, true as told from consents where status = 'opted-out') c
      full join (select *, true as kept from suppressions) s using (account_id, recipient)
      where told is null or kept is null
    ) as same`.execute(db);
  return rows[0]!.same;
}

test('a recipient whom the provider refuses for an opt-out gets nothing more from this account, until they opt in', async () => {
  await using test = await testDatabase();
  const [tenant, stranger] = [await makeTenant(test.db), await makeTenant(test.db)];
  const webhookId = await makeWebhook(test.db, tenant.tenantId, { events: inboundEventNames });
  const first = await claimOne(test.db, tenant);
  expect(first.state).toBe('call');
  const ended = settlement(first, { kind: 'rejected', ...refusal }, { kind: 'failed', ...refusal });
  const { webhooks } = await settleMessages(test.db, [ended]);
  expect(webhooks.map(({ id }) => id)).toContain(webhookId);
  const changes = await test.db.selectFrom('consent_changes').selectAll().execute();
  expect(changes).toMatchObject([
    { recipient: '15550001000', source: 'provider', message_id: first.messageId },
  ]);
  expect((await claimOne(test.db, tenant)).state).toBe('opted-out');
  expect((await claimOne(test.db, tenant, '+15550002000')).state).toBe('call');
  expect((await claimOne(test.db, stranger)).state).toBe('call');
  await storeConsents(test.db, [consent(tenant, 'opted-in')]);
  expect((await claimOne(test.db, tenant)).state).toBe('call');
  expect(await isInStep(test.db)).toBe(true);
});

test('our own refusal records nothing, so it cannot undo what the recipient said meanwhile', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await storeConsents(test.db, [consent(tenant, 'opted-out')]);
  const claimed = await claimOne(test.db, tenant);
  expect(claimed.state).toBe('opted-out');
  await storeConsents(test.db, [consent(tenant, 'opted-in')]);
  const ended = settlement(claimed, { kind: 'rejected', ...refusal }, { kind: 'failed', ...refusal });
  await settleMessages(test.db, [{ ...ended, tookMs: null }]);
  expect((await claimOne(test.db, tenant)).state).toBe('call');
});

test('an opt-in while the provider is being called counts, although the provider then refuses the message', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const ended = async () => {
    const claimed = await claimOne(test.db, tenant);
    return settlement(claimed, { kind: 'rejected', ...refusal }, { kind: 'failed', ...refusal });
  };
  const during = await ended();
  await storeConsents(test.db, [consent(tenant, 'opted-out'), consent(tenant, 'opted-in')]);
  await settleMessages(test.db, [during]);
  expect((await history(test.db)).at(-1)).toBe('15550001000 opted-in keyword');
  await settleMessages(test.db, [await ended()]);
  expect((await history(test.db)).at(-1)).toBe('15550001000 opted-out provider');
});

test.each(['applied at once', 'stored first'])(
  'a receipt that tells an opt-out counts like a refusal: %s',
  async (way) => {
    await using test = await testDatabase();
    const tenant = await makeTenant(test.db);
    const webhookId = await makeWebhook(test.db, tenant.tenantId, { events: inboundEventNames });
    const { messageId } = await claimOne(test.db, tenant);
    const { accountId } = tenant;
    const receipt = {
      accountId,
      messageId,
      externalId: null,
      part: null,
      status: 'failed' as const,
      ...refusal,
    };
    const take = async () => {
      if (way === 'applied at once') return takeReceipts(test.db, [receipt]);
      return applyReceipts(test.db, { kind: 'ids', ids: await storeReceipts(test.db, [receipt]) });
    };
    expect((await take()).webhooks.map(({ id }) => id)).toContain(webhookId);
    expect((await claimOne(test.db, tenant)).state).toBe('opted-out');
    expect(await history(test.db)).toEqual(['15550001000 opted-out provider']);

    await test.db.updateTable('messages').set({ sent_at: new Date() }).where('id', '=', messageId).execute();
    await storeConsents(test.db, [consent(tenant, 'opted-in')]);
    await take();
    expect((await claimOne(test.db, tenant)).state).toBe('call');
  },
);

test('only a change of the status has history, an event and a delivery', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const webhookId = await makeWebhook(test.db, tenant.tenantId, { events: ['contact.opted-out'] });
  await makeWebhook(test.db, tenant.tenantId);
  const twice = [consent(tenant, 'opted-out'), consent(tenant, 'opted-out', { recipient: '15550001000' })];
  expect(await storeConsents(test.db, twice)).toEqual([{ id: webhookId, lane: 'fast' }]);
  expect(await storeConsents(test.db, [consent(tenant, 'opted-out', { source: 'provider' })])).toEqual([]);
  expect(await storeConsents(test.db, [consent(tenant, 'opted-in', { source: 'api' })])).toEqual([]);
  expect(await history(test.db)).toEqual(['15550001000 opted-out keyword', '15550001000 opted-in api']);
  const [stopped, started] = await told(test.db);
  expect(stopped).toEqual({
    event: 'contact.opted-out',
    messageId: null,
    id: expect.stringMatching(/^evt_/),
    tenantId: `ten_${tenant.tenantId}`,
    channelAccountId: tenant.accountId,
    provider: 'sms',
    to: ada,
    source: 'keyword',
    occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
    sequence: null,
  });
  expect(started).toMatchObject({ event: 'contact.opted-in', source: 'api' });
  expect(await test.db.selectFrom('delivery_due').select('webhook_id').execute()).toEqual([
    { webhook_id: webhookId },
  ]);
});

test('an opt-out and an opt-in are obeyed beside a process of the version before, which knows suppressions only', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const state = async () => (await claimOne(test.db, tenant)).state;
  await storeConsents(test.db, [consent(tenant, 'opted-out')]);
  await sql`delete from suppressions`.execute(test.db);
  await storeConsents(test.db, [consent(tenant, 'opted-out')]);
  expect(await state()).toBe('opted-out');
  await storeConsents(test.db, [consent(tenant, 'opted-in')]);
  await sql`insert into suppressions (account_id, recipient) values (${tenant.accountId}, '15550001000')`.execute(
    test.db,
  );
  await storeConsents(test.db, [consent(tenant, 'opted-in')]);
  expect(await state()).toBe('call');
  expect(await history(test.db)).toEqual(['15550001000 opted-out keyword', '15550001000 opted-in keyword']);
});

test('consents in one batch keep their order', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const bob = { recipient: '+15550002000' };
  await storeConsents(test.db, [
    consent(tenant, 'opted-out'),
    consent(tenant, 'opted-in', bob),
    consent(tenant, 'opted-in'),
    consent(tenant, 'opted-out'),
  ]);
  expect((await history(test.db)).filter((row) => row.startsWith('15550001000'))).toEqual([
    '15550001000 opted-out keyword',
    '15550001000 opted-in keyword',
    '15550001000 opted-out keyword',
  ]);
  expect(await isInStep(test.db)).toBe(true);
});

test('a start word of a recipient who has not opted out is an ordinary word', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await storeConsents(test.db, [consent(tenant, 'opted-in')]);
  expect(await test.db.selectFrom('consents').selectAll().execute()).toEqual([]);
  await sql`insert into suppressions (account_id, recipient) values (${tenant.accountId}, '15550001000')`.execute(
    test.db,
  );
  await storeConsents(test.db, [consent(tenant, 'opted-in')]);
  expect((await claimOne(test.db, tenant)).state).toBe('call');
  expect(await history(test.db)).toEqual(['15550001000 opted-in keyword']);
  const other = { recipient: '+15550002000', source: 'provider' } as const;
  await storeConsents(test.db, [consent(tenant, 'opted-in', other)]);
  expect((await told(test.db)).map(({ to }) => to)).toEqual([ada, other.recipient]);
});

test('what a recipient said earlier is ignored when it arrives later', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const said = (status: ConsentStatus, seconds: number | null) =>
    consent(tenant, status, {
      source: 'provider',
      saidAt: seconds === null ? null : new Date(1_000_000 + seconds * 1_000),
    });
  const state = async () => (await claimOne(test.db, tenant)).state;
  await storeConsents(test.db, [said('opted-in', 2)]);
  await storeConsents(test.db, [said('opted-out', 1)]);
  expect(await state()).toBe('call');
  // A repeated word is newer, though it changes nothing. At the same second, the order of arrival counts.
  await storeConsents(test.db, [said('opted-in', 4), said('opted-out', 3)]);
  expect(await state()).toBe('call');
  await storeConsents(test.db, [said('opted-out', 4)]);
  expect(await state()).toBe('opted-out');
  await storeConsents(test.db, [said('opted-in', null)]);
  expect(await state()).toBe('call');
  await storeConsents(test.db, [said('opted-out', 3)]);
  expect(await state()).toBe('call');
});

test('a time in the future does not outlast what the recipient says next', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await storeConsents(test.db, [
    consent(tenant, 'opted-in', { source: 'provider', saidAt: new Date(Date.now() + 1_000_000_000) }),
  ]);
  await storeConsents(test.db, [consent(tenant, 'opted-out', { saidAt: new Date(Date.now() + 60_000) })]);
  expect((await claimOne(test.db, tenant)).state).toBe('opted-out');
});

test('an opt-in that waits for an opt-out lifts it', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await storeConsents(test.db, [consent(tenant, 'opted-in', { source: 'api' })]);
  const holder = await test.db.startTransaction().execute();
  await sql`select from consents for update`.execute(holder);
  const stop = storeConsents(test.db, [consent(tenant, 'opted-out')]);
  await waitingFor(test.db, 1);
  const start = storeConsents(test.db, [consent(tenant, 'opted-in')]);
  await waitingFor(test.db, 2);
  await holder.commit().execute();
  await Promise.all([stop, start]);
  expect(await isInStep(test.db)).toBe(true);
  expect(await history(test.db)).toEqual([
    '15550001000 opted-in api',
    '15550001000 opted-out keyword',
    '15550001000 opted-in keyword',
  ]);
});

async function waitingFor(db: Db, count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows[0]!.waiting >= count) return;
    await delay(5);
  }
}

test('any order of consents at once leaves claims and records in step', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const status = (): ConsentStatus => (Math.random() < 0.5 ? 'opted-out' : 'opted-in');
  const recipient = (): string => `+1555000100${Math.floor(Math.random() * 3)}`;
  const some = () => Array.from({ length: 3 }, () => consent(tenant, status(), { recipient: recipient() }));
  const storeMany = async () => {
    for (let round = 0; round < 40; round += 1) await storeConsents(test.db, some());
  };
  await Promise.all(Array.from({ length: 8 }, storeMany));
  expect(await isInStep(test.db)).toBe(true);
  const { rows } = await sql<{ same: number }>`
    select count(*)::int as same from (
      select status = lag(status) over (partition by recipient order by id) as repeats from consent_changes
    ) changes where repeats`.execute(test.db);
  expect(rows[0]!.same).toBe(0);
});

test('a phone number has one key, however it is written, in JavaScript as in SQL', async () => {
  await using test = await testDatabase();
  for (const channel of ['sms', 'whatsapp', 'telegram'] as const) {
    for (const recipient of ['+15550001000', '15550001000', '++1555', '-100123', '@ada_l', '123@lid', '']) {
      const { rows } = await sql<{ key: string }>`
        select ${recipientKey('a', 'm')} as key
        from (select ${recipient}::text as recipient) m, (select ${channel}::text as channel) a`.execute(
        test.db,
      );
      expect(rows[0]!.key).toBe(contactKey(channel, recipient));
    }
  }
});

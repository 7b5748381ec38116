import type { Cut, Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { settleMessages, type Settlement } from '@notify/db/dispatch';
import { acceptMessages } from '@notify/db/messages';
import { testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { dispatchTurn, scripted, scriptedTenant, testDeps, testSecrets } from './scripted.ts';

const accepted: Outcome = { kind: 'accepted', externalId: null };
const noSignal = new AbortController().signal;

async function send(db: Db, tenant: TestTenant, count = 1, changes = {}): Promise<string[]> {
  const rules = { idempotencyDays: 7, blockExpiredTrials: false };
  const items = Array.from({ length: count }, () => textItem(tenant, changes));
  const { results } = await acceptMessages(db, items, rules);
  return results.map((result) => (result.kind === 'accepted' ? result.message.id : result.kind));
}

/** Accepts everything, and counts how many calls are under way at once. */
function countCalls() {
  let running = 0;
  const crowd = {
    most: 0,
    async answer(): Promise<Outcome> {
      running += 1;
      crowd.most = Math.max(crowd.most, running);
      await new Promise(setImmediate);
      running -= 1;
      return accepted;
    },
  };
  return crowd;
}

const statuses = async (db: Db) =>
  (
    await sql<{ line: string }>`
      select status || coalesce(' ' || error_code, '') || ' ' || count(*) as line
      from messages group by status, error_code order by 1`.execute(db)
  ).rows.map((row) => row.line);

test('one turn sends everything that is due, with as many calls at once as the provider takes', async () => {
  await using test = await testDatabase();
  const crowd = countCalls();
  const provider = scripted(() => crowd.answer());
  const tenant = await scriptedTenant(test.db, testSecrets);
  const ids = await send(test.db, tenant, 120);
  const deps = testDeps(test.db, provider, { maxInFlightOf: new Map([[tenant.accountId, 5]]) });
  await dispatchTurn(tenant.accountId, deps, noSignal);
  expect(provider.ledger.map((request) => request.messageId).sort()).toEqual(ids.sort());
  expect(await statuses(test.db)).toEqual(['sent 120']);
  expect(crowd.most).toBe(5);
});

test('a template is sent whole, however long its text is', async () => {
  await using test = await testDatabase();
  const { adapter, ledger } = scripted(() => accepted);
  const tenant = await scriptedTenant(test.db, testSecrets);
  const body = { template: { name: 'sale', language: 'en' }, text: 'ab' };
  await send(test.db, tenant, 1, { type: 'template', body });
  const splitting = { ...adapter, split: () => ({ texts: ['a', 'b'], segments: 2 }) };
  await dispatchTurn(tenant.accountId, testDeps(test.db, { adapter: splitting, ledger }), noSignal);
  expect(ledger).toMatchObject([{ type: 'template', body, text: null, part: 0, parts: 1 }]);
  expect(await statuses(test.db)).toEqual(['sent 1']);
});

test('two turns of one account forced to run at once send nothing twice', async () => {
  await using test = await testDatabase();
  const provider = scripted(() => accepted);
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant, 300);
  const deps = testDeps(test.db, provider);
  await Promise.all([1, 2, 3].map(() => dispatchTurn(tenant.accountId, deps, noSignal)));
  expect(new Set(provider.ledger.map((request) => request.messageId)).size).toBe(300);
  expect(provider.ledger).toHaveLength(300);
  expect(await statuses(test.db)).toEqual(['sent 300']);
});

test('a turn that is asked to end finishes what is in flight and claims nothing more', async () => {
  await using test = await testDatabase();
  const stopping = new AbortController();
  const provider = scripted(async () => {
    stopping.abort();
    return accepted;
  });
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant, 50);
  await dispatchTurn(tenant.accountId, testDeps(test.db, provider), stopping.signal);
  expect(provider.ledger.length).toBeLessThanOrEqual(6);
  expect(await statuses(test.db)).toEqual([
    `queued ${50 - provider.ledger.length}`,
    `sent ${provider.ledger.length}`,
  ]);
});

test('the attempt stands in the database before the provider is called', async () => {
  await using test = await testDatabase();
  let seen: unknown;
  const provider = scripted(async (request) => {
    seen = await test.db
      .selectFrom('dispatch_due')
      .select(['attempts', 'attempt_began_at', 'claimed_until'])
      .where('message_id', '=', request.messageId)
      .executeTakeFirst();
    return accepted;
  });
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant);
  await dispatchTurn(tenant.accountId, testDeps(test.db, provider), noSignal);
  expect(seen).toEqual({ attempts: 1, attempt_began_at: expect.any(Date), claimed_until: expect.any(Date) });
});

const unknown: Outcome = { kind: 'unknown', text: 'timeout' };

test.each([
  ['at-least-once', 2, ['failed outcome-unknown 1'], true],
  ['at-most-once', 1, ['failed outcome-unknown 1'], false],
])(
  'an outcome that stays unknown under %s is sent %i time(s) in all',
  async (policy, calls, ending, duplicate) => {
    await using test = await testDatabase();
    const provider = scripted(() => unknown);
    const tenant = await scriptedTenant(test.db, testSecrets, { onUnknownOutcome: policy });
    const [id] = await send(test.db, tenant);
    for (let turn = 0; turn < 4; turn += 1)
      await dispatchTurn(tenant.accountId, testDeps(test.db, provider), noSignal);
    expect(provider.ledger).toHaveLength(calls);
    expect(await statuses(test.db)).toEqual(ending);
    const message = await test.db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', id!)
      .executeTakeFirstOrThrow();
    expect(message.possible_duplicate).toBe(duplicate);
  },
);

test('where the provider reports back, a receipt is awaited before anything is sent again', async () => {
  await using test = await testDatabase();
  const provider = scripted((_, count) => (count === 1 ? unknown : accepted), { reportsDelivery: true });
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant);
  const deps = testDeps(test.db, provider);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  expect(provider.ledger).toHaveLength(1);
  await sql`update dispatch_due set due_at = now()`.execute(test.db);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  expect(provider.ledger).toHaveLength(2);
  expect(await statuses(test.db)).toEqual(['sent 1']);
});

test('an adapter that throws is a bug: the outcome is unknown, never guessed', async () => {
  await using test = await testDatabase();
  const provider = scripted(() => {
    throw new Error('bug');
  });
  const tenant = await scriptedTenant(test.db, testSecrets, { onUnknownOutcome: 'at-most-once' });
  await send(test.db, tenant);
  const deps = testDeps(test.db, provider);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  expect(await statuses(test.db)).toEqual(['failed outcome-unknown 1']);
  expect(deps.errors).toHaveLength(1);
});

test('settings that cannot be opened hold the messages and ask the tenant to act', async () => {
  await using test = await testDatabase();
  const provider = scripted(() => accepted);
  const tenant = await scriptedTenant(test.db, testSecrets);
  await test.db.updateTable('channel_accounts').set({ settings: 'v1.broken' }).execute();
  await send(test.db, tenant);
  await dispatchTurn(tenant.accountId, testDeps(test.db, provider), noSignal);
  expect(provider.ledger).toEqual([]);
  expect(await statuses(test.db)).toEqual(['queued 1']);
  const account = await test.db.selectFrom('channel_accounts').selectAll().executeTakeFirstOrThrow();
  expect(account.status).toBe('action-required');
});

test('a text that the adapter splits goes out part by part, each once, under one message', async () => {
  await using test = await testDatabase();
  const provider = scripted((request) => ({ kind: 'accepted', externalId: `ext-${request.part}` }));
  const adapter = { ...provider.adapter, split: (text: string) => ({ texts: text.split('|'), segments: 3 }) };
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant, 1, { body: { text: 'a|b|c' } });
  for (let turn = 0; turn < 3; turn += 1)
    await dispatchTurn(tenant.accountId, testDeps(test.db, { ...provider, adapter }), noSignal);
  expect(provider.ledger.map((request) => [request.part, request.text])).toEqual([
    [0, 'a'],
    [1, 'b'],
    [2, 'c'],
  ]);
  const message = await test.db.selectFrom('messages').selectAll().executeTakeFirstOrThrow();
  expect(message).toMatchObject({ status: 'sent', external_id: 'ext-0', segments: 3, parts: 3 });
});

/** Cuts into words under the readable cut, and into pairs of characters under the full one. */
const byCut = (text: string, _: unknown, cut: Cut) => ({
  texts: cut === 'readable' ? text.split(' ') : (text.match(/.{1,2}/g) ?? []),
  segments: null,
});

test.each([
  ['by a version that filled each part', 1, [' t', 'wo']],
  ['by this version', 1_001, ['two']],
])('a message that was half sent %s goes on under the cut of its first part', async (_, stored, rest) => {
  await using test = await testDatabase();
  const provider = scripted(() => accepted);
  const adapter = { ...provider.adapter, split: byCut };
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant, 1, { body: { text: stored === 1 ? 'on two' : 'one two' } });
  await sql`update dispatch_due set part = ${stored}`.execute(test.db);
  for (let turn = 0; turn < 2; turn += 1)
    await dispatchTurn(tenant.accountId, testDeps(test.db, { ...provider, adapter }), noSignal);
  expect(provider.ledger.map(({ text }) => text)).toEqual(rest);
  expect(await statuses(test.db)).toEqual(['sent 1']);
});

test('progress under the readable cut is stored so that a version before cannot go on in it', async () => {
  await using test = await testDatabase();
  const outcomes: Outcome[] = [accepted, { kind: 'retry', errorCode: 'provider-error', text: 'busy' }];
  const provider = scripted((_, count) => outcomes[count - 1] ?? accepted);
  const adapter = { ...provider.adapter, split: byCut };
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant, 1, { body: { text: 'one two' } });
  for (let turn = 0; turn < 2; turn += 1)
    await dispatchTurn(tenant.accountId, testDeps(test.db, { ...provider, adapter }), noSignal);
  expect(provider.ledger.map(({ text }) => text)).toEqual(['one', 'two']);
  const due = await test.db.selectFrom('dispatch_due').select('part').executeTakeFirstOrThrow();
  expect(due.part).toBe(1_001);
});

test('a caption that is too long goes on as a text, in the topic of the message', async () => {
  await using test = await testDatabase();
  const provider = scripted(() => accepted);
  const { media: _, ...blind } = provider.adapter;
  const adapter = { ...blind, splitCaption: (caption: string) => caption.split(' ') };
  const tenant = await scriptedTenant(test.db, testSecrets);
  const body = { type: 'image', url: 'https://example.com/a.png', caption: 'one two' };
  await send(test.db, tenant, 1, { type: 'image', body });
  await send(test.db, tenant, 1, { type: 'image', body: { ...body, telegram: { format: 'html' } } });
  for (let turn = 0; turn < 2; turn += 1)
    await dispatchTurn(tenant.accountId, testDeps(test.db, { ...provider, adapter }), noSignal);
  const sent = provider.ledger.map(({ type, part, parts, text }) => ({ type, part, parts, text }));
  expect(sent.filter(({ parts }) => parts === 2)).toEqual([
    { type: 'image', part: 0, parts: 2, text: null },
    { type: 'text', part: 1, parts: 2, text: 'two' },
  ]);
  expect(sent.filter(({ parts }) => parts === 1)).toEqual([{ type: 'image', part: 0, parts: 1, text: null }]);
  expect(await statuses(test.db)).toEqual(['sent 2']);
});

test('a settlement whose commit was not confirmed, made again, ends no attempt but its own', async () => {
  await using test = await testDatabase();
  const settled: Settlement[] = [];
  // The second part is under way by then, claimed by the same turn.
  const provider = scripted(
    async (_request, count) => {
      if (count === 2) await settleMessages(test.db, settled.slice(0, 1));
      return accepted;
    },
    { maxInFlight: 1 },
  );
  const adapter = { ...provider.adapter, split: (text: string) => ({ texts: text.split('|'), segments: 2 }) };
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant, 1, { body: { text: 'one|two' } });
  const settle = async (settlement: Settlement) => {
    settled.push(settlement);
    await settleMessages(test.db, [settlement]);
  };
  await dispatchTurn(tenant.accountId, testDeps(test.db, { ...provider, adapter }, { settle }), noSignal);
  expect(provider.ledger.map((request) => request.text)).toEqual(['one', 'two']);
  expect(settled.map(({ part }) => part)).toEqual([0, 1]);
  expect(await statuses(test.db)).toEqual(['sent 1']);
});

test('what waits for a removed account fails in its next turn', async () => {
  await using test = await testDatabase();
  const provider = scripted(() => accepted);
  const tenant = await scriptedTenant(test.db, testSecrets);
  await send(test.db, tenant, 3);
  await test.db.updateTable('channel_accounts').set({ deleted_at: new Date() }).execute();
  await dispatchTurn(tenant.accountId, testDeps(test.db, provider), noSignal);
  expect(provider.ledger).toEqual([]);
  expect(await statuses(test.db)).toEqual(['failed channel-account-removed 3']);
});

test('no more calls run at once than the process allows, over all accounts', async () => {
  await using test = await testDatabase();
  const crowd = countCalls();
  const provider = scripted(() => crowd.answer());
  const tenants = await Promise.all(Array.from({ length: 10 }, () => scriptedTenant(test.db, testSecrets)));
  for (const tenant of tenants) await send(test.db, tenant, 20);
  const deps = testDeps(test.db, provider);
  // Turns that wait for each other's calls end after a while, and are followed by others.
  while (provider.ledger.length < 200)
    await Promise.all(tenants.map((tenant) => dispatchTurn(tenant.accountId, deps, noSignal)));
  expect(await statuses(test.db)).toEqual(['sent 200']);
  expect(crowd.most).toBeLessThanOrEqual(20);
  expect(deps.calls.inUse).toBe(0);
});

test('a recipient who opted out is not called again: later messages fail at once', async () => {
  await using test = await testDatabase();
  const provider = scripted(() => ({ kind: 'rejected', errorCode: 'recipient-opted-out', text: '21610' }));
  const tenant = await scriptedTenant(test.db, testSecrets);
  const deps = testDeps(test.db, provider);
  await send(test.db, tenant);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  await send(test.db, tenant, 3);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  expect(provider.ledger).toHaveLength(1);
  expect(await statuses(test.db)).toEqual(['failed recipient-opted-out 4']);
});

test('messages to one recipient keep the interval that the provider asks for, others do not wait for them', async () => {
  await using test = await testDatabase();
  const provider = scripted(() => accepted);
  const adapter = { ...provider.adapter, pace: () => ({ perSecond: 1_000, recipientIntervalMs: 60_000 }) };
  const tenant = await scriptedTenant(test.db, testSecrets);
  const deps = testDeps(test.db, { ...provider, adapter });
  await send(test.db, tenant, 3);
  await send(test.db, tenant, 1, { to: '+15550002000' });
  for (let turn = 0; turn < 3; turn += 1) await dispatchTurn(tenant.accountId, deps, noSignal);
  expect(provider.ledger.map((request) => request.to).sort()).toEqual(['+15550001000', '+15550002000']);
  expect(deps.calls.inUse).toBe(0);
});

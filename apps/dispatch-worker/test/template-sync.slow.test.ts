import { randomBytes } from 'node:crypto';
import type { Adapter, TemplateList } from '@notify/channels';
import type { Template } from '@notify/core';
import { settingsPlace } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { askForSync, listTemplates, readSyncState, type SyncState } from '@notify/db/templates';
import type { HttpClient } from '@notify/egress';
import { createLog, createSecrets } from '@notify/runtime';
import { addAccount, makeTenant, testDatabase, type TestDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { startTemplateSync } from '../src/template-sync.ts';

let database: TestDatabase;
let running: { close(): Promise<void> }[];
beforeEach(async () => {
  running = [];
  database = await testDatabase();
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.close()));
  await database[Symbol.asyncDispose]();
});

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
const noHttp: HttpClient = {
  request: () => Promise.reject(new Error('no network in this test')),
  stream: () => Promise.reject(new Error('no network in this test')),
  close: async () => undefined,
};
const forever = new Promise<never>(() => undefined);

/** A provider that answers with what the settings name, and counts how often it is asked for them. */
function provider(
  id: string,
  answer: (settings: { readonly answer: string }) => Promise<TemplateList>,
): Adapter & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id,
    channel: 'whatsapp',
    name: id,
    baseUrl: null,
    capabilities: {
      media: false,
      reportsDelivery: false,
      reportsRead: false,
      repeatIsSafe: false,
      callbacks: false,
      maxInFlight: 1,
      callDeadlineMs: 1_000,
    },
    settings: { type: 'object', properties: {} } as Adapter['settings'],
    send: async () => ({ kind: 'accepted', externalId: null }),
    verify: async () => ({ ok: true, detail: '' }),
    listTemplates({ settings }) {
      asked.push((settings as { answer: string }).answer);
      return answer(settings as { answer: string });
    },
    asked,
  };
}

function template(name: string, changes: Partial<Template> = {}): Template {
  return {
    name,
    language: 'en',
    label: null,
    category: null,
    status: 'approved',
    reason: null,
    named: false,
    header: null,
    body: { text: 'Hello', variables: [] },
    footer: null,
    buttons: [],
    ...changes,
  };
}

async function account(id: string, answer: string): Promise<string> {
  return due(await makeTenant(database.db, { channel: 'whatsapp', provider: id }), answer);
}

async function due({ tenantId, accountId }: Omit<TestTenant, 'keyId'>, answer: string): Promise<string> {
  const { db } = database;
  const sealed = JSON.stringify({ settings: { answer }, callbackSecret: 'secret' });
  const settings = answer === 'unreadable' ? 'x' : secrets.seal(sealed, settingsPlace(tenantId, accountId));
  await db.updateTable('channel_accounts').set({ settings }).where('id', '=', accountId).execute();
  await askForSync(db, accountId, 0);
  return accountId;
}

function start(...adapters: Adapter[]): void {
  const sync = startTemplateSync({
    db: database.db,
    log: createLog({ logLevel: 'silent' }, 'dispatch-worker'),
    secrets,
    http: { of: () => noHttp, close: async () => undefined },
    providerUrls: [],
    adapters: new Map(adapters.map((adapter) => [adapter.id, adapter])),
  });
  running.push(sync);
}

async function ended(accountId: string): Promise<SyncState> {
  for (;;) {
    const state = await readSyncState(database.db, accountId);
    if (state !== null && (state.syncedAt !== null || state.failedAt !== null)) return state;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function namesOf(db: Db, accountId: string): Promise<string[]> {
  return (await listTemplates(db, accountId, { after: null, limit: 100 })).map(({ name }) => name);
}

test('every account is read once, however many processes look', async () => {
  const meta = provider('meta', async ({ answer }) => ({ kind: 'listed', templates: [template(answer)] }));
  const answers = Array.from({ length: 20 }, (_, index) => `t${index}`);
  const ids = await Promise.all(answers.map((answer) => account('meta', answer)));
  for (let process = 0; process < 3; process += 1) start(meta);
  await Promise.all(ids.map(ended));
  expect(meta.asked.toSorted()).toEqual(answers.toSorted());
  for (const [index, id] of ids.entries()) expect(await namesOf(database.db, id)).toEqual([answers[index]]);
});

test('a failure keeps the stored templates and says why', async () => {
  const results: (() => TemplateList)[] = [
    () => ({ kind: 'listed', templates: [template('a')] }),
    () => ({ kind: 'failed', refused: true, detail: 'The token\u0000 has expired.' }),
  ];
  const meta = provider('meta', async () => results.shift()!());
  const id = await account('meta', 'x');
  start(meta);
  await ended(id);
  await sql`update account_template_syncs set synced_at = null, due_at = now()`.execute(database.db);
  expect(await ended(id)).toMatchObject({ failure: 'The token has expired.' });
  expect(await namesOf(database.db, id)).toEqual(['a']);
});

test.each<[string, (answer: string) => Promise<TemplateList>, string]>([
  ['unreadable', () => forever, 'The settings cannot be decrypted. Enter them again.'],
  [
    'throws',
    () => Promise.reject(new Error('bug')),
    'Reading the templates failed with an unexpected error.',
  ],
  [
    'too many',
    async () => ({
      kind: 'listed',
      templates: Array.from({ length: 10_001 }, (_, at) => template(`t${at}`)),
    }),
    'The account has more than 10000 templates.',
  ],
])('an account whose provider is %s', async (answer, list, failure) => {
  const id = await account('meta', answer);
  start(provider('meta', () => list(answer)));
  expect(await ended(id)).toMatchObject({ failure, pending: false });
});

test('what a provider lists is made storable', async () => {
  const listed = [
    template('a', { body: { text: 'nul\u0000 \ud800', variables: [] } }),
    template('a', { status: 'paused' }),
    template('x'.repeat(513)),
    template('b', { reason: 'nul\u0000' }),
  ];
  const id = await account('meta', 'x');
  start(provider('meta', async () => ({ kind: 'listed', templates: listed })));
  await ended(id);
  expect(await listTemplates(database.db, id, { after: null, limit: 9 })).toEqual([
    template('a', { status: 'paused' }),
    template('b', { reason: 'nul' }),
  ]);
});

test('accounts that hang hold up neither their own provider nor another, nor the end of the process', async () => {
  const meta = provider('meta', ({ answer }) =>
    answer === 'hangs' ? forever : Promise.resolve({ kind: 'listed', templates: [] }),
  );
  const twilio = provider('twilio', async () => ({ kind: 'listed', templates: [] }));
  for (let index = 0; index < 3; index += 1) await account('meta', 'hangs');
  const others = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((answer) => account('meta', answer)));
  const another = await account('twilio', 'x');
  start(meta, twilio);
  await Promise.all([...others, another].map(ended));
  // They hang for longer than this test may take.
  expect(await running.pop()!.close()).toBeUndefined();
});

test('a tenant whose accounts all hang leaves a slot to the others', async () => {
  const meta = provider('meta', ({ answer }) =>
    answer === 'hangs' ? forever : Promise.resolve({ kind: 'listed', templates: [] }),
  );
  const busy = await makeTenant(database.db, { channel: 'whatsapp', provider: 'meta' });
  await due(busy, 'hangs');
  for (let count = 0; count < 5; count += 1)
    await due({ ...busy, accountId: await addAccount(database.db, busy) }, 'hangs');
  const others = await Promise.all(['a', 'b', 'c'].map((answer) => account('meta', answer)));
  start(meta);
  await Promise.all(others.map(ended));
  while (meta.asked.filter((answer) => answer === 'hangs').length < 3)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await ended(await account('meta', 'late'))).toMatchObject({ pending: false });
});

test('an account that an older version created is found', async () => {
  const id = await account('meta', 'a');
  await database.db.deleteFrom('account_template_syncs').execute();
  start(provider('meta', async () => ({ kind: 'listed', templates: [template('a')] })));
  await ended(id);
  expect(await namesOf(database.db, id)).toEqual(['a']);
});

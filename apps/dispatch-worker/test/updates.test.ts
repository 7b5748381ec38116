import { randomBytes } from 'node:crypto';
import { type Adapter, adapters, openProviderHttp, type ReadUpdates } from '@notify/channels';
import { settingsPlace } from '@notify/db/accounts';
import { makeSourceDue } from '@notify/db/updates';
import { createLog, createSecrets } from '@notify/runtime';
import {
  makeTenant,
  startTelegramPeer,
  type TelegramPeer,
  testDatabase,
  type TestDatabase,
} from '@notify/testkit';
import { sql } from 'kysely';
import { type SourceLimits, startUpdates } from '../src/updates/updates.ts';
import type { UpdatesDeps } from '../src/updates/deps.ts';

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
const telegramBot = adapters.get('telegram-bot')!;
const publicUrl = 'https://notify.example';

let database: TestDatabase;
let peer: TelegramPeer;
let running: { close(): Promise<void> }[];
beforeEach(async () => {
  running = [];
  [database, peer] = await Promise.all([testDatabase(), startTelegramPeer()]);
  // Posts get lost there; only who is told where to post matters here.
  peer.updates.route('https://', 'http://127.0.0.1:1/');
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.close()));
  await peer.stop();
  await database[Symbol.asyncDispose]();
});

interface Bot {
  readonly accountId: string;
  readonly tenantId: string;
}

async function setSettings({ tenantId, accountId }: Bot, settings: object): Promise<void> {
  const sealed = JSON.stringify({ settings: { ...peer.settings, ...settings }, callbackSecret: 'a-secret' });
  await database.db
    .updateTable('channel_accounts')
    .set({ settings: secrets.seal(sealed, settingsPlace(tenantId, accountId)) })
    .where('id', '=', accountId)
    .execute();
}

async function connect(settings: object = {}): Promise<Bot> {
  const bot = await makeTenant(database.db, { channel: 'telegram', provider: 'telegram-bot' });
  await setSettings(bot, settings);
  await makeSourceDue(database.db, bot.accountId);
  return bot;
}

/** A worker, as far as updates go. */
function start(changes: Partial<UpdatesDeps> = {}, limits: Partial<SourceLimits> = {}) {
  const http = openProviderHttp({ allowPrivate: true, allow: [], proxy: null, userAgent: 'test' }, []);
  const updates = startUpdates(
    {
      db: database.db,
      log: createLog({ logLevel: 'silent' }, 'dispatch-worker'),
      secrets,
      adapters: new Map([['telegram-bot', telegramBot]]),
      updatesHttp: http,
      providerUrls: [{ provider: 'telegram-bot', url: peer.url }],
      publicUrl: null,
      wakeWebhooks: () => undefined,
      ...changes,
    },
    limits,
  );
  const worker = {
    async close() {
      await updates.close();
      await http.close();
    },
  };
  running.push(worker);
  return worker;
}

async function until<Value>(
  look: () => Value | Promise<Value>,
  is: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await look();
    if (is(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const received = async (): Promise<unknown[]> => {
  const { rows } = await sql<{ text: unknown }>`
    select coalesce(body->>'text', type) as text from messages where received_at is not null order by id`.execute(
    database.db,
  );
  return rows.map(({ text }) => text);
};

const sourceOf = ({ accountId }: Bot) =>
  database.db.selectFrom('update_sources').selectAll().where('account_id', '=', accountId).executeTakeFirst();

/** Waits until a worker has left the account alone for a while after a fault. */
const untilGivenUp = (bot: Bot) =>
  until(
    async () => (await sourceOf(bot))!,
    ({ holder, due_at: dueAt }) => holder === null && Number(dueAt) - Date.now() > 30_000,
  );

const reads = () => until(() => peer.updates.isPolled(), Boolean);
const confirmed = () => peer.updates.history().filter((one) => one.confirmed).length;

describe('without a public address', () => {
  test('messages are read, stored once and confirmed', async () => {
    await connect();
    for (let index = 0; index < 3; index += 1) peer.people.write(1_000 + index, `before ${index}`);
    start();
    await until(received, (texts) => texts.length === 3);
    peer.people.write(1_000, 'after');
    expect(await until(received, (texts) => texts.length === 4)).toEqual([
      'before 0',
      'before 1',
      'before 2',
      'after',
    ]);
    await until(confirmed, (count) => count === 4);
    expect(peer.updates.history().map(({ read }) => read)).toEqual([1, 1, 1, 1]);
  });

  test('http is no public address for Telegram', async () => {
    const bot = await connect();
    start({ publicUrl: 'http://notify.example' });
    await reads();
    expect(await sourceOf(bot)).toMatchObject({ mode: 'poll', url: null, detail: null });
  });

  test('an address that Telegram refuses: read, and said so', async () => {
    const bot = await connect();
    start({ publicUrl: 'https://notify.internal' });
    await reads();
    const { detail } = await until(
      async () => (await sourceOf(bot))!,
      (row) => row.detail !== null,
    );
    expect(detail).toMatch(/refuses PUBLIC_URL.*resolve host/);
    expect(detail).not.toContain('a-secret');
  });

  test('one worker at a time reads, and hands over when it ends', async () => {
    await connect();
    const first = start();
    await reads();
    start();
    start();
    peer.people.write(1_000, 'to the first');
    await until(received, (texts) => texts.length === 1);
    await first.close();
    peer.people.write(1_000, 'to another');
    const beganAt = performance.now();
    await until(received, (texts) => texts.length === 2);
    expect(performance.now() - beganAt).toBeLessThan(5_000);
    expect(peer.updates.conflicts()).toBe(0);
  });

  test('more accounts than slots take turns', async () => {
    const bots = [await connect(), await connect(), await connect()];
    const asked = new Map<string, number>();
    const updates = {
      ...telegramBot.updates!,
      async read(_: unknown, { settings }: { settings: unknown }): Promise<ReadUpdates> {
        const { name } = settings as { name: string };
        asked.set(name, (asked.get(name) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 50));
        return {
          kind: 'read',
          inbound: [],
          moved: [],
          consents: [],
          next: null,
          acknowledge: async () => undefined,
        };
      },
    };
    for (const [index, bot] of bots.entries()) await setSettings(bot, { name: `bot ${index}` });
    start({ adapters: new Map([['telegram-bot', { ...telegramBot, updates } as Adapter]]) }, { slots: 1 });
    const count = await until(
      () => asked.size,
      (size) => size === 3,
    );
    expect(count).toBe(3);
  });

  test('faults of Telegram are overcome', async () => {
    const bot = await connect();
    start();
    await reads();
    peer.updates.fail(2);
    const { updateId } = peer.people.write(1_000, 'ends the open question');
    peer.people.write(1_000, 'Hello');
    expect(await until(received, (texts) => texts.length === 2)).toEqual(['ends the open question', 'Hello']);
    await until(confirmed, (count) => count === 2);
    expect(peer.updates.history()[0]).toMatchObject({ id: updateId, read: 1 });
    expect(await sourceOf(bot)).toMatchObject({ mode: 'poll', detail: null });
  });

  test('a fault at the beginning is shown, and looked at again soon', async () => {
    const bot = await connect();
    peer.updates.fail(1);
    start();
    const { detail, due_at: dueAt } = await until(
      async () => (await sourceOf(bot))!,
      (row) => row.detail !== null,
    );
    expect(detail).toMatch(/^Messages to the account are not received: 500/);
    expect(Number(dueAt) - Date.now()).toBeLessThan(20_000);
  });

  test('a person who blocks the bot opts out, and back in', async () => {
    const { accountId } = await connect();
    start();
    peer.people.block(1_000);
    const optedOut = async () =>
      (
        await database.db.selectFrom('suppressions').where('account_id', '=', accountId).selectAll().execute()
      ).map(({ recipient }) => recipient);
    expect(await until(optedOut, (all) => all.length > 0)).toEqual(['1000']);
    peer.people.unblock(1_000);
    await until(optedOut, (all) => all.length === 0);
  });

  test('a group that became a supergroup goes on under its new id', async () => {
    await connect();
    start();
    peer.people.write(-99, 'in the group');
    peer.people.migrate(-99, -1_000_099);
    peer.people.write(-1_000_099, 'in the supergroup');
    await until(received, (texts) => texts.length === 2);
    const { rows } = await sql`select address, (
      select count(*)::int from conversation_messages where conversation_id = c.id) as messages
      from conversations c`.execute(database.db);
    expect(rows).toEqual([{ address: '-1000099', messages: 2 }]);
  });

  test('another bot numbers its messages anew, and none of them is taken for a repeat', async () => {
    const bot = await connect();
    start();
    peer.people.write(1_000, 'to the first bot');
    await until(received, (texts) => texts.length === 1);
    await using other = await startTelegramPeer(0, `220201543:${'B'.repeat(35)}`);
    await running.pop()!.close();
    await setSettings(bot, other.settings);
    await makeSourceDue(database.db, bot.accountId);
    other.people.write(1_000, 'to the second');
    start({ providerUrls: [{ provider: 'telegram-bot', url: other.url }] });
    expect(await until(received, (texts) => texts.length === 2)).toEqual([
      'to the first bot',
      'to the second',
    ]);
    const ids = await database.db.selectFrom('messages').select('external_id').orderBy('id').execute();
    expect(ids[0]).toEqual(ids[1]);
    expect(ids[0]!.external_id).toMatch(/^1000:\d+$/);
  });

  test('a reply names the message that it answers, in its own chat', async () => {
    await connect();
    start();
    const { messageId } = peer.people.write(-1_000_001, 'one');
    expect(peer.people.write(-1_000_002, 'two').messageId).toBe(messageId);
    peer.people.write(-1_000_002, 'answer', { replyTo: messageId });
    await until(received, (texts) => texts.length === 3);
    const { rows } = await sql<{ answered: string }>`
      select q.body->>'text' as answered from messages m join messages q on q.id = m.reply_to`.execute(
      database.db,
    );
    expect(rows).toEqual([{ answered: 'two' }]);
  });

  test('of a message that Postgres refuses for what is in it, the fact that it came is stored', async () => {
    await connect();
    await sql`alter table messages add constraint injected check (body->>'text' is distinct from 'bad')`.execute(
      database.db,
    );
    for (const text of ['one', 'bad', 'two']) peer.people.write(1_000, text);
    start();
    expect(await until(received, (texts) => texts.length === 3)).toEqual(['one', 'unsupported', 'two']);
    await until(confirmed, (count) => count === 3);
  });

  test.each([
    [
      'a table is missing',
      'alter table conversations rename to gone',
      'alter table gone rename to conversations',
    ],
    [
      'no partition takes messages',
      'alter table messages add constraint partition check (false) not valid',
      'alter table messages drop constraint partition',
    ],
  ])('while %s, the messages stay with Telegram', async (_, spoil, mend) => {
    const bot = await connect();
    await sql.raw(spoil).execute(database.db);
    for (const text of ['one', 'two']) peer.people.write(1_000, text);
    start();
    await untilGivenUp(bot);
    expect(confirmed()).toBe(0);
    await sql.raw(mend).execute(database.db);
    await makeSourceDue(database.db, bot.accountId);
    expect(await until(received, (texts) => texts.length === 2)).toEqual(['one', 'two']);
  });

  test.each([
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
    ['a statement timeout', '57014'],
    ['a server that is starting', '57P03'],
  ])('%s is overcome under the same claim', async (_, code) => {
    const bot = await connect();
    await sql`create sequence tries`.execute(database.db);
    await sql
      .raw(
        `create function fail() returns trigger language plpgsql as $$ begin
          if nextval('tries') <= 4 then raise exception 'injected' using errcode = '${code}'; end if;
          return new;
        end $$`,
      )
      .execute(database.db);
    await sql`create trigger injected before insert on messages for each row execute function fail()`.execute(
      database.db,
    );
    start();
    await reads();
    const { holder } = (await sourceOf(bot))!;
    peer.people.write(1_000, 'late');
    expect(await until(received, (texts) => texts.length === 1)).toEqual(['late']);
    expect((await sourceOf(bot))!.holder).toBe(holder);
  });

  test('after an outage of the database the account is looked at again within seconds', async () => {
    const bot = await connect();
    let asked = 0;
    const updates = {
      ...telegramBot.updates!,
      async read(request: { next: string | null; waitMs: number }, context: never) {
        asked += 1;
        if (asked === 1) throw Object.assign(new Error('injected'), { code: '57P01' });
        return telegramBot.updates!.read(request, context);
      },
    };
    start({ adapters: new Map([['telegram-bot', { ...telegramBot, updates } as Adapter]]) });
    const { due_at: dueAt } = await until(
      async () => (await sourceOf(bot))!,
      ({ holder }) => asked === 1 && holder === null,
    );
    expect(Number(dueAt) - Date.now()).toBeLessThan(5_000);
    await reads();
  });

  test('a fault of our own leaves the messages with Telegram', async () => {
    const bot = await connect();
    let isWrong = true;
    const updates = {
      ...telegramBot.updates!,
      async read(request: { next: string | null; waitMs: number }, context: never) {
        const batch = await telegramBot.updates!.read(request, context);
        if (batch.kind !== 'read' || !isWrong) return batch;
        return { ...batch, inbound: batch.inbound.map((one) => ({ ...one, file: { id: 1n } })) };
      },
    };
    for (const text of ['one', 'two']) peer.people.write(1_000, text);
    start({ adapters: new Map([['telegram-bot', { ...telegramBot, updates } as Adapter]]) });
    await untilGivenUp(bot);
    isWrong = false;
    await makeSourceDue(database.db, bot.accountId);
    expect(await until(received, (texts) => texts.length === 2)).toEqual(['one', 'two']);
  });
});

describe('with a public address', () => {
  test('Telegram is told, and nothing is read', async () => {
    const bot = await connect();
    start({ publicUrl });
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode !== null,
    );
    expect(row).toMatchObject({ mode: 'webhook', url: publicUrl, detail: null, holder: null });
    expect(peer.updates.webhook()).toBe(`${publicUrl}/callbacks/telegram-bot/${bot.accountId}/a-secret`);
    expect(Number(row.due_at) - Date.now()).toBeGreaterThan(3_600_000);
  });

  test('another address replaces the earlier one, and none ends it', async () => {
    const bot = await connect();
    start({ publicUrl: 'https://earlier.example' });
    await until(() => peer.updates.webhook(), Boolean);
    await until(async () => (await sourceOf(bot))!.mode, Boolean);
    await running.pop()!.close();
    start({ publicUrl });
    await until(
      () => peer.updates.webhook(),
      (url) => url?.startsWith(publicUrl) === true,
    );
    await until(
      async () => (await sourceOf(bot))!.url,
      (url) => url === publicUrl,
    );
    await running.pop()!.close();
    peer.people.write(1_000, 'waits for the change');
    start();
    await until(received, (texts) => texts.length === 1);
    expect(peer.updates.webhook()).toBeNull();
  });

  test('an account that an older version created is found', async () => {
    const bot = await connect();
    await database.db.deleteFrom('update_sources').execute();
    start({ publicUrl });
    await until(() => peer.updates.webhook(), Boolean);
    expect(await sourceOf(bot)).toBeDefined();
  });
});

describe.each([
  ['a public address', publicUrl],
  ['none', null],
])('other programs, with %s', (_, url) => {
  test('the webhook of another program stays, and the account says what to do', async () => {
    await peer.updates.setWebhook('https://other.example/hook');
    const bot = await connect();
    start({ publicUrl: url });
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode !== null,
    );
    expect(row).toMatchObject({ mode: 'off' });
    expect(row.detail).toMatch(/webhook at other\.example.*ignore/);
    expect(peer.updates.webhook()).toBe('https://other.example/hook');
  });

  test('an account that ignores updates asks for none', async () => {
    const bot = await connect({ updates: 'ignore' });
    peer.people.write(1_000, 'for another program');
    start({ publicUrl: url });
    await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode === 'off',
    );
    expect([peer.updates.webhook(), peer.updates.isPolled()]).toEqual([null, false]);
    expect(peer.updates.history().map(({ read, posted }) => read + posted)).toEqual([0]);
  });

  test('settings that change to ignore, or a removed account, give the bot back', async () => {
    const [kept, removed] = [await connect(), await connect()];
    await database.db
      .updateTable('update_sources')
      .set({ due_at: sql`'infinity'` })
      .where('account_id', '=', removed.accountId)
      .execute();
    start({ publicUrl: url });
    const isOurs = () => peer.updates.webhook() !== null || peer.updates.isPolled();
    await until(isOurs, Boolean);
    await until(async () => (await sourceOf(kept))!.mode, Boolean);
    await setSettings(kept, { updates: 'ignore' });
    await makeSourceDue(database.db, kept.accountId);
    await until(isOurs, (ours) => !ours);
    await makeSourceDue(database.db, removed.accountId);
    await until(isOurs, Boolean);
    await until(async () => (await sourceOf(removed))!.mode, Boolean);
    await database.db
      .updateTable('channel_accounts')
      .set({ deleted_at: sql`now()` })
      .where('id', '=', removed.accountId)
      .execute();
    await makeSourceDue(database.db, removed.accountId);
    await until(isOurs, (ours) => !ours);
    const gone = await until(
      () => sourceOf(removed),
      (row) => row === undefined,
    );
    expect(gone).toBeUndefined();
  });
});

describe('while updates are read', () => {
  test('another reader: it is left alone after a second try', async () => {
    const bot = await connect();
    start();
    await reads();
    const url = `${peer.url}/bot${peer.settings.botToken}/getUpdates`;
    const rival = new AbortController();
    const body = JSON.stringify({ timeout: 50 });
    const headers = { 'content-type': 'application/json' };
    const compete = async (): Promise<void> => {
      while (!rival.signal.aborted)
        await fetch(url, { method: 'POST', headers, body, signal: rival.signal }).catch(() => undefined);
    };
    void compete();
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode === 'off',
    );
    expect(row.detail).toMatch(/Another program reads/);
    rival.abort();
  }, 60_000);

  test('a webhook that another program sets ends it', async () => {
    const bot = await connect();
    start();
    await reads();
    await peer.updates.setWebhook('https://other.example/hook');
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode === 'off',
    );
    expect(row.detail).toMatch(/other\.example/);
  });

  test('a revoked token breaks an account that has never worked', async () => {
    const bot = await connect();
    start();
    await reads();
    peer.revoke(true);
    peer.people.write(1_000, 'ends the question');
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ detail }) => detail !== null,
    );
    expect(row.detail).toMatch(/Is the bot token right/);
    const account = database.db.selectFrom('channel_accounts').selectAll().where('id', '=', bot.accountId);
    expect(await account.executeTakeFirstOrThrow()).toMatchObject({ status: 'action-required' });
  });

  test('new settings end the reading that used the old ones', async () => {
    const bot = await connect();
    start({}, { leaseMs: 600 });
    await reads();
    await setSettings(bot, { updates: 'ignore' });
    await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode === 'off',
    );
    expect(peer.updates.isPolled()).toBe(false);
  });
});

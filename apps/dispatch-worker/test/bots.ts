import { randomBytes } from 'node:crypto';
import { adapters, openProviderHttp } from '@notify/channels';
import { settingsPlace } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import type { Database } from '@notify/db/schema';
import { makeSourceDue } from '@notify/db/updates';
import { createLog, createSecrets } from '@notify/runtime';
import {
  addAccount,
  makeTenant,
  startTelegramPeer,
  type TelegramPeer,
  testDatabase,
  type TestDatabase,
} from '@notify/testkit';
import { type Selectable, sql } from 'kysely';
import { type SourceLimits, startUpdates } from '../src/updates/updates.ts';
import type { UpdatesDeps } from '../src/updates/deps.ts';

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);
export const telegramBot = adapters.get('telegram-bot')!;
export const publicUrl = 'https://notify.example';

/** An account of a bot. */
export interface Bot {
  readonly accountId: string;
  readonly tenantId: string;
}

type Source = Selectable<Database['update_sources']>;

/** A worker, as far as updates go. */
export interface UpdatesWorker {
  close(): Promise<void>;
}

/** Bots of Telegram, and the workers that receive for them. */
export interface Bots {
  /** The database of this test. */
  db(this: void): Db;
  /** The Telegram of this test. */
  telegram(this: void): TelegramPeer;
  setSettings(this: void, bot: Bot, settings: object): Promise<void>;
  /** A bot whose account is due. */
  connect(this: void, settings?: object): Promise<Bot>;
  /** Another bot of the same tenant. */
  connectAnother(this: void, bot: Bot): Promise<Bot>;
  start(this: void, changes?: Partial<UpdatesDeps>, limits?: Partial<SourceLimits>): UpdatesWorker;
  /** Ends the worker that was started last. */
  endNewest(this: void): Promise<void>;
  /** The texts, or else the types, of all messages that were received, in the order of their IDs. */
  received(this: void): Promise<unknown[]>;
  sourceOf(this: void, bot: Bot): Promise<Source | undefined>;
  /** Waits until a worker has left the account alone for a while after a fault. */
  untilGivenUp(this: void, bot: Bot): Promise<Source>;
  /** Waits until a worker asks for updates. */
  reads(this: void): Promise<boolean>;
  /** How many updates were confirmed. */
  confirmed(this: void): number;
}

/** Gives each test of a file a database and a Telegram of its own. */
export function useBots(): Bots {
  let database: TestDatabase;
  let peer: TelegramPeer;
  let running: UpdatesWorker[];
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

  async function setSettings({ tenantId, accountId }: Bot, settings: object): Promise<void> {
    const sealed = JSON.stringify({
      settings: { ...peer.settings, ...settings },
      callbackSecret: 'a-secret',
    });
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

  async function connectAnother(first: Bot): Promise<Bot> {
    const bot = { ...first, accountId: await addAccount(database.db, first) };
    await setSettings(bot, {});
    await makeSourceDue(database.db, bot.accountId);
    return bot;
  }

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

  const received = async (): Promise<unknown[]> => {
    const { rows } = await sql<{ text: unknown }>`
      select coalesce(body->>'text', type) as text from messages where received_at is not null order by id`.execute(
      database.db,
    );
    return rows.map(({ text }) => text);
  };

  const sourceOf = ({ accountId }: Bot) =>
    database.db
      .selectFrom('update_sources')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();

  const untilGivenUp = (bot: Bot) =>
    until(
      async () => (await sourceOf(bot))!,
      ({ holder, due_at: dueAt }) => holder === null && Number(dueAt) - Date.now() > 30_000,
    );

  const reads = () => until(() => peer.updates.isPolled(), Boolean);
  const confirmed = () => peer.updates.history().filter((one) => one.confirmed).length;

  return {
    db: () => database.db,
    telegram: () => peer,
    setSettings,
    connect,
    connectAnother,
    start,
    endNewest: () => running.pop()!.close(),
    received,
    sourceOf,
    untilGivenUp,
    reads,
    confirmed,
  };
}

/** The value, as soon as it satisfies the condition. */
export async function until<Value>(
  look: () => Value | Promise<Value>,
  is: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await look();
    if (is(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

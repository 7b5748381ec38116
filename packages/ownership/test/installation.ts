import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { settingsPlace } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { openWaker } from '@notify/queue';
import { createSecrets, type Secrets } from '@notify/runtime';
import {
  freePort,
  makeTenant,
  type RunningProcess,
  startProcess,
  startQueue,
  testDatabase,
  type TestTenant,
  textItem,
  until,
} from '@notify/testkit';
import { sql } from 'kysely';
import { type Exchange, startExchange } from './exchange.ts';

const lane = 'whatsapp-web';
const main = path.join(import.meta.dirname, 'owner-process.ts');

/** An account that waits for its connection, whose settings are sealed with `secrets`. */
export async function makeAccount(db: Db, secrets: Secrets, password = 'first'): Promise<TestTenant> {
  const tenant = await makeTenant(db);
  await db
    .updateTable('channel_accounts')
    .set({ lane, status: 'connecting', paused_until: sql`'infinity'`, pause_reason: 'new' })
    .where('id', '=', tenant.accountId)
    .execute();
  await changePassword(db, secrets, tenant, password);
  return tenant;
}

/** Gives an account other settings, as its tenant does. */
export async function changePassword(
  db: Db,
  secrets: Secrets,
  { tenantId, accountId }: TestTenant,
  password: string,
): Promise<void> {
  const sealed = secrets.seal(
    JSON.stringify({ settings: { password }, callbackSecret: 'secret' }),
    settingsPlace(tenantId, accountId),
  );
  await db
    .updateTable('channel_accounts')
    .set({
      settings: sealed,
      status: sql`case status when 'action-required' then 'connecting' else status end`,
    })
    .where('id', '=', accountId)
    .execute();
}

/** The state of an account that its tenant sees. */
export async function stateOf(
  db: Db,
  { accountId }: Pick<TestTenant, 'accountId'>,
): Promise<{ status: string; detail: string | null }> {
  return db
    .selectFrom('channel_accounts')
    .select(['status', 'status_detail as detail'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** A database, a queue, an exchange, and processes that hold lines to it. */
export interface Installation extends AsyncDisposable {
  readonly db: Db;
  readonly exchange: Exchange;
  /** Starts a process that owns connections, and waits until it is ready. */
  start(): Promise<RunningProcess>;
  account(): Promise<TestTenant>;
  /** Accepts so many messages as the api does. Returns their ids. */
  send(account: TestTenant, count: number): Promise<string[]>;
  /** Resolves when all these messages are sent. */
  untilSent(ids: readonly string[]): Promise<void>;
}

export async function openInstallation(partitions: number): Promise<Installation> {
  await using opening = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-owners-'));
  opening.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { db, url } = opening.use(await testDatabase());
  const { store } = opening.use(await startQueue(url));
  const exchange = opening.use(await startExchange());
  const waker = openWaker({
    ...store,
    partitions: 1,
    ownedPartitions: { [lane]: partitions },
    onError: () => undefined,
  });
  opening.defer(() => waker.close());
  const key = randomBytes(32);
  const secrets = createSecrets([{ version: 1, key }]);
  const all = opening.move();
  const wake = (id: string): Promise<boolean> =>
    waker.wake('dispatch', lane, id).then(
      () => true,
      () => false,
    );
  return {
    db,
    exchange,
    async start() {
      const port = await freePort();
      const process = await startProcess('whatsapp-sessions', {
        ...store,
        main,
        args: [String(exchange.port)],
        port,
        dataDir,
        env: {
          MASTER_KEYS: `1:${key.toString('base64')}`,
          WHATSAPP_PARTITIONS: String(partitions),
        },
      });
      all.defer(() => process.stop());
      await process.ready();
      return process;
    },
    account: () => makeAccount(db, secrets),
    async send(account, count) {
      const items = Array.from({ length: count }, () => textItem(account, { accountId: account.accountId }));
      const rules = { idempotencyDays: 7, blockExpiredTrials: false };
      const { results } = await acceptMessages(db, items, rules);
      await until(() => wake(account.accountId));
      return results.map((result) => ('message' in result ? result.message.id : ''));
    },
    untilSent: (ids) =>
      until(async () => {
        const unsent = await db
          .selectFrom('messages')
          .select('id')
          .where('id', 'in', [...ids])
          .where('status', '=', 'queued')
          .execute();
        return unsent.length === 0;
      }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

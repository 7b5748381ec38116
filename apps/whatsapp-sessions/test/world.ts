import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount, settingsPlace } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { acceptMessages, type AcceptItem } from '@notify/db/messages';
import { findLink, linkPlace, type LinkRow, requestLink } from '@notify/db/whatsapp';
import { openWaker, type Waker } from '@notify/queue';
import { createSecrets } from '@notify/runtime';
import {
  makeTenant,
  type ProcessName,
  type RunningProcess,
  startProcess,
  startQueue,
  testDatabase,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import { startWhatsappPeer, type WhatsappPeer } from '../peer/client.ts';

/** Care settings without waits or limits. */
export const hurried = {
  minIntervalSeconds: 0,
  maxIntervalSeconds: 0,
  newContactsPerDay: 1_000,
  warmUpDays: 0,
};

const linksAtOnce = 4;
const masterKey = randomBytes(32);
/** Secrets under the processes' master key. */
export const secrets = createSecrets([{ version: 1, key: masterKey }]);
const rules = { idempotencyDays: 7, blockExpiredTrials: false };

/** A phone, and the account it is linked to. */
export interface Linked {
  readonly phone: string;
  readonly account: TestTenant;
}

/** A database, a queue, WhatsApp's peer, and our processes between them. */
export interface World extends AsyncDisposable {
  readonly db: Db;
  readonly peer: WhatsappPeer;
  /** Starts a process, by default `whatsapp-sessions`, and waits until it is ready. */
  start(name?: ProcessName, env?: Readonly<Record<string, string>>): Promise<RunningProcess>;
  /** A tenant with a `whatsapp-web` account that is not linked. */
  account(settings?: object): Promise<TestTenant>;
  /** Links the account by scanning its QR code. Resolves when it is connected. */
  link(account: TestTenant, phone: string): Promise<void>;
  /** An account that is linked and connected. */
  linked(phone: string, settings?: object): Promise<TestTenant>;
  /**
   * Links so many new phones, some at once. A link costs processor time, so tests that wait side by side for timers
   * have it done before.
   */
  linkMany(count: number): Promise<Linked[]>;
  /** Accepts messages as the api does. Returns their ids. */
  send(account: TestTenant, items: readonly Partial<AcceptItem>[]): Promise<string[]>;
  /** Sends one text, by default to a new number. */
  sendOne(account: TestTenant, to?: string, text?: string): Promise<{ id: string; to: string }>;
  /** The message's row. */
  message(id: string): Promise<{ readonly status: string; readonly attempts: number }>;
  /** Resolves when the message has one of these statuses. */
  untilStatus(id: string, ...statuses: string[]): Promise<void>;
  /** A phone that no account here is linked to. */
  newPhone(): string;
  /** A number that got no message yet. */
  newNumber(): string;
  wake(account: TestTenant): Promise<void>;
  linkOf(account: TestTenant): Promise<LinkRow>;
  /** The QR code or pairing code that the tenant sees. */
  shown(account: TestTenant): Promise<string>;
  stateOf(account: TestTenant): Promise<{ status: string; detail: string | null }>;
}

/** Opens a world. Without `sweep` no sweeper repairs what was missed. */
export async function openWorld(
  env: Readonly<Record<string, string>> = {},
  { sweeps = true }: { readonly sweeps?: boolean } = {},
): Promise<World> {
  await using opening = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-whatsapp-'));
  opening.defer(() => rm(dataDir, { recursive: true, force: true }));
  const test = opening.use(await testDatabase());
  const { store } = opening.use(await startQueue(test.url));
  const peer = opening.use(await startWhatsappPeer());
  const certificate = path.join(dataDir, 'media.pem');
  await writeFile(certificate, peer.mediaCertificate);
  const waker: Waker = openWaker({ ...store, partitions: 1, onError: () => undefined });
  opening.defer(() => waker.close());
  const all = opening.move();
  const { db } = test;

  const environment = {
    MASTER_KEYS: `1:${masterKey.toString('base64')}`,
    WHATSAPP_WEB_URL: peer.url,
    WHATSAPP_WEB_ROOT_KEY: peer.rootPublicKey,
    WHATSAPP_MEDIA_URL: peer.mediaUrl,
    NODE_EXTRA_CA_CERTS: certificate,
    ...env,
  };

  async function start(name: ProcessName = 'whatsapp-sessions', more = {}): Promise<RunningProcess> {
    const process = await startProcess(name, { ...store, dataDir, env: { ...environment, ...more } });
    all.defer(() => process.stop());
    await process.ready();
    return process;
  }

  async function account(settings: object = hurried): Promise<TestTenant> {
    const tenant = await makeTenant(db);
    const id = randomUUIDv7();
    const sealed = secrets.seal(
      JSON.stringify({ settings, callbackSecret: 'secret' }),
      settingsPlace(tenant.tenantId, id),
    );
    const made = { id, tenantId: tenant.tenantId, channel: 'whatsapp', provider: 'whatsapp-web' } as const;
    await createAccount(
      db,
      {
        ...made,
        name: 'Phone',
        settings: sealed,
        perSecond: null,
        isDefault: true,
        verdict: { kind: 'unchecked', detail: null },
      },
      100,
    );
    return { ...tenant, accountId: id };
  }

  async function wake({ accountId }: TestTenant): Promise<void> {
    await until(() =>
      waker.wake('dispatch', 'whatsapp-web', accountId).then(
        () => true,
        () => false,
      ),
    );
  }

  async function linkOf({ tenantId, accountId }: TestTenant): Promise<LinkRow> {
    return (await findLink(db, tenantId, accountId))!;
  }

  async function shown(account: TestTenant): Promise<string> {
    const link = await untilSome(async () => {
      const row = await linkOf(account);
      return row.shown === null ? null : row;
    });
    return secrets.open(link.shown!, linkPlace(account.tenantId, account.accountId));
  }

  async function stateOf({ accountId }: TestTenant) {
    const { status, status_detail: detail } = await db
      .selectFrom('channel_accounts')
      .select(['status', 'status_detail'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return { status, detail };
  }

  async function send(account: TestTenant, items: readonly Partial<AcceptItem>[]): Promise<string[]> {
    const { results } = await acceptMessages(
      db,
      items.map((item) => textItem(account, { channel: 'whatsapp', accountId: account.accountId, ...item })),
      rules,
    );
    await wake(account);
    return results.map((result) => ('message' in result ? result.message.id : ''));
  }

  let phones = 15_550_100_000;
  let numbers = 15_550_200_000;
  const newPhone = (): string => String((phones += 1));
  const newNumber = (): string => String((numbers += 1));

  async function sendOne(account: TestTenant, to = newNumber(), text = 'hello') {
    const [id] = await send(account, [{ to, body: { text } }]);
    return { id: id!, to };
  }

  const message = (id: string) =>
    db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  async function link(account: TestTenant, phone: string): Promise<void> {
    await requestLink(db, account.tenantId, account.accountId, null);
    await wake(account);
    await peer.scan(await shown(account), phone);
    await until(async () => (await stateOf(account)).status === 'connected');
  }

  async function linked(phone: string, settings?: object): Promise<TestTenant> {
    const made = await account(settings);
    await link(made, phone);
    return made;
  }

  async function linkMany(count: number): Promise<Linked[]> {
    const waiting = Array.from({ length: count }, newPhone);
    const done: Linked[] = [];
    const linkSome = async (): Promise<void> => {
      for (let phone = waiting.pop(); phone !== undefined; phone = waiting.pop())
        done.push({ phone, account: await linked(phone) });
    };
    await Promise.all(Array.from({ length: linksAtOnce }, linkSome));
    return done;
  }

  // Its sweeper fails messages that expired or lost their account.
  if (sweeps) await start('dispatch-worker');

  return {
    db,
    peer,
    start,
    account,
    link,
    linked,
    linkMany,
    send,
    sendOne,
    message,
    untilStatus: (id, ...statuses) => until(async () => statuses.includes((await message(id)).status)),
    newPhone,
    newNumber,
    wake,
    linkOf,
    shown,
    stateOf,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** The accounts whose devices a process has connected, as its log says. */
export function connectedHere({ lines }: RunningProcess): string[] {
  return lines.flatMap((line) =>
    line.includes('"device connected"') ? [(JSON.parse(line) as { accountId: string }).accountId] : [],
  );
}

/** The number of partitions that a process holds, as its log says. */
export function heldBy({ lines }: RunningProcess): number {
  return lines.reduce((held, line) => {
    if (line.includes('"partitions taken"'))
      return held + (JSON.parse(line) as { partitions: unknown[] }).partitions.length;
    return line.includes('"partition given back"') || line.includes('"partition lost"') ? held - 1 : held;
  }, 0);
}

/** Polls until the condition holds. The test's own time limit ends it otherwise. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(25);
}

async function untilSome<T>(find: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== null) return found;
    await delay(25);
  }
}

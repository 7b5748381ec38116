import type { Db } from '@notify/db/connection';
import { prepareQueue } from '@notify/queue';
import {
  type Receiver,
  registerTenant,
  type RegisteredTenant,
  type RunningProcess,
  type SmsGateway,
  startProcesses,
  startReceiver,
  startSmsGateway,
  testDatabase,
  until,
} from '@notify/testkit';
import { sql } from 'kysely';
import { notify } from './notify.ts';

/** A running installation, and situations in which a message waits. Each resolves with the id of such a message. */
export interface Scenes extends AsyncDisposable {
  readonly db: Db;
  readonly worker: RunningProcess;
  readonly webhookWorker: RunningProcess;
  readonly gateway: SmsGateway;
  readonly receiver: Receiver;
  readonly tenant: RegisteredTenant;
  /** Runs the operator's program. Rejects with what it said if it fails. */
  notify(...args: readonly string[]): Promise<string>;
  /** The provider throttles, so the account pauses for ten minutes. */
  paused(): Promise<string>;
  /** The provider fails, so the message is tried again. */
  retried(): Promise<string>;
  /** The last of 30 messages of an account that sends one in two seconds. */
  paced(): Promise<string>;
  /** A message whose webhook has been failing. */
  unposted(): Promise<string>;
  /** A message whose worker waits for an answer that never comes. */
  calling(): Promise<string>;
  /** A message of a sandbox account that is accepted now. */
  accepted(): Promise<string>;
  /** As if the dispatch worker had last been seen so long ago, and the leases of messages ended so long from now. */
  age(ages: { readonly seenSeconds: number; readonly leaseSeconds?: number }): Promise<void>;
}

const tenMinutes = '600';

/** Starts every process but that of linked devices, on its own database. */
export async function openScenes(): Promise<Scenes> {
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await testDatabase());
  const { db, url: databaseUrl } = database;
  await prepareQueue({ databaseUrl, redisUrl: null });
  const gateway = opening.use(await startSmsGateway());
  const receiver = await startReceiver();
  opening.defer(() => receiver.close());
  const env = { SAMPLE_SECONDS: '1', BCRYPT_COST: '4' };
  const processes = await startProcesses({ databaseUrl, redisUrl: null, env });
  opening.defer(() => processes.stop());
  const [api, worker, webhookWorker] = [processes.api[0]!, processes.dispatch[0]!, processes.webhook[0]!];
  // A frozen process does not end at SIGTERM.
  opening.defer(() => void worker.process.kill('SIGCONT'));
  const tenant = await registerTenant(api.url);

  const accounts = new Map<string, Promise<string>>();

  /** The account of this name, made when it is first asked for. */
  function account(name: string): Promise<string> {
    const known = accounts.get(name) ?? connect(name);
    accounts.set(name, known);
    return known;
  }

  async function connect(name: string): Promise<string> {
    const body = { provider: 'http-sms', name, settings: gateway.settings };
    return (await tenant.post('/v1/channel-accounts', body)).id;
  }

  async function send(channelAccountId: string): Promise<string> {
    const body = { to: '+4915112345678', text: 'Hello', channelAccountId };
    return (await tenant.send('sms/text', body)).id;
  }

  function attempted(id: string): Promise<void> {
    return until(async () => (await tenant.get(`/v1/messages/${id}`)).timeline.some(isEndedAttempt));
  }

  const scenes = {
    db,
    worker,
    webhookWorker,
    gateway,
    receiver,
    tenant,
    async notify(...args: readonly string[]) {
      const settings = { DATABASE_URL: databaseUrl, REDIS_URL: '', NOTIFY_MODE: 'production', NO_COLOR: '1' };
      const { code, out, error } = await notify(args, settings);
      if (code !== 0) throw new Error(out + error);
      return out;
    },
    async paused() {
      gateway.behave({ answer: 'throttle', times: 1, retryAfter: tenMinutes });
      const id = await send(await account('Reminders'));
      await attempted(id);
      return id;
    },
    async retried() {
      gateway.behave({ answer: 'fail', times: 1, retryAfter: tenMinutes });
      const id = await send(await account('Receipts'));
      await attempted(id);
      return id;
    },
    async paced() {
      const slow = await account('Newsletter');
      await sql`update channel_accounts set per_second = 0.5 where id = ${slow}::uuid`.execute(db);
      let last = '';
      for (let count = 0; count < 30; count += 1) last = await send(slow);
      return last;
    },
    async unposted() {
      receiver.behave({ status: 500, body: 'no' });
      await tenant.post('/v1/webhooks', { url: `${receiver.url}/hook` });
      const ids: string[] = [];
      const good = await account('Codes');
      for (let count = 0; count < 6; count += 1) ids.push(await send(good));
      await until(async () => {
        const { rows } =
          await sql`select from webhooks where failure_count >= 5 and paused_until > now()`.execute(db);
        return rows.length > 0;
      });
      return ids.at(-1)!;
    },
    async calling() {
      gateway.behave({ answer: 'take-and-hang' });
      const id = await send(await account('Alerts'));
      await gateway.when((ledger) => ledger.some((entry) => id.endsWith(entry.id)));
      return id;
    },
    async accepted() {
      return send(await tenant.sandbox('sms'));
    },
    async age({ seenSeconds, leaseSeconds }: { seenSeconds: number; leaseSeconds?: number }) {
      await sql`update processes set seen_at = now() - make_interval(secs => ${seenSeconds}::float8)
        where name = 'dispatch-worker'`.execute(db);
      if (leaseSeconds === undefined) return;
      await sql`update dispatch_due set claimed_until = now() + make_interval(secs => ${leaseSeconds}::float8)
        where claimed_by is not null`.execute(db);
    },
  };
  const opened = opening.move();
  return { ...scenes, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function isEndedAttempt(entry: { readonly kind: string; readonly endedAt?: string | null }): boolean {
  return entry.kind === 'attempt' && entry.endedAt !== null;
}

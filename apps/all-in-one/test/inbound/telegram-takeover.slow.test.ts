import { preloadOf, type RunningProcess, startTelegramPeer, type TelegramPeer } from '@notify/testkit';
import { sql } from 'kysely';
import { ask, type Installation, openInstallation, register, until } from '../installation.ts';

/** The second one kills a reader that has itself taken over. */
const kills = 2;
/** How far apart people write, in ms, and in how many chats. */
const apartMs = 10;
const chats = 50;

let at: Installation;
let telegram: TelegramPeer;
let workers: RunningProcess[];

beforeAll(async () => {
  telegram = await startTelegramPeer();
  at = await openInstallation(null, { PROVIDER_URLS: `telegram-bot=${telegram.url}` });
  const api = await at.start('api');
  workers = [await at.start('dispatch-worker'), await at.start('dispatch-worker')];
  await Promise.all([api, ...workers].map((one) => one.ready()));
  const tenant = await register(api.url, 'ann');
  const account = { provider: 'telegram-bot', name: 'Bot', settings: telegram.settings };
  const { status, body } = await ask('POST', `${api.url}/v1/channel-accounts`, tenant.bearer, account);
  if (status !== 201) throw new Error(JSON.stringify(body));
});

afterAll(async () => {
  await Promise.all((workers ?? []).map((worker) => worker.stop()));
  await at?.close();
  await telegram?.stop();
});

/** Who reads the updates of the bot. */
async function holder(): Promise<string | null> {
  const { rows } = await sql<{ holder: string | null }>`select holder from update_sources`.execute(at.db);
  return rows[0]!.holder;
}

const storedBy = ({ lines }: RunningProcess): number =>
  lines.filter((line) => line.includes('inbound messages stored')).length;

/** Has people write until `ended` says so. Returns how many messages there were. */
async function writeUntil(ended: () => boolean): Promise<number> {
  let count = 0;
  for (; !ended(); count += 1) {
    telegram.people.write(1_000 + (count % chats), `message ${count}`);
    await new Promise((resolve) => setTimeout(resolve, apartMs));
  }
  return count;
}

test('the reader is killed in the middle of its work: no message is lost, and none is stored twice', async () => {
  let isOver = false;
  const writing = writeUntil(() => isOver);
  const pausesMs: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const before = new Map(workers.map((worker) => [worker, storedBy(worker)]));
    const reads = (worker: RunningProcess) => storedBy(worker) > before.get(worker)! + 5;
    await until(() => workers.some(reads));
    const reader = workers.find(reads)!;
    const other = workers.find((worker) => worker !== reader)!;
    const known = storedBy(other);
    reader.process.kill('SIGKILL');
    await reader.ended();
    const killedAt = performance.now();
    await until(() => storedBy(other) > known);
    pausesMs.push(Math.round(performance.now() - killedAt));
    const next = await at.start('dispatch-worker');
    await next.ready();
    workers = [other, next];
  }
  isOver = true;
  const written = await writing;
  await telegram.updates.when((history) => history.every(({ confirmed }) => confirmed));
  const { rows } = await sql<{ messages: number; different: number; events: number }>`
    select count(*)::int as messages, count(distinct body->>'text')::int as different,
      (select count(*)::int from events where event = 'message.received') as events
    from messages where received_at is not null`.execute(at.db);
  expect(rows).toEqual([{ messages: written, different: written, events: written }]);
  const again = telegram.updates.history().filter(({ read }) => read > 1).length;
  process.stdout.write(
    `telegram: ${written} messages, ${kills} readers killed, ${again} updates read again, nothing read for ${pausesMs.join(', ')} ms\n`,
  );
});

test('a reader that is told to end hands over at once', async () => {
  telegram.people.write(1_000, 'first');
  const before = new Map(workers.map((worker) => [worker, storedBy(worker)]));
  telegram.people.write(1_000, 'second');
  const reads = (worker: RunningProcess) => storedBy(worker) > before.get(worker)!;
  await until(() => workers.some(reads));
  const reader = workers.find(reads)!;
  const other = workers.find((worker) => worker !== reader)!;
  const known = storedBy(other);
  const claim = await holder();
  expect(claim).not.toBeNull();
  await reader.stop();
  // Whoever has the claim now did not have to wait for its end.
  expect(await holder()).not.toBe(claim);
  telegram.people.write(1_000, 'third');
  await until(() => storedBy(other) > known);
});

/** The messages whose text begins so, and how many of them differ. */
async function storedAs(prefix: string): Promise<[messages: number, different: number]> {
  const { rows } = await sql<{ messages: number; different: number }>`
    select count(*)::int as messages, count(distinct body->>'text')::int as different
    from messages where received_at is not null and body->>'text' like ${`${prefix}%`}`.execute(at.db);
  return [rows[0]!.messages, rows[0]!.different];
}

/** Only this worker runs, with that harm, and 150 messages wait for it. */
async function harmed(harm: Parameters<typeof preloadOf>[0], prefix: string): Promise<RunningProcess> {
  await Promise.all(workers.map((worker) => worker.stop()));
  for (let index = 0; index < 150; index += 1) telegram.people.write(1_000, `${prefix} ${index}`);
  return workers[0]!.restart([preloadOf(harm)]);
}

test('the reader is killed after the commit, before Telegram knows of it: nothing is stored twice', async () => {
  const reader = await harmed({ does: 'kill-at', checkpoint: 'inbound-stored' }, 'killed');
  expect(await reader.ended()).toBe('SIGKILL');
  expect(await storedAs('killed')).toEqual([100, 100]);
  workers = [await at.start('dispatch-worker')];
  await telegram.updates.when((history) => history.every(({ confirmed }) => confirmed));
  expect(await storedAs('killed')).toEqual([150, 150]);
});

test('the reader stalls until its lease has ended: another goes on, and the first one stays away', async () => {
  const stalled = await harmed({ does: 'block', checkpoint: 'inbound-stored', ms: 25_000 }, 'stalled');
  await until(async () => (await storedAs('stalled'))[0] === 100);
  const other = await at.start('dispatch-worker');
  workers = [stalled, other];
  await telegram.updates.when((history) => history.every(({ confirmed }) => confirmed));
  const conflicts = telegram.updates.conflicts();
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  telegram.people.write(1_000, 'stalled at last');
  await until(async () => (await storedAs('stalled'))[0] === 151);
  expect(await storedAs('stalled')).toEqual([151, 151]);
  expect(telegram.updates.conflicts()).toBe(conflicts);
});

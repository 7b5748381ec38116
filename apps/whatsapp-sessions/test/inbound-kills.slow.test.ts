import { setTimeout as delay } from 'node:timers/promises';
import { preloadOf, type RunningProcess, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { connectedHere, heldBy, hurried, openWorld, until, type World } from './world.ts';

let world: World;
/** A start costs seconds: what a test leaves running serves the next. */
let sessions: RunningProcess;
/** Each test has its own phone. */
let account: TestTenant;
let phone: string;
const from = '15550600002';

beforeAll(async () => {
  // No sweeper repairs what a killed process leaves.
  world = await openWorld({}, { sweeps: false });
  sessions = await world.start();
});

afterAll(() => world[Symbol.asyncDispose]());

beforeEach(() => {
  phone = world.newPhone();
});

/** WhatsApp's ids of the stored messages, in the order of their storing. */
async function stored(): Promise<(string | null)[]> {
  const rows = await world.db
    .selectFrom('messages')
    .select('external_id')
    .where('channel_account_id', '=', account.accountId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.external_id);
}

async function events(): Promise<number> {
  const rows = await world.db
    .selectFrom('events')
    .select('id')
    .where('tenant_id', '=', account.tenantId)
    .where('event', '=', 'message.received')
    .execute();
  return rows.length;
}

/** Resolves with how often the server sent a message, once the device has acknowledged it. */
async function timesSent(id: string): Promise<number> {
  const { written } = await world.peer.when((log) =>
    log.written.some((one) => one.id === id && one.answers.length > 0),
  );
  return written.find((one) => one.id === id)!.sent;
}

/** One message has come before, so that the next is not the first of its session. */
async function receiveOne(): Promise<string> {
  const id = await world.peer.write({ account: phone, from, text: 'Hello' });
  expect(await timesSent(id)).toBe(1);
  return id;
}

test('a process that is killed before it has committed a message receives it when it is back', async () => {
  account = await world.linked(phone, hurried);
  const before = await receiveOne();
  const id = await world.db.transaction().execute(async (trx) => {
    await sql`lock table inbound_seen in access exclusive mode`.execute(trx);
    const written = await world.peer.write({ account: phone, from, text: 'Are you there?' });
    await until(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where application_name = 'notify-whatsapp-sessions' and wait_event_type = 'Lock'`.execute(
        world.db,
      );
      return rows.length > 0;
    });
    sessions.process.kill('SIGKILL');
    await sessions.ended();
    return written;
  });
  const { written } = await world.peer.log();
  expect(written.find((one) => one.id === id)).toMatchObject({ sent: 1, answers: [] });
  sessions = await world.start();
  expect(await timesSent(id)).toBe(2);
  expect(await stored()).toEqual([before, id]);
  expect(await events()).toBe(2);
});

test('a process that is killed after it has committed a message, before WhatsApp knows, receives it once', async () => {
  account = await world.linked(phone, hurried);
  const before = await receiveOne();
  sessions = await sessions.restart([preloadOf({ does: 'kill-at', checkpoint: 'inbound-stored' })]);
  await sessions.ready();
  await until(async () => (await world.stateOf(account)).status === 'connected');
  const id = await world.peer.write({ account: phone, from, text: 'Are you there?' });
  expect(await sessions.ended()).toBe('SIGKILL');
  expect(await stored()).toEqual([before, id]);
  const { written } = await world.peer.log();
  expect(written.find((one) => one.id === id)).toMatchObject({ sent: 1, answers: [] });

  const last = await world.peer.write({ account: phone, from, text: 'Hello?' });
  sessions = await world.start();
  await timesSent(last);
  expect(await timesSent(id)).toBe(2);
  expect(await stored()).toEqual([before, id, last]);
  expect(await events()).toBe(3);
});

test('no message is lost or doubled while the database drops its connections', async () => {
  account = await world.linked(phone, hurried);
  const ids: string[] = [];
  for (let index = 0; index < 100; index += 1) {
    ids.push(await world.peer.write({ account: phone, from, text: `message ${index}` }));
    if (index % 5 !== 4) continue;
    await delay(10);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'notify-whatsapp-sessions' and datname = current_database()`.execute(world.db);
  }
  await until(async () => (await stored()).length >= ids.length);
  for (const id of ids) await timesSent(id);
  expect(new Set(await stored())).toEqual(new Set(ids));
  expect(await stored()).toHaveLength(ids.length);
  expect(await events()).toBe(ids.length);
  // No message was taken for unreadable, after which only its sender's phone could bring it back.
  expect((await writtenOf(ids)).filter((one) => !isOver(one))).toEqual([]);
});

/** The library refuses a repeat whose key is used up. The server forgets it regardless. */
const isOver = ({ sent, answers: [answer] }: { sent: number; answers: readonly string[] }): boolean =>
  answer === 'inactive' || (sent > 1 && answer === 'ack 487');

/** What the server knows of these messages. */
async function writtenOf(ids: readonly string[]) {
  const { written } = await world.peer.log();
  return written.filter(({ id }) => ids.includes(id));
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'no message of a stream is lost or doubled when its process gets %s and another takes over',
  async (signal) => {
    const processes = [sessions, await world.start()];
    await until(async () => processes.every((process) => heldBy(process) === 8));
    account = await world.linked(phone, hurried);
    const first = processes.find((process) => connectedHere(process).includes(account.accountId))!;
    const ids: string[] = [];
    const writing = (async () => {
      for (let index = 0; index < 300; index += 1) {
        ids.push(await world.peer.write({ account: phone, from, text: `message ${index}` }));
        await delay(5);
      }
    })();
    await until(async () => (await stored()).length >= 50);
    first.process.kill(signal);
    sessions = processes.find((process) => process !== first)!;
    const killedAt = performance.now();
    await writing;
    await until(async () => (await stored()).length >= 300);
    console.log(`all 300 stored ${Math.round(performance.now() - killedAt)} ms after ${signal}`);
    await timesSent(ids.at(-1)!);
    // What came while nobody was connected is read beside what comes live, so the order may differ.
    expect(new Set(await stored())).toEqual(new Set(ids));
    expect(await stored()).toHaveLength(ids.length);
    expect(await events()).toBe(300);
    const written = await writtenOf(ids);
    console.log(`${written.filter(({ sent }) => sent > 1).length} were sent more than once`);
    expect(written.filter((one) => !isOver(one))).toEqual([]);
  },
);

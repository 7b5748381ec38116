import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { requestUnlink } from '@notify/db/whatsapp';
import type { RunningProcess, TestTenant } from '@notify/testkit';
import { openWorld, until, type World } from './world.ts';

jest.setTimeout(180_000);

let world: World;
let sessions: RunningProcess;

beforeAll(async () => {
  world = await openWorld();
  sessions = await world.start();
}, 180_000);

afterAll(() => world[Symbol.asyncDispose]());

const logins = async (phone: string) =>
  (await world.peer.log()).rejected.filter(({ from, what }) => from.startsWith(phone) && what === 'login')
    .length;

async function untilTold(account: TestTenant, status: string, detail: RegExp): Promise<void> {
  await until(async () => {
    const state = await world.stateOf(account);
    return state.status === status && detail.test(state.detail ?? '');
  });
}

/** Another process takes the partitions over. */
async function restart(): Promise<void> {
  await sessions.stop();
  sessions = await world.start();
}

async function refuse(phone: string, refuseLogin: Parameters<World['peer']['behave']>[0]['refuseLogin']) {
  const account = await world.linked(phone);
  await world.peer.behave({ account: phone, refuseLogin: refuseLogin! });
  await world.peer.cut(phone);
  return account;
}

test('a ban for a time: no login before it ends, not by another process either, and the tenant reads why', async () => {
  const [phone, other] = [world.newPhone(), world.newPhone()];
  const account = await refuse(phone, { reason: 402, code: 101, expire: 14 });
  const bannedAt = Date.now();
  const epoch = Math.floor(Date.now() / 1_000) + 30 * 86_400;
  const far = await refuse(other, { reason: 402, code: 104, expire: epoch });
  await untilTold(account, 'disconnected', /banned.*until.*too many messages to people/);
  await untilTold(far, 'disconnected', new RegExp(new Date(epoch * 1_000).toISOString()));
  expect((await world.stateOf(far)).detail).toMatch(/same message to too many/);
  const { id } = await world.sendOne(account);
  await restart();
  await until(async () => (await logins(phone)) === 2);
  expect(Date.now() - bannedAt).toBeGreaterThan(13_000);
  expect(await logins(other)).toBe(1);
  expect((await world.stateOf(far)).detail).toMatch(/banned/);
  expect(await world.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
});

test('an end of a ban that has passed is not taken for leave to hammer', async () => {
  const phone = world.newPhone();
  const account = await refuse(phone, { reason: 402, expire: 0 });
  await untilTold(account, 'disconnected', /banned/);
  await delay(8_000);
  expect(await logins(phone)).toBe(1);
});

test('once a ban has ended the account is connected again, and what waited goes out', async () => {
  const phone = world.newPhone();
  const account = await refuse(phone, { reason: 402, expire: 3_600 });
  await untilTold(account, 'disconnected', /banned/);
  const { id } = await world.sendOne(account);
  await world.peer.behave({ account: phone, refuseLogin: null });
  await world.db
    .updateTable('whatsapp_links')
    .set({ login_after: new Date() })
    .where('account_id', '=', account.accountId)
    .execute();
  await restart();
  await world.untilStatus(id, 'delivered');
  expect(await world.stateOf(account)).toEqual({ status: 'connected', detail: null });
});

test.each([
  [406, /banned.*phone/],
  [409, /rejects the client version/],
])('%d: the tenant has to act, and until then no process logs in', async (code, detail) => {
  const phone = world.newPhone();
  const account = await refuse(phone, code);
  await untilTold(account, 'action-required', detail);
  await restart();
  await delay(5_000);
  expect(await logins(phone)).toBe(1);
  expect((await world.stateOf(account)).detail).toMatch(detail);
  const { id } = await world.sendOne(account);
  await world.peer.behave({ account: phone, refuseLogin: null });
  await requestUnlink(world.db, account.tenantId, account.accountId);
  await world.link(account, phone);
  await world.untilStatus(id, 'delivered');
});

test('a refusal that nobody knows is tried again after a minute, and then ever later', async () => {
  const phone = world.newPhone();
  const account = await refuse(phone, 477);
  await untilTold(account, 'disconnected', /rejects.*477/);
  await delay(5_000);
  expect(await logins(phone)).toBe(1);
  const waits: number[] = [];
  for (let login = 2; login < 5; login += 1) {
    await world.db
      .updateTable('whatsapp_links')
      .set({ login_after: new Date() })
      .where('account_id', '=', account.accountId)
      .execute();
    await restart();
    await until(async () => (await logins(phone)) === login);
    await until(async () => (await loginInMs(account)) > 0);
    waits.push(await loginInMs(account));
  }
  expect(waits[1]!).toBeGreaterThan(waits[0]! * 1.4);
  expect(waits[2]!).toBeGreaterThan(waits[1]! * 1.4);
});

async function loginInMs({ accountId }: TestTenant): Promise<number> {
  const { login_after: at } = await world.db
    .selectFrom('whatsapp_links')
    .select('login_after')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return (at?.getTime() ?? 0) - Date.now();
}

test('an unlinked account whose number is banned for a time is forgotten without a login', async () => {
  const phone = world.newPhone();
  const account = await refuse(phone, { reason: 402, expire: 3_600 });
  await untilTold(account, 'disconnected', /banned/);
  await requestUnlink(world.db, account.tenantId, account.accountId);
  await world.wake(account);
  await until(async () => (await world.linkOf(account)).step === 'idle');
  expect(await logins(phone)).toBe(1);
});

test('a device that is removed without a code is removed: nobody takes it for another program', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  await world.peer.end(phone, 'removed_without_code');
  await untilTold(account, 'action-required', /Link it again/);
  expect((await world.linkOf(account)).step).toBe('idle');
});

test('a connection that closes soon after it opened, again and again, is made less and less often', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const openings = async () =>
    (await world.peer.log()).connections.filter(({ jid }) => jid?.startsWith(phone) === true).length;
  const before = await openings();
  const endsAt = Date.now() + 12_000;
  while (Date.now() < endsAt) {
    await world.peer.end(phone, 477);
    await delay(100);
  }
  expect((await openings()) - before).toBeLessThan(6);
  expect((await world.stateOf(account)).status).not.toBe('action-required');
});

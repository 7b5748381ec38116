import { requestUnlink } from '@notify/db/whatsapp';
import type { RunningProcess, TestTenant } from '@notify/testkit';
import { type Linked, openWorld, until, type World } from './world.ts';

/** How WhatsApp refuses a login, and what the tenant is told of it. */
interface Refusal {
  readonly refuseLogin: NonNullable<Parameters<World['peer']['behave']>[0]['refuseLogin']>;
  readonly status: string;
  readonly detail: RegExp;
}

const aMonthLater = Math.floor(Date.now() / 1_000) + 30 * 86_400;
const banned = (expire: number, code: number, detail: RegExp): Refusal => ({
  refuseLogin: { reason: 402, code, expire },
  status: 'disconnected',
  detail,
});

/** All logins are refused at the beginning, so that they wait side by side and share the restarts. */
const refusals = {
  'a ban of 14 s': banned(14, 101, /banned.*until.*too many messages to people/),
  'a ban of a month': banned(aMonthLater, 104, new RegExp(new Date(aMonthLater * 1_000).toISOString())),
  'a ban that has ended': banned(0, 101, /banned/),
  'a ban of an hour': banned(3_600, 101, /banned/),
  'a ban of an unlinked phone': banned(3_600, 101, /banned/),
  '406': { refuseLogin: 406, status: 'action-required', detail: /banned.*phone/ },
  '409': { refuseLogin: 409, status: 'action-required', detail: /rejects the client version/ },
  '477': { refuseLogin: 477, status: 'disconnected', detail: /rejects.*477/ },
} satisfies Record<string, Refusal>;

type Name = keyof typeof refusals;

let world: World;
let sessions: RunningProcess;
let refused: Record<Name, Linked>;
let removed: Linked;
let refusedAt: number;

beforeAll(async () => {
  world = await openWorld();
  sessions = await world.start();
  const names = Object.keys(refusals) as Name[];
  const [other, ...phones] = await world.linkMany(1 + names.length);
  removed = other!;
  refused = Object.fromEntries(names.map((name, index) => [name, phones[index]!])) as typeof refused;
  refusedAt = Date.now();
  await Promise.all(names.map(refuse));
});

afterAll(() => world[Symbol.asyncDispose]());

async function refuse(name: Name): Promise<void> {
  const { phone, account } = refused[name];
  const { refuseLogin, status, detail } = refusals[name];
  await world.peer.behave({ account: phone, refuseLogin });
  await world.peer.cut(phone);
  await untilTold(account, status, detail);
}

const logins = async (phone: string) =>
  (await world.peer.log()).rejected.filter(({ from, what }) => from.startsWith(phone) && what === 'login');

async function untilTold(account: TestTenant, status: string, detail: RegExp): Promise<void> {
  await until(async () => {
    const state = await world.stateOf(account);
    return state.status === status && detail.test(state.detail ?? '');
  });
}

/** Moves the partitions to another process. */
async function restart(): Promise<void> {
  await sessions.stop();
  sessions = await world.start();
}

async function endHold({ accountId }: TestTenant): Promise<void> {
  await world.db
    .updateTable('whatsapp_links')
    .set({ login_after: new Date() })
    .where('account_id', '=', accountId)
    .execute();
}

test('unlinking an account with a temporary ban deletes it without a login', async () => {
  const { phone, account } = refused['a ban of an unlinked phone'];
  await requestUnlink(world.db, account.tenantId, account.accountId);
  await world.wake(account);
  await until(async () => (await world.linkOf(account)).step === 'idle');
  expect(await logins(phone)).toHaveLength(1);
});

test('a removal without a code counts as a removal, not as a conflict with another program', async () => {
  const { phone, account } = removed;
  await world.peer.end(phone, 'removed_without_code');
  await untilTold(account, 'action-required', /Link it again/);
  expect((await world.linkOf(account)).step).toBe('idle');
});

test('after a ban the account reconnects, and waiting messages are sent', async () => {
  const { phone, account } = refused['a ban of an hour'];
  const { id } = await world.sendOne(account);
  await world.peer.behave({ account: phone, refuseLogin: null });
  await endHold(account);
  await restart();
  await world.untilStatus(id, 'delivered');
  expect(await world.stateOf(account)).toEqual({ status: 'connected', detail: null });
});

test('during a temporary ban no process logs in, and the tenant sees the reason', async () => {
  const [{ phone, account }, far] = [refused['a ban of 14 s'], refused['a ban of a month']];
  expect((await world.stateOf(far.account)).detail).toMatch(/same message to too many/);
  const { id } = await world.sendOne(account);
  await until(async () => (await logins(phone)).length === 2);
  expect((await logins(phone))[1]!.at - refusedAt).toBeGreaterThan(13_000);
  expect(await logins(far.phone)).toHaveLength(1);
  expect((await world.stateOf(far.account)).detail).toMatch(/banned/);
  expect(await world.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
});

test('a ban whose end has passed does not cause rapid logins', async () => {
  expect(Date.now() - refusedAt).toBeGreaterThan(8_000);
  expect(await logins(refused['a ban that has ended'].phone)).toHaveLength(1);
});

test.each(['406', '409'] as const)(
  '%s: the tenant has to act, and until then no process logs in',
  async (name) => {
    const { phone, account } = refused[name];
    expect(await logins(phone)).toHaveLength(1);
    expect((await world.stateOf(account)).detail).toMatch(refusals[name].detail);
    const { id } = await world.sendOne(account);
    await world.peer.behave({ account: phone, refuseLogin: null });
    await requestUnlink(world.db, account.tenantId, account.accountId);
    await world.link(account, phone);
    await world.untilStatus(id, 'delivered');
  },
);

test('an unknown refusal is retried after a minute, then ever more rarely', async () => {
  const { phone, account } = refused['477'];
  expect(await logins(phone)).toHaveLength(1);
  const waits: number[] = [];
  for (let login = 2; login < 5; login += 1) {
    await endHold(account);
    await restart();
    await until(async () => (await logins(phone)).length === login);
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

import { findAccount } from '@notify/db/accounts';
import type { TestTenant } from '@notify/testkit';
import { openWorld, until, type World } from './world.ts';

const hourMs = 3_600_000;
let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.start();
});

afterAll(() => world[Symbol.asyncDispose]());

/** In whole seconds, as WhatsApp gives times. */
const inHours = (hours: number): Date => new Date((Math.floor(Date.now() / 1_000) + hours * 3_600) * 1_000);
const seconds = (at: Date): number => at.getTime() / 1_000;

const restrictedUntil = async (account: TestTenant) => (await world.linkOf(account)).restrictedUntil;

/** Sends to a new contact, which WhatsApp refuses. */
async function beRefused(account: TestTenant): Promise<void> {
  const to = world.newNumber();
  await world.peer.behave({ number: to, ack: { answer: 'refuse', code: 463, times: 1 } });
  const { id } = await world.sendOne(account, to);
  await world.untilStatus(id, 'failed');
}

test('after a 463 the end of the restriction is queried, and the account shows it', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const end = inHours(60);
  await world.peer.behave({ account: phone, restrictedUntil: seconds(end) });
  await beRefused(account);
  expect(await restrictedUntil(account)).toEqual(end);
  const row = await findAccount(world.db, account.tenantId, account.accountId);
  expect(row).toMatchObject({ status: 'connected', restricted_until: end });
});

test('a later 463 does not shorten a restriction whose end is known', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const end = inHours(60);
  await world.peer.restrict(phone, seconds(end));
  await until(async () => (await restrictedUntil(account))?.getTime() === end.getTime());
  const known = world.newNumber();
  await world.db
    .insertInto('whatsapp_contacts')
    .values({
      account_id: account.accountId,
      recipient: known,
      jid: `${known}@s.whatsapp.net`,
      checked_at: new Date(),
      first_sent_at: new Date(),
    })
    .execute();
  await world.peer.behave({ account: phone, restrictedUntil: seconds(inHours(1)) });
  await world.peer.behave({ number: known, ack: { answer: 'refuse', code: 463, times: 1 } });
  const { id } = await world.sendOne(account, known);
  await world.untilStatus(id, 'failed');
  expect(await restrictedUntil(account)).toEqual(end);
});

test('a restriction that WhatsApp lifts ends at once, and waiting messages are sent', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  await world.peer.restrict(phone, seconds(inHours(60)));
  await until(async () => (await restrictedUntil(account)) !== null);
  const { id } = await world.sendOne(account);
  await until(async () => {
    const due = await world.db
      .selectFrom('dispatch_due')
      .select('due_at')
      .where('message_id', '=', id)
      .executeTakeFirstOrThrow();
    return due.due_at.getTime() > Date.now() + 59 * hourMs;
  });
  await world.peer.restrict(phone, null);
  await world.untilStatus(id, 'delivered');
  expect(await restrictedUntil(account)).toBeNull();
  const row = await findAccount(world.db, account.tenantId, account.accountId);
  expect(row).toMatchObject({ status: 'connected', restricted_until: null });
});

test('a restriction without an end is assumed to last a day', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  await world.peer.behave({ account: phone, refusedQueries: { 'w:mex/get/query': 500 } });
  await beRefused(account);
  expect((await restrictedUntil(account))!.getTime()).toBeGreaterThan(Date.now() + 23 * hourMs);
});

test('if WhatsApp says that the account is not restricted, new contacts wait for an hour', async () => {
  const account = await world.linked(world.newPhone());
  await beRefused(account);
  const end = (await restrictedUntil(account))!.getTime() - Date.now();
  expect(end).toBeGreaterThan(0.9 * hourMs);
  expect(end).toBeLessThan(1.1 * hourMs);
});

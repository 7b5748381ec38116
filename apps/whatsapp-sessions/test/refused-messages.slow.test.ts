import { setTimeout as delay } from 'node:timers/promises';
import type { TestTenant } from '@notify/testkit';
import { type Linked, openWorld, until, type World } from './world.ts';

// They wait side by side, each with its own phone.

const hourMs = 3_600_000;
let world: World;
let phones: Linked[];

beforeAll(async () => {
  world = await openWorld();
  await world.start();
  phones = await world.linkMany(12);
});

afterAll(() => world[Symbol.asyncDispose]());

const stanzasTo = async (to: string) =>
  (await world.peer.log()).stanzas.filter((stanza) => stanza.to === to).length;

async function dueInMs(id: string): Promise<number> {
  const { due_at: at } = await world.db
    .selectFrom('dispatch_due')
    .select('due_at')
    .where('message_id', '=', id)
    .executeTakeFirstOrThrow();
  return at.getTime() - Date.now();
}

/** How long the account is held, in ms from a time that is not after the hold began. */
async function heldMs({ accountId }: TestTenant, since = Date.now()): Promise<number> {
  const { paced_until: at } = await world.db
    .selectFrom('channel_accounts')
    .select('paced_until')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return (at?.getTime() ?? 0) - since;
}

/** Ends the hold of a contact, and that of all new contacts. */
async function passHolds(account: TestTenant, to: string): Promise<void> {
  const past = new Date(Date.now() - 1_000);
  await world.db
    .updateTable('whatsapp_links')
    .set({ restricted_until: past })
    .where('account_id', '=', account.accountId)
    .execute();
  await world.db
    .updateTable('whatsapp_contacts')
    .set({ refused_until: past })
    .where('account_id', '=', account.accountId)
    .where('recipient', '=', to)
    .execute();
  await makeDue(account);
}

async function makeDue(account: TestTenant): Promise<void> {
  // A call that is settled later would pause the account again.
  await until(() => allSettled(account));
  const now = new Date();
  await world.db
    .updateTable('dispatch_due')
    .set({ due_at: now })
    .where('account_id', '=', account.accountId)
    .execute();
  await world.db
    .updateTable('channel_accounts')
    .set({ paused_until: now, paced_until: now })
    .where('id', '=', account.accountId)
    .where('status', '=', 'connected')
    .execute();
  await world.wake(account);
}

async function allSettled({ accountId }: TestTenant): Promise<boolean> {
  const claimed = await world.db
    .selectFrom('dispatch_due')
    .select('message_id')
    .where('account_id', '=', accountId)
    .where('claimed_by', 'is not', null)
    .execute();
  return claimed.length === 0;
}

async function refusedUntil(account: TestTenant, to: string): Promise<number> {
  const { refused_until: at } = await world.db
    .selectFrom('whatsapp_contacts')
    .select('refused_until')
    .where('account_id', '=', account.accountId)
    .where('recipient', '=', to)
    .executeTakeFirstOrThrow();
  return at!.getTime() - Date.now();
}

test.concurrent('a refused contact is held like a new one, and longer after each refusal', async () => {
  const { account } = phones.pop()!;
  const to = world.newNumber();
  await world.peer.behave({ number: to, ack: { answer: 'refuse', code: 463 } });
  const first = await world.sendOne(account, to);
  await world.untilStatus(first.id, 'failed');
  const [second, third, fourth, fifth] = await world.send(
    account,
    [1, 2, 3, 4].map((number) => ({ to, body: { text: `again ${number}` } })),
  );
  for (const id of [second, third, fourth, fifth])
    await until(async () => (await dueInMs(id!)) > 23 * hourMs);
  expect(await stanzasTo(to)).toBe(1);
  expect(await refusedUntil(account, to)).toBeLessThan(25 * hourMs);

  await passHolds(account, to);
  await until(async () => (await stanzasTo(to)) === 2);
  await until(async () => (await refusedUntil(account, to)) > 47 * hourMs);
  expect(await stanzasTo(to)).toBe(2);
});

test.concurrent(
  'a known contact that is refused is held, and is known again after an accepted message',
  async () => {
    const { account } = phones.pop()!;
    const { id, to } = await world.sendOne(account);
    await world.untilStatus(id, 'delivered');
    await world.peer.behave({ number: to, ack: { answer: 'refuse', code: 463, times: 1 } });
    await world.untilStatus((await world.sendOne(account, to)).id, 'failed');
    const held = await world.sendOne(account, to);
    await until(async () => (await dueInMs(held.id)) > 23 * hourMs);
    await passHolds(account, to);
    await world.untilStatus(held.id, 'delivered');
    const next = await world.sendOne(account, to);
    await world.untilStatus(next.id, 'delivered');
    expect(await stanzasTo(to)).toBe(4);
  },
);

test.concurrent('a refused contact holds other contacts for a shorter time than itself', async () => {
  const { account } = phones.pop()!;
  const to = world.newNumber();
  await world.peer.behave({ number: to, ack: { answer: 'refuse', code: 463, times: 1 } });
  await world.untilStatus((await world.sendOne(account, to)).id, 'failed');
  const [same, other] = [await world.sendOne(account, to), await world.sendOne(account)];
  await until(async () => (await dueInMs(same.id)) > 23 * hourMs);
  await until(async () => (await dueInMs(other.id)) > 0);
  expect(await dueInMs(other.id)).toBeLessThan(2 * hourMs);
});

test.concurrent(
  '12 messages during 8 s of 503s are all sent afterwards, none failed and no attempt burnt',
  async () => {
    const { phone, account } = phones.pop()!;
    await world.peer.behave({ account: phone, ack: { answer: 'refuse', code: 503 } });
    const ids = await world.send(
      account,
      Array.from({ length: 12 }, (_, index) => ({
        to: world.newNumber(),
        body: { text: `message ${index}` },
      })),
    );
    await delay(8_000);
    await world.peer.behave({ account: phone, ack: null });
    for (const id of ids) {
      await world.untilStatus(id, 'delivered');
      expect(await world.message(id)).toMatchObject({ attempts: 1 });
    }
    const refused = (await world.peer.log()).stanzas.filter(
      ({ from, answer }) => from.startsWith(phone) && answer === 503,
    );
    expect(refused.length).toBeLessThan(4);
  },
);

test.concurrent.each([
  [429, 55_000],
  [503, 4_500],
])('an ack error %d holds the account, and each in a row holds it longer', async (code, atLeastMs) => {
  const { phone, account } = phones.pop()!;
  await world.peer.behave({ account: phone, ack: { answer: 'refuse', code } });
  const sentAt = Date.now();
  const { id, to } = await world.sendOne(account);
  await until(async () => (await heldMs(account, sentAt)) > atLeastMs);
  expect(await heldMs(account)).toBeLessThan(atLeastMs * 1.5);
  const dueAt = Date.now();
  await makeDue(account);
  await until(async () => (await heldMs(account, dueAt)) > atLeastMs * 1.9);
  expect(await stanzasTo(to)).toBe(2);
  expect(await world.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
});

test.concurrent('a hold by WhatsApp outlasts its connection', async () => {
  const { phone, account } = phones.pop()!;
  await world.peer.behave({ account: phone, ack: { answer: 'refuse', code: 429, times: 1 } });
  const { id, to } = await world.sendOne(account);
  await until(async () => (await heldMs(account)) > 50_000);
  await world.peer.cut(phone);
  await until(async () => (await world.stateOf(account)).status !== 'connected');
  await until(async () => (await world.stateOf(account)).status === 'connected');
  await world.wake(account);
  await until(async () => (await dueInMs(id)) <= 0);
  expect(await heldMs(account)).toBeGreaterThan(40_000);
  expect(await stanzasTo(to)).toBe(1);
});

test.concurrent.each([429, 503])(
  'a look-up refused with %d holds the account and fails no message',
  async (code) => {
    const { phone, account } = phones.pop()!;
    await world.peer.behave({ account: phone, refusedQueries: { 'usync/get/usync': code } });
    const sentAt = Date.now();
    const { id } = await world.sendOne(account);
    await until(async () => (await heldMs(account, sentAt)) > 4_000);
    expect(await world.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await world.peer.behave({ account: phone, refusedQueries: null });
    await makeDue(account);
    await world.untilStatus(id, 'delivered');
  },
);

test.concurrent(
  'a look-up with an error inside its answer holds the account, because the number may be on WhatsApp',
  async () => {
    const { phone, account } = phones.pop()!;
    await world.peer.behave({ account: phone, usyncErrors: { contact: 429 } });
    const { id } = await world.sendOne(account);
    await until(async () => (await heldMs(account)) > 50_000);
    expect(await world.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await world.peer.behave({ account: phone, usyncErrors: { devices: 503, lid: 503 } });
    const dueAt = Date.now();
    await makeDue(account);
    await until(async () => (await heldMs(account, dueAt)) > 9_000);
    await world.peer.behave({ account: phone, usyncErrors: null });
    await makeDue(account);
    await world.untilStatus(id, 'delivered');
  },
);

test.concurrent('a temporary refusal of keys holds the account', async () => {
  const { phone, account } = phones.pop()!;
  await world.peer.behave({ account: phone, refusedQueries: { 'encrypt/get/key': 503 } });
  const sentAt = Date.now();
  const { id } = await world.sendOne(account);
  await until(async () => (await heldMs(account, sentAt)) > 4_000);
  expect(await world.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
  await world.peer.behave({ account: phone, refusedQueries: null });
  await makeDue(account);
  await world.untilStatus(id, 'delivered');
});

test.concurrent(
  'a message that WhatsApp calls malformed fails at once; an unknown error gets five attempts',
  async () => {
    const { account } = phones.pop()!;
    const to = world.newNumber();
    await world.peer.behave({ number: to, ack: { answer: 'refuse', code: 400 } });
    const malformed = await world.sendOne(account, to);
    await world.untilStatus(malformed.id, 'failed');
    expect(await world.message(malformed.id)).toMatchObject({ error_code: 'provider-rejected', attempts: 1 });
    const strange = world.newNumber();
    await world.peer.behave({ number: strange, ack: { answer: 'refuse', code: 477 } });
    const { id } = await world.sendOne(account, strange);
    for (let attempt = 1; attempt < 5; attempt += 1) {
      await until(async () => (await stanzasTo(strange)) >= attempt);
      await until(async () => (await world.message(id)).attempts >= attempt);
      await makeDue(account);
    }
    await world.untilStatus(id, 'failed');
    expect(await world.message(id)).toMatchObject({ error_code: 'provider-rejected', attempts: 5 });
  },
);

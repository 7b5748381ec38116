import { setTimeout as delay } from 'node:timers/promises';
import type { TestTenant } from '@notify/testkit';
import { wireId } from '../src/sending/message-id.ts';
import { type Linked, openWorld, until, type World } from './world.ts';

// They wait side by side, each with its own phone.

let world: World;
let phones: Linked[];

/** No sweeper runs, so a receipt is applied at once or never. */
beforeAll(async () => {
  world = await openWorld({ WHATSAPP_ACK_SECONDS: '1' }, { sweeps: false });
  await world.start();
  phones = await world.linkMany(4);
});

afterAll(() => world[Symbol.asyncDispose]());

const silence = { deliveredAfterMs: null, readAfterMs: null };

async function stanzasTo(to: string): Promise<number> {
  return (await world.peer.log()).stanzas.filter((one) => one.to === to).length;
}

async function receiptsLeft({ accountId }: TestTenant): Promise<number> {
  const receipts = world.db.selectFrom('receipts').select('id').where('account_id', '=', accountId);
  return (await receipts.execute()).length;
}

test.concurrent('missed receipts are applied as soon as the account reconnects', async () => {
  const { phone, account } = phones.pop()!;
  const to = Array.from({ length: 20 }, () => world.newNumber());
  for (const number of to) await world.peer.behave({ number, receipts: silence });
  const sent = await Promise.all(to.map((number) => world.sendOne(account, number)));
  for (const { id } of sent) await world.untilStatus(id, 'sent');
  await world.peer.behave({ account: phone, refuseLogin: 503 });
  await world.peer.cut(phone);
  await until(async () => (await world.stateOf(account)).status !== 'connected');
  for (const { id, to: from } of sent)
    await world.peer.sendReceipt({ account: phone, from, id: wireId(id), kind: 'delivered' });
  await world.peer.behave({ account: phone, refuseLogin: null });
  for (const { id } of sent) await world.untilStatus(id, 'delivered');
  expect(await receiptsLeft(account)).toBe(0);
});

test.concurrent(
  'a receipt after a reconnect settles a message whose ack was lost, so it is not sent again',
  async () => {
    const { phone, account } = phones.pop()!;
    const to = world.newNumber();
    await world.peer.behave({ number: to, ack: { answer: 'lose' }, receipts: silence });
    const { id } = await world.sendOne(account, to);
    await until(async () => (await stanzasTo(to)) === 1);
    await world.peer.behave({ account: phone, refuseLogin: 503 });
    await world.peer.cut(phone);
    await until(async () => (await world.stateOf(account)).status !== 'connected');
    await world.peer.sendReceipt({ account: phone, from: to, id: wireId(id), kind: 'delivered' });
    await world.peer.behave({ account: phone, refuseLogin: null });
    await world.untilStatus(id, 'delivered');
    expect(await stanzasTo(to)).toBe(1);
    expect(await receiptsLeft(account)).toBe(0);
    expect(await world.message(id)).toMatchObject({ external_id: wireId(id), attempts: 1 });
  },
);

test.concurrent('a receipt that arrives before the server’s ack is applied at once', async () => {
  const { account } = phones.pop()!;
  const to = world.newNumber();
  await world.peer.behave({ number: to, ack: { answer: 'lose' } });
  const { id } = await world.sendOne(account, to);
  await world.untilStatus(id, 'delivered');
  expect(await stanzasTo(to)).toBe(1);
  expect(await receiptsLeft(account)).toBe(0);
});

test.concurrent(
  'a connection that keeps closing soon after it opens is opened ever more rarely',
  async () => {
    const { phone, account } = phones.pop()!;
    const openings = async () =>
      (await world.peer.log()).connections.filter(({ jid }) => jid?.startsWith(phone) === true).length;
    const before = await openings();
    const endsAt = Date.now() + 6_000;
    while (Date.now() < endsAt) {
      await world.peer.end(phone, 477);
      await delay(100);
    }
    // The waits are 1, 2 and 4 s, each half shorter at most.
    expect((await openings()) - before).toBeLessThan(4);
    expect((await world.stateOf(account)).status).not.toBe('action-required');
  },
);

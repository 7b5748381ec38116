import type { TestTenant } from '@notify/testkit';
import { wireId } from '../src/sending/message-id.ts';
import { openWorld, until, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld({ WHATSAPP_ACK_SECONDS: '1' });
  await world.start();
});

afterAll(() => world[Symbol.asyncDispose]());

interface Exchange {
  readonly phone: string;
  readonly account: TestTenant;
  readonly to: string;
}

async function exchange(): Promise<Exchange> {
  const phone = world.newPhone();
  return { phone, account: await world.linked(phone), to: world.newNumber() };
}

/** The number of copies that a recipient got, and the texts it could read. */
async function exchanged(to: string) {
  const { stanzas, messages } = await world.peer.log();
  const read = messages.filter((one) => one.to === to).map(({ text, duplicate }) => ({ text, duplicate }));
  return { stanzas: stanzas.filter((one) => one.to === to).length, read };
}

/** A sent message without a receipt. */
async function sentInSilence({ account, to }: Exchange): Promise<string> {
  await world.peer.behave({ number: to, receipts: { deliveredAfterMs: null, readAfterMs: null } });
  const { id } = await world.sendOne(account, to);
  await world.untilStatus(id, 'sent');
  return id;
}

const reportsOf = async (id: string) =>
  (await world.message(id)) as unknown as { readonly reports: readonly object[] };

test.each([false, true])(
  'a phone that asks five times, with new keys %s, gets the message',
  async (withKeys) => {
    const { account, to } = await exchange();
    await world.peer.behave({ number: to, retry: { times: 5, withKeys } });
    const { id } = await world.sendOne(account, to);
    await world.untilStatus(id, 'delivered');
    expect(await exchanged(to)).toEqual({ stanzas: 6, read: [{ text: 'hello', duplicate: false }] });
  },
);

test('a sixth request of a phone gets nothing, and the message fails', async () => {
  const { phone, account, to } = await exchange();
  await world.peer.behave({ number: to, retry: { times: 50 } });
  const { id } = await world.sendOne(account, to);
  await world.untilStatus(id, 'failed');
  expect(await world.message(id)).toMatchObject({
    error_code: 'undelivered',
    error: expect.stringMatching(/could not read the message, and it was sent again 5 times/),
    reports: [{ status: 'failed', errorCode: 'undelivered' }],
  });
  expect(await exchanged(to)).toEqual({ stanzas: 6, read: [] });
  // Later requests need no look-up.
  const keys = async () => (await world.peer.log()).queries[`${phone}:1@s.whatsapp.net encrypt/get/key`];
  const before = await keys();
  await world.peer.askAgain({ account: phone, from: to, id: wireId(id) });
  await world.peer.when(({ accounts }) => accounts.every(({ unacknowledged }) => unacknowledged === 0));
  expect(await keys()).toBe(before);
  await world.peer.sendReceipt({ account: phone, from: to, id: wireId(id), kind: 'delivered' });
  await world.untilStatus(id, 'delivered');
});

test('a message that is no longer kept cannot be sent again, so it fails', async () => {
  const one = await exchange();
  const id = await sentInSilence(one);
  await world.db.deleteFrom('whatsapp_sent').where('account_id', '=', one.account.accountId).execute();
  await world.peer.askAgain({ account: one.phone, from: one.to, id: wireId(id) });
  await world.untilStatus(id, 'failed');
  expect(await world.message(id)).toMatchObject({ error: expect.stringMatching(/no longer kept/) });
});

test('a message that WhatsApp refuses on its second send fails', async () => {
  const one = await exchange();
  const id = await sentInSilence(one);
  await world.peer.behave({ number: one.to, ack: { answer: 'refuse', code: 479 } });
  await world.peer.askAgain({ account: one.phone, from: one.to, id: wireId(id) });
  await world.untilStatus(id, 'failed');
  expect(await world.message(id)).toMatchObject({
    error_code: 'undelivered',
    error: expect.stringMatching(/479/),
    reports: [{ providerCode: '479' }],
  });
});

test('a message that cannot be encrypted again fails', async () => {
  const one = await exchange();
  const id = await sentInSilence(one);
  await world.peer.behave({ account: one.phone, unanswered: ['encrypt/get/key'] });
  await world.peer.askAgain({ account: one.phone, from: one.to, id: wireId(id) });
  await world.untilStatus(id, 'failed');
  expect(await world.message(id)).toMatchObject({ error: expect.stringMatching(/could not be sent again/) });
});

test('a recipient’s linked device that can never read a message only adds a line to the timeline', async () => {
  const { account, to } = await exchange();
  await world.peer.setNumber(to, { devices: [0, 3] });
  await world.peer.behave({ number: to, retry: { times: 50, of: 3 } });
  const { id } = await world.sendOne(account, to);
  await until(async () => (await reportsOf(id)).reports.length > 0);
  expect(await world.message(id)).toMatchObject({
    status: 'sent',
    reports: [{ status: 'sent', text: expect.stringMatching(/linked device.*could not read.*5 times/) }],
  });
});

test('the requests of a device are counted with the message, for any process that sends it again', async () => {
  const { account, to } = await exchange();
  await world.peer.behave({ number: to, retry: { times: 4 } });
  const { id } = await world.sendOne(account, to);
  await world.untilStatus(id, 'delivered');
  const asked = await world.db
    .selectFrom('whatsapp_sent')
    .select('asked_again')
    .where('account_id', '=', account.accountId)
    .execute();
  expect(asked).toEqual([{ asked_again: { [`${to}@s.whatsapp.net`]: 4 } }]);
});

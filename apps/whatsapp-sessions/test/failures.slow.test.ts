import { requestLink, requestUnlink } from '@notify/db/whatsapp';
import type { RunningProcess, TestTenant } from '@notify/testkit';
import { wireId } from '../src/sending/message-id.ts';
import { hurried, type Linked, openWorld, until, type World } from './world.ts';

// They wait side by side, each with its own phone.

let world: World;
let sessions: RunningProcess;
let phones: Linked[];
/** It may write to nobody. */
let mute: Linked;

beforeAll(async () => {
  world = await openWorld({ WHATSAPP_KEEP_ALIVE_SECONDS: '1', WHATSAPP_ACK_SECONDS: '1' });
  sessions = await world.start();
  phones = await world.linkMany(9);
  const phone = world.newPhone();
  mute = { phone, account: await world.linked(phone, { ...hurried, newContactsPerDay: 0 }) };
});

afterAll(() => world[Symbol.asyncDispose]());

const untilState = (account: TestTenant, status: string) =>
  until(async () => (await world.stateOf(account)).status === status);

const received = async (to: string) => (await world.peer.log()).messages.filter((entry) => entry.to === to);

test.concurrent(
  'a message to a number that is not on WhatsApp fails after one look-up, and nothing is sent',
  async () => {
    const { phone, account } = phones.pop()!;
    const to = world.newNumber();
    await world.peer.setNumber(to, { exists: false });
    for (let time = 0; time < 2; time += 1) {
      const { id } = await world.sendOne(account, to);
      await world.untilStatus(id, 'failed');
      expect(await world.message(id)).toMatchObject({
        error_code: 'recipient-unreachable',
        error: expect.stringMatching(/not on WhatsApp/),
      });
    }
    const { stanzas, queries } = await world.peer.log();
    expect(stanzas.filter((entry) => entry.to === to)).toEqual([]);
    const asked = Object.entries(queries).filter(
      ([key]) => key.startsWith(`${phone}:`) && key.includes('usync'),
    );
    expect(asked.map(([, times]) => times)).toEqual([1]);
  },
);

test.concurrent('a recipient without a named device gets nothing until a device is named', async () => {
  const { account } = phones.pop()!;
  const known = await world.sendOne(account);
  await world.untilStatus(known.id, 'delivered');
  const to = world.newNumber();
  await world.db
    .insertInto('whatsapp_contacts')
    .values({
      account_id: account.accountId,
      recipient: to,
      jid: `${to}@s.whatsapp.net`,
      checked_at: new Date(),
    })
    .execute();
  await world.peer.setNumber(to, { exists: false });
  const { id } = await world.sendOne(account, to);
  await until(async () => (await attemptsOf(id)).includes('retry'));
  expect((await world.peer.log()).stanzas.filter((entry) => entry.to === to)).toEqual([]);
  await world.peer.setNumber(to, { exists: true });
  await world.untilStatus(id, 'delivered');
});

async function attemptsOf(id: string): Promise<string[]> {
  const rows = await world.db.selectFrom('attempts').select('outcome').where('message_id', '=', id).execute();
  return rows.map((row) => row.outcome);
}

test.concurrent(
  'a message that the server never acknowledges is sent again over a new connection, under the same id',
  async () => {
    const { account } = phones.pop()!;
    const to = world.newNumber();
    const silence = { deliveredAfterMs: null, readAfterMs: null };
    await world.peer.behave({ number: to, ack: { answer: 'lose', times: 1 }, receipts: silence });
    const { id } = await world.sendOne(account, to);
    await world.untilStatus(id, 'sent');
    expect(await world.message(id)).toMatchObject({ possible_duplicate: false });
    expect(await attemptsOf(id)).toEqual(['unknown', 'accepted']);
    expect((await received(to)).map((entry) => [entry.id, entry.duplicate])).toEqual([
      [wireId(id), false],
      [wireId(id), true],
    ]);
  },
);

test.concurrent(
  'after a lost connection the account reconnects, and the messages accepted meanwhile are sent',
  async () => {
    const { phone, account } = phones.pop()!;
    await world.peer.cut(phone);
    const { id } = await world.sendOne(account);
    await world.untilStatus(id, 'delivered');
    expect(await world.stateOf(account)).toEqual({ status: 'connected', detail: null });
  },
);

test.concurrent(
  'a frame that cannot be read, and a query that is refused, end only their own connection',
  async () => {
    const { phone, account } = phones.pop()!;
    const groups = 'w:g2/get/participating';
    await world.peer.behave({ account: phone, unanswered: [groups] });
    await world.peer.changeGroups(phone);
    await world.peer.when(({ queries }) =>
      Object.keys(queries).some((key) => key.startsWith(phone) && key.endsWith(groups)),
    );
    await world.peer.sendGarbage(phone);
    await world.peer.when(({ connections }) =>
      connections.some((one) => one.jid?.startsWith(phone) === true && one.closedAt !== null),
    );
    const { id } = await world.sendOne(account);
    await world.untilStatus(id, 'delivered');
    expect(sessions.process.exitCode).toBeNull();
  },
);

test.concurrent('a server that stops answering is noticed, and the tenant is told', async () => {
  const { phone, account } = phones.pop()!;
  await world.peer.behave({ account: phone, frozen: true });
  await untilState(account, 'connecting');
  expect((await world.stateOf(account)).detail).toMatch(/lost/);
  const { id } = await world.sendOne(account);
  await world.peer.behave({ account: phone, frozen: null });
  await world.untilStatus(id, 'delivered');
});

async function keysOf({ accountId }: TestTenant): Promise<number> {
  const keys = await world.db
    .selectFrom('whatsapp_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .execute();
  return keys.length;
}

test.concurrent('unlinking logs the device out at WhatsApp and deletes all its data', async () => {
  const { phone, account } = phones.pop()!;
  await requestUnlink(world.db, account.tenantId, account.accountId);
  await world.wake(account);
  await untilState(account, 'action-required');
  const { accounts } = await world.peer.log();
  expect(accounts.filter((one) => one.phone === phone).map((one) => one.loggedOut)).toEqual([true]);
  expect(await keysOf(account)).toBe(0);
  expect(await world.linkOf(account)).toMatchObject({ step: 'idle', phone: null });
});

test.concurrent(
  'unlinking a blocked account deletes it at once and tells the tenant to check the phone',
  async () => {
    const { phone, account } = phones.pop()!;
    await world.peer.behave({ account: phone, refuseLogin: 403 });
    await world.peer.cut(phone);
    await untilState(account, 'action-required');
    await requestUnlink(world.db, account.tenantId, account.accountId);
    await world.wake(account);
    await until(async () => (await world.linkOf(account)).step === 'idle');
    expect((await world.stateOf(account)).detail).toMatch(/remove it there/);
    expect(await keysOf(account)).toBe(0);
  },
);

test.concurrent('a removed account is logged out too, and its waiting messages fail', async () => {
  const { phone, account } = mute;
  const { id } = await world.sendOne(account);
  await world.db
    .updateTable('channel_accounts')
    .set({ deleted_at: new Date() })
    .where('id', '=', account.accountId)
    .execute();
  await world.wake(account);
  await world.untilStatus(id, 'failed');
  expect(await world.message(id)).toMatchObject({ error_code: 'channel-account-removed' });
  // The phone logs the device out first, and then sees its connection end.
  const { accounts } = await world.peer.when((log) =>
    log.accounts.some((one) => one.phone === phone && one.loggedOut && !one.connected),
  );
  expect(accounts.filter((one) => one.phone === phone)).toMatchObject([{ connected: false }]);
});

// These link a phone: the process does nothing else while it makes the keys, so they run alone.

test('a device that is unlinked before its first connection is logged out as soon as it connects', async () => {
  const phone = world.newPhone();
  const account = await world.account(hurried);
  await world.peer.behave({ account: phone, refuseLogin: 503 });
  await requestLink(world.db, account.tenantId, account.accountId, null);
  await world.wake(account);
  await world.peer.scan(await world.shown(account), phone);
  await until(async () => (await world.linkOf(account)).step === 'connected');
  await requestUnlink(world.db, account.tenantId, account.accountId);
  await world.wake(account);
  const refused = async () =>
    (await world.peer.log()).rejected.filter((entry) => entry.from.startsWith(phone)).length;
  const before = await refused();
  await until(async () => (await refused()) >= before + 2);
  expect(await world.linkOf(account)).toMatchObject({ phone, wanted: 'unlink' });

  await world.peer.behave({ account: phone, refuseLogin: null });
  await until(async () => (await world.linkOf(account)).step === 'idle');
  const { accounts } = await world.peer.log();
  expect(accounts.filter((one) => one.phone === phone).map((one) => one.loggedOut)).toEqual([true]);
  expect((await world.stateOf(account)).detail).toMatch(/scan its QR code/);
  expect(await keysOf(account)).toBe(0);
});

test('when the phone removes the device, its keys are deleted, messages are held, and the tenant is told what to do', async () => {
  const { phone, account } = phones.pop()!;
  await world.peer.unlink(phone);
  await untilState(account, 'action-required');
  expect((await world.stateOf(account)).detail).toMatch(/Link it again/);
  expect(await keysOf(account)).toBe(0);
  const { id } = await world.sendOne(account);
  await world.link(account, phone);
  await world.untilStatus(id, 'delivered');
});

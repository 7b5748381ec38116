import type { TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { hurried, openWorld, until, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.start();
});

afterAll(() => world[Symbol.asyncDispose]());

/** The number of queries of one kind from the devices of a phone. */
async function asked(phone: string, name: string): Promise<number> {
  const { queries } = await world.peer.log();
  const mine = Object.entries(queries).filter(([key]) => key.startsWith(`${phone}:`) && key.endsWith(name));
  return mine.reduce((sum, [, times]) => sum + times, 0);
}

const usync = 'usync/get/usync';

test('a message to a recipient without a LID fails with a reason, and later ones fail without a query', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const to = world.newNumber();
  await world.peer.setNumber(to, { lid: false });
  const first = await world.sendOne(account, to);
  await world.untilStatus(first.id, 'failed');
  expect(await world.message(first.id)).toMatchObject({
    error_code: 'recipient-unreachable',
    error: expect.stringMatching(/LID/),
    attempts: 1,
  });
  const before = await asked(phone, usync);
  expect(before).toBeLessThanOrEqual(3);
  const second = await world.sendOne(account, to);
  await world.untilStatus(second.id, 'failed');
  expect(await asked(phone, usync)).toBe(before);
  expect((await world.peer.log()).stanzas.filter((entry) => entry.to === to)).toEqual([]);
  expect(await world.linkOf(account)).toMatchObject({ newContacts: 0 });
});

test('a recipient whose LID appears later gets messages once the cached answer has expired', async () => {
  const account = await world.linked(world.newPhone());
  const to = world.newNumber();
  await world.peer.setNumber(to, { lid: false });
  const first = await world.sendOne(account, to);
  await world.untilStatus(first.id, 'failed');
  await world.peer.setNumber(to, { lid: true });
  const early = await world.sendOne(account, to);
  await world.untilStatus(early.id, 'failed');
  await world.db
    .updateTable('whatsapp_contacts')
    .set({ no_lid_until: new Date() })
    .where('recipient', '=', to)
    .execute();
  const later = await world.sendOne(account, to);
  await world.untilStatus(later.id, 'delivered');
  expect(await world.message(early.id)).toMatchObject({ status: 'failed', attempts: 1 });
});

/** The devices of a recipient that have read a text. */
async function readBy(to: string, text: string): Promise<number[]> {
  const { messages } = await world.peer.log();
  return messages.filter((one) => one.to === to && one.text === text).map(({ device }) => device);
}

async function sendText(account: TestTenant, to: string, text: string): Promise<void> {
  const { id } = await world.sendOne(account, to, text);
  await world.untilStatus(id, 'delivered');
}

const changes = [
  { change: 'add', device: 7, by: 'number' },
  { change: 'add', device: 7, by: 'lid' },
  { change: 'update', by: 'number' },
  { change: 'update', by: 'lid' },
] as const;

test.each(changes)(
  'a new device of a recipient gets the next message: announced by $change, $by',
  async (change) => {
    const phone = world.newPhone();
    const account = await world.linked(phone);
    const to = world.newNumber();
    await sendText(account, to, 'first');
    await world.peer.setNumber(to, { devices: [0, 7] });
    await world.peer.notify({ account: phone, kind: 'devices', of: to, ...change });
    await sendText(account, to, 'second');
    expect(await readBy(to, 'first')).toEqual([0]);
    expect(await readBy(to, 'second')).toEqual([0, 7]);
  },
);

test('a new device without a notification gets messages after an ack with another device hash', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const to = world.newNumber();
  await sendText(account, to, 'first');
  const before = await asked(phone, usync);
  await world.peer.setNumber(to, { devices: [0, 7] });
  await sendText(account, to, 'second');
  await sendText(account, to, 'third');
  expect(await readBy(to, 'second')).toEqual([0]);
  expect(await readBy(to, 'third')).toEqual([0, 7]);
  const after = await asked(phone, usync);
  await sendText(account, to, 'fourth');
  expect(await asked(phone, usync)).toBe(after);
  expect(after).toBeGreaterThan(before);
});

test('a number that WhatsApp knows as another gets no message after its STOP, and has one conversation', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone, { ...hurried, inbound: 'all' });
  for (const [to, knownAs] of [
    ['5511987650000', '551187650000'],
    [world.newNumber(), world.newNumber()],
  ] as const) {
    await world.peer.setNumber(to, { knownAs });
    const first = await world.sendOne(account, `+${to}`);
    await world.untilStatus(first.id, 'delivered');
    await world.peer.write({ account: phone, from: knownAs, text: 'STOP' });
    await until(async () => {
      const rows = await world.db
        .selectFrom('consents')
        .select('address')
        .where('account_id', '=', account.accountId)
        .execute();
      return rows.some(({ address }) => address === `+${knownAs}`);
    });
    for (const spelling of [to, knownAs]) {
      const later = await world.sendOne(account, `+${spelling}`);
      await world.untilStatus(later.id, 'failed');
      expect(await world.message(later.id)).toMatchObject({ error_code: 'recipient-opted-out' });
    }
    const { stanzas } = await world.peer.log();
    expect(stanzas.filter((stanza) => [to, knownAs].includes(stanza.to))).toMatchObject([{ to: knownAs }]);
  }
  const { rows } = await sql<{ address: string }>`
    select address from conversations where account_id = ${account.accountId}`.execute(world.db);
  expect(rows).toHaveLength(2);
  expect(await world.linkOf(account)).toMatchObject({ newContacts: 2 });
});

test('a number that WhatsApp knows in the other spelling only is found', async () => {
  const account = await world.linked(world.newPhone());
  await world.peer.setNumber('541123456789', { exists: false });
  const { id } = await world.sendOne(account, '+541123456789');
  await world.untilStatus(id, 'delivered');
  expect((await world.peer.log()).stanzas.filter(({ to }) => to === '5491123456789')).toHaveLength(1);
});

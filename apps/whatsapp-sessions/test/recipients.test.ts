import { jest } from '@jest/globals';
import { openWorld, type World } from './world.ts';

jest.setTimeout(180_000);

let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.start();
}, 180_000);

afterAll(() => world[Symbol.asyncDispose]());

/** How many questions of one kind the devices of a phone have asked. */
async function asked(phone: string, name: string): Promise<number> {
  const { queries } = await world.peer.log();
  const mine = Object.entries(queries).filter(([key]) => key.startsWith(`${phone}:`) && key.endsWith(name));
  return mine.reduce((sum, [, times]) => sum + times, 0);
}

const usync = 'usync/get/usync';

test('a recipient without a LID: the message fails with a reason, and the next ones fail without asking again', async () => {
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

test('a recipient whose LID is told later is written to once the answer from before is forgotten', async () => {
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
});

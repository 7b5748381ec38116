import { jest } from '@jest/globals';
import type { TestTenant } from '@notify/testkit';
import { hurried, openWorld, until, type World } from './world.ts';

jest.setTimeout(180_000);

let world: World;
let phones = 15_550_600_000;
let numbers = 15_550_700_000;

beforeAll(async () => {
  world = await openWorld();
  await world.start();
}, 180_000);

afterAll(() => world[Symbol.asyncDispose]());

const newPhone = () => String((phones += 1));
const newNumber = () => String((numbers += 1));

async function sendOne(
  account: TestTenant,
  to = newNumber(),
  text = 'hello',
): Promise<{ id: string; to: string }> {
  const [id] = await world.send(account, [{ to, body: { text } }]);
  return { id: id!, to };
}

const message = (id: string) =>
  world.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const untilStatus = (id: string, ...statuses: string[]) =>
  until(async () => statuses.includes((await message(id)).status));

test('463 fails the message at once and holds new contacts back, not those who were written to before', async () => {
  const account = await world.linked(newPhone());
  const known = await sendOne(account);
  await untilStatus(known.id, 'delivered');
  const to = newNumber();
  await world.peer.behave({ number: to, ack: { answer: 'refuse', code: 463, times: 1 } });
  const refused = await sendOne(account, to);
  await untilStatus(refused.id, 'failed');
  expect(await message(refused.id)).toMatchObject({ error_code: 'account-restricted', attempts: 1 });
  const { restrictedUntil } = await world.linkOf(account);
  expect(restrictedUntil!.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  const fresh = await sendOne(account);
  const again = await sendOne(account, known.to);
  await untilStatus(again.id, 'delivered');
  await until(async () => (await dueInMs(fresh.id)) > 23 * 3_600_000);
  expect(await message(fresh.id)).toMatchObject({ status: 'queued', attempts: 0 });
});

async function dueInMs(id: string): Promise<number> {
  const { due_at: at } = await world.db
    .selectFrom('dispatch_due')
    .select('due_at')
    .where('message_id', '=', id)
    .executeTakeFirstOrThrow();
  return at.getTime() - Date.now();
}

test('two messages are as far apart as the account wants', async () => {
  const account = await world.linked(newPhone(), {
    ...hurried,
    minIntervalSeconds: 1,
    maxIntervalSeconds: 1.2,
  });
  const [first, second] = [newNumber(), newNumber()];
  await world.send(
    account,
    [first, second].map((to) => ({ to, body: { text: 'hello' } })),
  );
  const { messages } = await world.peer.when(
    (log) => log.messages.filter(({ to }) => to === first || to === second).length === 2,
  );
  const [a, b] = messages.filter(({ to }) => to === first || to === second).map(({ at }) => at);
  expect(b! - a!).toBeGreaterThan(900);
});

test('new contacts beyond those of the day wait; those who were written to before do not', async () => {
  const account = await world.linked(newPhone(), { ...hurried, newContactsPerDay: 1 });
  const known = await sendOne(account);
  await untilStatus(known.id, 'delivered');
  const waiting = await Promise.all([sendOne(account), sendOne(account)]);
  const again = await sendOne(account, known.to);
  await untilStatus(again.id, 'delivered');
  for (const { id } of waiting) {
    await until(async () => (await dueInMs(id)) > 23 * 3_600_000);
    expect(await message(id)).toMatchObject({ status: 'queued', attempts: 0 });
  }
  expect(await world.linkOf(account)).toMatchObject({ newContacts: 1 });
});

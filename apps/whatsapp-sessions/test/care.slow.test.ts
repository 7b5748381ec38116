import { hurried, openWorld, until, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.start();
});

afterAll(() => world[Symbol.asyncDispose]());

test('463 fails the message at once and holds new contacts, but not known ones', async () => {
  const phone = world.newPhone();
  const account = await world.linked(phone);
  const known = await world.sendOne(account);
  await world.untilStatus(known.id, 'delivered');
  const to = world.newNumber();
  await world.peer.behave({ account: phone, restrictedUntil: Math.floor(Date.now() / 1_000) + 24 * 3_600 });
  await world.peer.behave({ number: to, ack: { answer: 'refuse', code: 463, times: 1 } });
  const refused = await world.sendOne(account, to);
  await world.untilStatus(refused.id, 'failed');
  expect(await world.message(refused.id)).toMatchObject({ error_code: 'account-restricted', attempts: 1 });
  const { restrictedUntil } = await world.linkOf(account);
  expect(restrictedUntil!.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  const fresh = await world.sendOne(account);
  const again = await world.sendOne(account, known.to);
  await world.untilStatus(again.id, 'delivered');
  await until(async () => (await dueInMs(fresh.id)) > 23 * 3_600_000);
  expect(await world.message(fresh.id)).toMatchObject({ status: 'queued', attempts: 0 });
});

async function dueInMs(id: string): Promise<number> {
  const { due_at: at } = await world.db
    .selectFrom('dispatch_due')
    .select('due_at')
    .where('message_id', '=', id)
    .executeTakeFirstOrThrow();
  return at.getTime() - Date.now();
}

test('two messages are as far apart as the account is set to', async () => {
  const account = await world.linked(world.newPhone(), {
    ...hurried,
    minIntervalSeconds: 1,
    maxIntervalSeconds: 1.2,
  });
  const [first, second] = [world.newNumber(), world.newNumber()];
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

test('new contacts above the daily limit wait; known contacts do not', async () => {
  const account = await world.linked(world.newPhone(), { ...hurried, newContactsPerDay: 1 });
  const known = await world.sendOne(account);
  await world.untilStatus(known.id, 'delivered');
  const waiting = await Promise.all([world.sendOne(account), world.sendOne(account)]);
  const again = await world.sendOne(account, known.to);
  await world.untilStatus(again.id, 'delivered');
  for (const { id } of waiting) {
    await until(async () => (await dueInMs(id)) > 23 * 3_600_000);
    expect(await world.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
  }
  expect(await world.linkOf(account)).toMatchObject({ newContacts: 1 });
});

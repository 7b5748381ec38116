import { createPermits, quantum } from './permits.ts';

test('permits run out, and go to waiting users in the order they asked', async () => {
  const permits = createPermits(2);
  const [first, second] = permits.tryAcquire(5);
  expect(permits.inUse).toBe(2);
  const order: string[] = [];
  const a = permits.acquire().then((release) => (order.push('a'), release));
  const b = permits.acquire().then((release) => (order.push('b'), release));
  expect(permits.waiting).toBe(2);
  first!();
  first!();
  const releaseA = await a;
  expect(order).toEqual(['a']);
  second!();
  const releaseB = await b;
  expect(order).toEqual(['a', 'b']);
  releaseA();
  releaseB();
  expect([permits.inUse, permits.waiting]).toEqual([0, 0]);
});

test('permits are handed on a few together, and never more than are wanted', async () => {
  const permits = createPermits(32);
  const held = await permits.acquireSome(32);
  const [many, one] = [permits.acquireSome(20), permits.acquireSome(1)];
  held.pop()!();
  expect(permits).toMatchObject({ inUse: 31, waiting: 2 });
  expect(permits.tryAcquire(1)).toEqual([]);
  held.pop()!();
  expect(permits).toMatchObject({ inUse: 32, waiting: 1 });
  expect(await many).toHaveLength(2);
  held.pop()!();
  expect(await one).toHaveLength(1);
});

test('a user that waits for several gets what is free after a moment', async () => {
  const permits = createPermits(32);
  const held = await permits.acquireSome(32);
  const wanted = permits.acquireSome(2);
  held.pop()!();
  expect(await wanted).toHaveLength(1);
  expect(permits).toMatchObject({ inUse: 32, waiting: 0 });
});

test('a user granted 50 in a row waits behind users with little to do, until it runs dry', async () => {
  const permits = createPermits(50);
  permits.ranDry('busy');
  permits.ranDry('little');
  const held = await permits.acquireSome(50, 'busy');
  const order: string[] = [];
  const wait = (user: string) =>
    permits.acquireSome(1, user).then(([release]) => {
      order.push(user);
      return release!;
    });
  const waiting = [wait('busy'), wait('little'), wait('new')];
  held.pop()!();
  await waiting[1];
  held.pop()!();
  await waiting[2];
  // The last three are not for users with a backlog.
  for (const release of held.splice(0, 4)) release();
  await waiting[0];
  expect(order).toEqual(['little', 'new', 'busy']);
  expect(permits.inUse).toBe(47);

  const fill = await permits.acquireSome(3);
  permits.ranDry('busy');
  const again = [wait('busy'), wait('little')];
  held.pop()!();
  await again[0];
  held.pop()!();
  await again[1];
  expect(order.slice(3)).toEqual(['busy', 'little']);
  expect(fill).toHaveLength(3);
});

test('a user seen for the first time counts as one with a backlog after a few', async () => {
  const permits = createPermits(50);
  const held = await permits.acquireSome(46);
  await permits.acquireSome(4, 'new');
  const order: string[] = [];
  const wait = (user: string) => permits.acquireSome(1, user).then(() => order.push(user));
  const waiting = [wait('new'), wait('newer')];
  held.pop()!();
  await waiting[1];
  for (const release of held.splice(0, 4)) release();
  await waiting[0];
  expect(order).toEqual(['newer', 'new']);
});

test('a sixteenth is reserved: users with little to do are served at once while users with a backlog wait', async () => {
  const permits = createPermits(64);
  permits.ranDry('busy');
  const held = await permits.acquireSome(50, 'busy');
  held.push(...(await permits.acquireSome(64, 'busy')));
  expect(held).toHaveLength(60);
  const waits = permits.acquireSome(8, 'busy');
  expect(await permits.acquireSome(8, 'little')).toHaveLength(4);
  expect(permits).toMatchObject({ inUse: 64, waiting: 1 });
  // These are reserved again.
  for (const release of held.splice(0, 4)) release();
  expect(permits).toMatchObject({ inUse: 60, waiting: 1 });
  for (const release of held.splice(0, 4)) release();
  expect(await waits).toHaveLength(4);
});

test('a user that waits among those with a backlog is served before them once it has run dry', async () => {
  const permits = createPermits(8);
  const held = await permits.acquireSome(4, 'first');
  held.push(...(await permits.acquireSome(4, 'second')));
  const order: string[] = [];
  const wait = (user: string) => permits.acquireSome(1, user).then(() => order.push(user));
  const waiting = [wait('first'), wait('second')];
  permits.ranDry('second');
  held.pop()!();
  await waiting[1];
  held.pop()!();
  await waiting[0];
  expect(order).toEqual(['second', 'first']);
});

test('with fewer than 16 permits, none is reserved', async () => {
  const permits = createPermits(15);
  await permits.acquireSome(4, 'busy');
  expect(await permits.acquireSome(15, 'busy')).toHaveLength(11);
});

/** Lets users wait for one permit in this order. Returns the order in which they get it. */
async function orderOf(
  users: readonly string[],
  waitingFor: (user: string) => Promise<number>,
): Promise<string[]> {
  const permits = createPermits(1, { waitingFor });
  const hold = await permits.acquire();
  const order: string[] = [];
  const waiting = users.map(async (user) => {
    const [release] = await permits.acquireSome(1, user);
    order.push(user);
    release!();
  });
  await new Promise(setImmediate);
  hold();
  await Promise.all(waiting);
  return order;
}

const sixteen = Array.from({ length: 16 }, (_, index) => `earlier ${index}`);

test('in a long queue, the backlogs of new users are counted, and they wait behind the others', async () => {
  const asked: string[] = [];
  const order = await orderOf([...sixteen, 'much', 'little'], async (user) => {
    asked.push(user);
    return user === 'little' ? 0 : quantum;
  });
  expect(asked).toEqual(['much', 'little']);
  expect(order).toEqual([...sixteen, 'little', 'much']);
});

test('a user keeps its place if its work cannot be counted', async () => {
  const users = [...sixteen, 'much', 'little'];
  expect(await orderOf(users, () => Promise.reject(new Error('away')))).toEqual(users);
});

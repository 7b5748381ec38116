import { createAllowance } from './allowance.ts';

test('permits run out, and go to those who wait in their order', async () => {
  const allowance = createAllowance(2);
  const [first, second] = allowance.takeFree(5);
  expect(allowance.inUse).toBe(2);
  const order: string[] = [];
  const a = allowance.take().then((release) => (order.push('a'), release));
  const b = allowance.take().then((release) => (order.push('b'), release));
  expect(allowance.waiting).toBe(2);
  first!();
  first!();
  const releaseA = await a;
  expect(order).toEqual(['a']);
  second!();
  const releaseB = await b;
  expect(order).toEqual(['a', 'b']);
  releaseA();
  releaseB();
  expect([allowance.inUse, allowance.waiting]).toEqual([0, 0]);
});

test('permits are handed on a few together, and never more than are wanted', async () => {
  const allowance = createAllowance(32);
  const held = await allowance.takeSome(32);
  const [many, one] = [allowance.takeSome(20), allowance.takeSome(1)];
  held.pop()!();
  expect(allowance).toMatchObject({ inUse: 31, waiting: 2 });
  expect(allowance.takeFree(1)).toEqual([]);
  held.pop()!();
  expect(allowance).toMatchObject({ inUse: 32, waiting: 1 });
  expect(await many).toHaveLength(2);
  held.pop()!();
  expect(await one).toHaveLength(1);
});

test('who waits for several has what there is after a moment', async () => {
  const allowance = createAllowance(32);
  const held = await allowance.takeSome(32);
  const wanted = allowance.takeSome(2);
  held.pop()!();
  expect(await wanted).toHaveLength(1);
  expect(allowance).toMatchObject({ inUse: 32, waiting: 0 });
});

test('who has taken 50 in a row without being done waits behind who wants little, until it is done', async () => {
  const allowance = createAllowance(50);
  allowance.done('busy');
  allowance.done('little');
  const held = await allowance.takeSome(50, 'busy');
  const order: string[] = [];
  const wait = (taker: string) =>
    allowance.takeSome(1, taker).then(([release]) => {
      order.push(taker);
      return release!;
    });
  const waiting = [wait('busy'), wait('little'), wait('new')];
  held.pop()!();
  await waiting[1];
  held.pop()!();
  await waiting[2];
  // The last three are not for who has a backlog.
  for (const release of held.splice(0, 4)) release();
  await waiting[0];
  expect(order).toEqual(['little', 'new', 'busy']);
  expect(allowance.inUse).toBe(47);

  const fill = await allowance.takeSome(3);
  allowance.done('busy');
  const again = [wait('busy'), wait('little')];
  held.pop()!();
  await again[0];
  held.pop()!();
  await again[1];
  expect(order.slice(3)).toEqual(['busy', 'little']);
  expect(fill).toHaveLength(3);
});

test('who is new and was never done counts as one with a backlog after a few', async () => {
  const allowance = createAllowance(50);
  const held = await allowance.takeSome(46);
  await allowance.takeSome(4, 'new');
  const order: string[] = [];
  const wait = (taker: string) => allowance.takeSome(1, taker).then(() => order.push(taker));
  const waiting = [wait('new'), wait('newer')];
  held.pop()!();
  await waiting[1];
  for (const release of held.splice(0, 4)) release();
  await waiting[0];
  expect(order).toEqual(['newer', 'new']);
});

test('a sixteenth is kept for who wants little, who is served at once while others with a backlog wait', async () => {
  const allowance = createAllowance(64);
  allowance.done('busy');
  const held = await allowance.takeSome(50, 'busy');
  held.push(...(await allowance.takeSome(64, 'busy')));
  expect(held).toHaveLength(60);
  const waits = allowance.takeSome(8, 'busy');
  expect(await allowance.takeSome(8, 'little')).toHaveLength(4);
  expect(allowance).toMatchObject({ inUse: 64, waiting: 1 });
  // These are kept again.
  for (const release of held.splice(0, 4)) release();
  expect(allowance).toMatchObject({ inUse: 60, waiting: 1 });
  for (const release of held.splice(0, 4)) release();
  expect(await waits).toHaveLength(4);
});

test('who waits among others with a backlog is served before them once it is told that it has none', async () => {
  const allowance = createAllowance(8);
  const held = await allowance.takeSome(4, 'first');
  held.push(...(await allowance.takeSome(4, 'second')));
  const order: string[] = [];
  const wait = (taker: string) => allowance.takeSome(1, taker).then(() => order.push(taker));
  const waiting = [wait('first'), wait('second')];
  allowance.done('second');
  held.pop()!();
  await waiting[1];
  held.pop()!();
  await waiting[0];
  expect(order).toEqual(['second', 'first']);
});

test('where there are fewer than 16, none is kept', async () => {
  const allowance = createAllowance(15);
  await allowance.takeSome(4, 'busy');
  expect(await allowance.takeSome(15, 'busy')).toHaveLength(11);
});

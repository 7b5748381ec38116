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
  held.pop()!();
  await waiting[0];
  expect(order).toEqual(['little', 'new', 'busy']);

  allowance.done('busy');
  const again = [wait('busy'), wait('little')];
  held.pop()!();
  await again[0];
  held.pop()!();
  await again[1];
  expect(order.slice(3)).toEqual(['busy', 'little']);
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
  held.pop()!();
  await waiting[0];
  expect(order).toEqual(['newer', 'new']);
});

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

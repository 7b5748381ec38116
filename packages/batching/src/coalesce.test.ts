import { coalesceById } from './coalesce.ts';

test('requests during a run share the next one, and each is answered by its id', async () => {
  const runs: string[][] = [];
  const first = Promise.withResolvers<void>();
  const ask = coalesceById<number, string>(async (wanted) => {
    runs.push([...wanted.keys()]);
    if (runs.length === 1) await first.promise;
    return new Map(Array.from(wanted, ([id, number]) => [id, `${id}${number}`] as const));
  });
  const one = ask('a', 1);
  while (runs.length === 0) await new Promise(setImmediate);
  const [two, three] = [ask('b', 2), ask('c', 3)];
  first.resolve();
  expect(await Promise.all([one, two, three])).toEqual(['a1', 'b2', 'c3']);
  expect(runs.map((ids) => ids.toSorted())).toEqual([['a'], ['b', 'c']]);
});

test('of two requests for one id, the first gets the result; an id without a result gets null', async () => {
  const ask = coalesceById<number, number>(async (wanted) => new Map([['a', wanted.get('a')! * 10]]));
  expect(await Promise.all([ask('a', 1), ask('a', 2), ask('b', 3)])).toEqual([10, null, null]);
});

import { createKeyedMutex } from './keyed-mutex.ts';

test('tasks of one key run one after the other, beside those of another key', async () => {
  const runExclusive = createKeyedMutex();
  const running = new Set<string>();
  const begun: string[] = [];
  const work = (key: string, name: string, gate: Promise<void>) =>
    runExclusive(key, async () => {
      expect(running.has(key)).toBe(false);
      running.add(key);
      begun.push(name);
      await gate;
      running.delete(key);
      return name;
    });
  const gate = Promise.withResolvers<void>();
  const all = [
    work('a', 'a1', gate.promise),
    work('a', 'a2', Promise.resolve()),
    work('b', 'b1', Promise.resolve()),
  ];
  expect(await all[2]).toBe('b1');
  expect(begun).toEqual(['a1', 'b1']);
  gate.resolve();
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1']);
});

test('a failed task does not block the next', async () => {
  const runExclusive = createKeyedMutex();
  const failed = runExclusive('a', () => Promise.reject(new Error('no')));
  const next = runExclusive('a', () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});

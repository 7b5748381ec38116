import { createTurns } from './in-turn.ts';

test('tasks of one key run one after the other, beside those of another key', async () => {
  const inTurn = createTurns();
  const running = new Set<string>();
  const begun: string[] = [];
  const work = (key: string, name: string, gate: Promise<void>) =>
    inTurn(key, async () => {
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
  const inTurn = createTurns();
  const failed = inTurn('a', () => Promise.reject(new Error('no')));
  const next = inTurn('a', () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});

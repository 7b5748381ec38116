import { calmMs, unchangedAnswers } from './calmly.ts';

test('a read whose answer stays the same is made less and less often, up to every 15 s', () => {
  expect([0, 1, 2, 20].map((unchanged) => Math.round(calmMs(3_000, unchanged)))).toEqual([
    3_000, 3_900, 5_070, 15_000,
  ]);
  expect(calmMs(60_000, 9)).toBe(60_000);
});

test('a changed answer begins again', () => {
  const one = {};
  const query = { state: { data: one, dataUpdateCount: 1 } } as Parameters<typeof unchangedAnswers>[0];
  const counts = [unchangedAnswers(query)];
  for (const [data, dataUpdateCount] of [
    [one, 2],
    [one, 2],
    [one, 3],
    [{}, 4],
  ] as const) {
    Object.assign(query.state, { data, dataUpdateCount });
    counts.push(unchangedAnswers(query));
  }
  expect(counts).toEqual([0, 1, 1, 2, 0]);
});

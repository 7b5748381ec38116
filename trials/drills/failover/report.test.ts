import { tooLate } from './report.ts';

const round = (answeredMs: number | null, unsteadyMs: number) => ({
  way: 'stopped fast',
  recoveries: [{ answeredMs, unsteadyMs }],
  old: null,
  rejoinMs: 1_000,
});

test('sends must be answered, and stay answered, within 5 s of a promotion', () => {
  expect(tooLate([round(5_000, 5_000)])).toEqual([]);
  expect(tooLate([round(100, 0), round(5_001, 0)])).toEqual([
    'LATE round 2 [stopped fast] api 1: answered after 5.00 s, steady after 0.00 s',
  ]);
  expect(tooLate([round(100, 5_100), round(null, 9_000)])).toHaveLength(2);
});

test('without a bound, sends must only be answered again', () => {
  const rounds = [round(60_000, 60_000), round(null, 9_000)];
  expect(tooLate(rounds, Number.MAX_SAFE_INTEGER)).toEqual([
    'LATE round 2 [stopped fast] api 1: answered after never, steady after 9.00 s',
  ]);
});

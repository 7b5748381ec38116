import { jest } from '@jest/globals';
import { createHeldAnswers } from './held-answers.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('an answer is held for 300 to 500 ms', () => {
  const answers = createHeldAnswers();
  const answered: number[] = [];
  for (let number = 0; number < 100; number += 1) answers.hold(() => answered.push(number));
  jest.advanceTimersByTime(299);
  expect(answered).toEqual([]);
  jest.advanceTimersByTime(201);
  expect(answered.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, number) => number));
  expect(answered).not.toEqual(answered.toSorted((a, b) => a - b));
});

test('while 5,000 are held, a further one is answered at once; afterwards it is held again', () => {
  const held = createHeldAnswers();
  let answers = 0;
  const answer = (): void => void (answers += 1);
  for (let number = 0; number < 5_000; number += 1) held.hold(answer);
  expect(answers).toBe(0);
  held.hold(answer);
  expect(answers).toBe(1);
  jest.advanceTimersByTime(500);
  expect(answers).toBe(5_001);
  held.hold(answer);
  expect(answers).toBe(5_001);
});

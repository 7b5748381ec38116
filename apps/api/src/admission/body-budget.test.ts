import { createBodyBudget } from './body-budget.ts';

test('one party gets half, and another half of the rest', () => {
  const budget = createBodyBudget(1_000);
  expect([budget.take('a', 500), budget.take('a', 1)]).toEqual([true, false]);
  expect([budget.take('b', 250), budget.take('b', 1)]).toEqual([true, false]);
});

test('what is given back can be taken again', () => {
  const budget = createBodyBudget(1_000);
  for (let round = 0; round < 3; round += 1) {
    expect(budget.take('a', 500)).toBe(true);
    budget.give('a', 500);
  }
});

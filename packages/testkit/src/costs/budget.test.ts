import { demandBudget } from './budget.ts';

const cost = { statements: 3, roundTrips: 2, wakes: 1, redisCommands: 12, timers: 21 };

test('a cost that is exactly its budget passes, and each that is not stands in the table as before and now', () => {
  const budget = { 'a turn': cost, 'a send': cost };
  expect(() => demandBudget(budget, budget)).not.toThrow();
  const costs = { ...budget, 'a turn': { ...cost, statements: 4, timers: 20 } };
  expect(() => demandBudget(budget, costs)).toThrow(
    [
      'work    figure      before  now',
      'a turn  statements  3       4    more',
      'a turn  timers      21      20   less',
    ].join('\n'),
  );
});

test('work without a budget, or a budget without its work, is an error', () => {
  expect(() => demandBudget({}, { 'a turn': cost })).toThrow('a turn');
  expect(() => demandBudget({ 'a turn': cost }, {})).toThrow('a turn');
});

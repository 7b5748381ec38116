import { createSenderBudget, followed } from './sender-budget.ts';
import { state } from './state.ts';

const sampled = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const unsampled = sampled.replace(/1$/, '0');

afterEach(() => {
  state.ratio = 0;
});

test('a tenant decides about 50 messages at once, then about 10 a second', () => {
  const budget = createSenderBudget();
  expect(Array.from({ length: 60 }, () => budget.take('one', 1, 0)).filter(Boolean)).toHaveLength(50);
  expect(Array.from({ length: 60 }, () => budget.take('one', 1, 1_000)).filter(Boolean)).toHaveLength(10);
  expect(budget.take('one', 51, 1e9)).toBe(false);
  expect(budget.take('one', 50, 1e9)).toBe(true);
});

test('a tenant takes nothing from another, however many there are', () => {
  const budget = createSenderBudget();
  expect(budget.take('one', 50, 0)).toBe(true);
  for (let tenant = 0; tenant < 9_999; tenant += 1) expect(budget.take(`${tenant}`, 1, 0)).toBe(true);
  expect(budget.take('too many', 1, 0)).toBe(false);
  // Most have their full budget again, and need no place.
  expect(budget.take('too many', 1, 1_000)).toBe(true);
  expect(budget.take('one', 11, 1_000)).toBe(false);
});

test('beyond the budget the trace goes on without being sampled, unless TRACE_RATIO says so', () => {
  const budget = createSenderBudget();
  expect(followed(sampled, 'one', 50, budget)).toBe(sampled);
  expect(followed(sampled, 'one', 6_000, budget)).toBe(unsampled);
  expect(followed(unsampled, 'two', 1, budget)).toBe(unsampled);
  state.ratio = 1;
  expect(followed(sampled, 'one', 6_000, budget)).toBe(sampled);
});

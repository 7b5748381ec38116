import type { DatabaseServer } from '@notify/core';
import { type Answer, chooseServer, fits, isStale, type ServerState } from './choose-server.ts';

const server = (host: string): DatabaseServer => ({ host, port: 5432, name: `${host}:5432` });
const primary = (timeline: number | null = 1): ServerState => ({
  isStandby: false,
  isReadOnly: false,
  timeline,
});
const readOnly: ServerState = { isStandby: false, isReadOnly: true, timeline: 1 };
const standby: ServerState = { isStandby: true, isReadOnly: true, timeline: null };

const answersOf = (...states: readonly ServerState[]): Answer[] =>
  states.map((state, index) => ({ server: server(`h${index + 1}`), state }));
const chosen = (
  answers: readonly Answer[],
  ...rest: Parameters<typeof chooseServer> extends [unknown, ...infer R] ? R : never
) => chooseServer(answers, ...rest)?.server.host ?? null;

test.each([
  ['any', true, true, true],
  ['read-write', true, false, false],
  ['read-only', false, true, true],
  ['primary', true, true, false],
  ['standby', false, false, true],
  ['prefer-standby', true, true, true],
] as const)('%s fits a primary %p, a read-only one %p, a standby %p', (attrs, ...expected) => {
  expect([primary(), readOnly, standby].map((state) => fits(state, attrs))).toEqual(expected);
});

test('the first server that takes writes is chosen', () => {
  expect(chosen(answersOf(standby, primary(), primary()), 'read-write', 0)).toBe('h2');
  expect(chosen(answersOf(standby, readOnly), 'read-write', 0)).toBeNull();
  expect(
    chosen(
      [{ server: server('h0'), state: null, failure: 'refused' }, ...answersOf(primary())],
      'read-write',
      0,
    ),
  ).toBe('h1');
});

test('of two that take writes, the one that was promoted last is chosen', () => {
  expect(chosen(answersOf(primary(1), primary(2)), 'read-write', 0)).toBe('h2');
  expect(chosen(answersOf(primary(2), primary(2)), 'primary', 2)).toBe('h1');
});

test('a former primary is never chosen again, even alone', () => {
  expect(chosen(answersOf(primary(1)), 'read-write', 2)).toBeNull();
  expect(isStale(primary(1), 'read-write', 2)).toBe(true);
  expect(isStale(standby, 'read-write', 2)).toBe(false);
  expect(chosen(answersOf(primary(1)), 'any', 2)).toBe('h1');
});

test('a server that does not tell its timeline can be chosen', () => {
  expect(chosen(answersOf(primary(null)), 'read-write', 2)).toBe('h1');
});

test('prefer-standby takes a standby, else any', () => {
  expect(chosen(answersOf(primary(), standby), 'prefer-standby', 0)).toBe('h2');
  expect(chosen(answersOf(primary()), 'prefer-standby', 0)).toBe('h1');
});

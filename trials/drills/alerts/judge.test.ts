import { findingsOf, type Row, tableOf } from './judge.ts';
import type { Episode } from './watch.ts';

const ended = (name: string, severity = 'critical'): Episode => ({
  name,
  severity,
  beganAt: 12_000,
  endedAt: 40_000,
});
const row = (episodes: readonly Episode[]): Row => ({
  fault: { name: 'Redis stopped', deserves: [['RedisAway'], ['Turns', 'Waits']], allows: ['Burns'] },
  brokenAt: 10_000,
  repairedAt: 30_000,
  episodes,
});

test('one of each group is enough, and allowed ones may fire', () => {
  expect(findingsOf(row([ended('RedisAway'), ended('Waits'), ended('Burns')]))).toEqual([]);
});

test('a missing alert is a finding', () => {
  expect(findingsOf(row([ended('RedisAway')]))).toEqual(['MISSING [Redis stopped] Turns or Waits']);
});

test('a critical alert that the fault does not deserve is a finding, a warning is none', () => {
  const episodes = [
    ended('RedisAway'),
    ended('Turns'),
    ended('Clock'),
    ended('Clock'),
    ended('Lag', 'warning'),
  ];
  expect(findingsOf(row(episodes))).toEqual(['UNDESERVED [Redis stopped] Clock']);
});

test('a critical alert that does not end is a finding, a warning is none', () => {
  const endless = { ...ended('RedisAway'), endedAt: null };
  const warning = { ...ended('Lag', 'warning'), endedAt: null };
  expect(findingsOf(row([endless, ended('Turns'), warning]))).toEqual(['ENDLESS [Redis stopped] RedisAway']);
});

test('the alert that one slow send can fire is no finding', () => {
  const noise = { ...ended('NotifyAcceptsBurnsFast'), endedAt: null };
  expect(findingsOf(row([ended('RedisAway'), ended('Turns'), noise]))).toEqual([]);
});

test('the table counts from the break and from the repair', () => {
  expect(
    tableOf([row([ended('RedisAway')]), row([])])
      .split('\n')
      .slice(2),
  ).toEqual(['| Redis stopped | critical | RedisAway | 2 s | 10 s |', '| Redis stopped | | | | |']);
});

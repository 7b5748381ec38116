import { shortenWindows } from './shorten.ts';

test.each([
  ['expr: rate(a_total[1h])', 'expr: rate(a_total[60000ms])'],
  ['expr: rate(a_total[1h30m]) + b offset 15m', 'expr: rate(a_total[90000ms]) + b offset 15000ms'],
  ['        for: 10m', '        for: 10000ms'],
  ['expr: last_over_time(a[1h] offset 5m)', 'expr: last_over_time(a[60000ms] offset 5000ms)'],
])('%s', (rule, expected) => {
  expect(shortenWindows(rule, 60)).toBe(expected);
});

test('a range keeps a few scrapes, and a wait outlasts a hiccup', () => {
  expect(shortenWindows('rate(a_total[2m])', 60)).toBe('rate(a_total[4000ms])');
  expect(shortenWindows('  for: 30s', 60)).toBe('  for: 3000ms');
});

test('names, thresholds, labels and sentences stay', () => {
  const rules = [
    '- record: notify:accepts_bad:ratio5m',
    '  expr: notify_due_oldest_seconds > 60 and sum by (le) (a{code="405",outcome!="2xx"})',
    '  summary: Nobody sends for 5m. Wait for 10m',
  ].join('\n');
  expect(shortenWindows(rules, 60)).toBe(rules);
});

test('what is no duration is refused', () => {
  expect(() => shortenWindows('rate(a_total[five])', 60)).toThrow('"five" is no duration');
});

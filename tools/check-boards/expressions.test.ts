import { expressionsOfBoard, expressionsOfRules, selectorsOf } from './expressions.ts';

test('an alert is checked by the series that it reads', () => {
  const expr = 'sum(notify_due{lane="fast"}) > 5 and on (instance) nodejs_eventloop_lag_p99_seconds > 0.5';
  const rules = { groups: [{ rules: [{ alert: 'NotifyExample', expr }] }] };
  expect(expressionsOfRules(rules).map((one) => one.expr)).toEqual([
    'notify_due{lane="fast"}',
    'nodejs_eventloop_lag_p99_seconds',
  ]);
});

test('a recording rule is checked as a whole', () => {
  const rules = { groups: [{ rules: [{ record: 'notify:due:sum', expr: 'sum(notify_due)' }] }] };
  expect(expressionsOfRules(rules)).toEqual([{ place: 'rule notify:due:sum', expr: 'sum(notify_due)' }]);
});

test('series of buckets and of rules are found with their labels', () => {
  expect(selectorsOf('rate(notify_a_bucket{le="5"}[5m]) / notify:b:rate5m{kind=~"x|y"}')).toEqual([
    'notify_a_bucket{le="5"}',
    'notify:b:rate5m{kind=~"x|y"}',
  ]);
});

test('no variable of Grafana is left in an expression', () => {
  const all = expressionsOfBoard('processes');
  expect(all.some(({ place }) => place.endsWith('$instance'))).toBe(true);
  expect(all.some(({ place }) => place.endsWith('Firing alerts'))).toBe(true);
  for (const { expr } of all) expect(expr).not.toContain('$');
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { metrics } from '@notify/telemetry';
import { readRules, selectorsOf } from '../check-boards/expressions.ts';
import type { Board, Panel, Threshold } from './description.ts';
import { grafanaBoard, type Place } from './grafana.ts';
import { boards } from './main.ts';
import { thresholds } from './thresholds.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What the tests read of Grafana's JSON. */
interface GrafanaBoard {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly gridPos: Place;
    readonly datasource?: { readonly uid: string };
    readonly targets?: readonly { readonly datasource: { readonly uid: string } }[];
  }[];
}

const json = (board: Board): GrafanaBoard => grafanaBoard(board) as GrafanaBoard;
const panels = (board: Board): readonly Panel[] => board.sections.flatMap((section) => section.panels);
const named = boards.map((board) => [board.name, board] as const);

test.each(named)('%s: panels fill every line, and none covers another', (_, board) => {
  const cells = new Map<string, number>();
  let bottom = 0;
  for (const { id, gridPos } of json(board).panels) {
    bottom = Math.max(bottom, gridPos.y + gridPos.h);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(cells.get(`${x},${y}`) ?? id).toBe(id);
        cells.set(`${x},${y}`, id);
      }
  }
  expect(cells.size).toBe(24 * bottom);
});

test.each(named)('%s: every panel has its own id and asks the chosen Prometheus', (_, board) => {
  const all = json(board).panels;
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const asking = all.filter(({ type }) => type !== 'row');
  for (const { datasource, targets = [] } of asking)
    for (const { uid } of [datasource!, ...targets.map((one) => one.datasource)])
      expect(uid).toBe('${datasource}');
  expect(asking).toHaveLength(panels(board).length);
});

test.each(named)('%s: every panel says what it shows and when to worry', (_, board) => {
  for (const { about } of panels(board)) expect(about).toMatch(/^["A-Z1].*[Ww]orry.*\.$/);
});

test.each(named)('%s: no title stands twice below a heading, and no series twice in a panel', (_, board) => {
  for (const { panels: own } of board.sections)
    expect(new Set(own.map(({ title }) => title)).size).toBe(own.length);
  for (const { series } of panels(board))
    expect(new Set(series.map(({ legend }) => legend)).size).toBe(series.length);
});

test.each(named)('%s: no expression depends on the name of a job', (_, board) => {
  for (const { series } of panels(board)) for (const { expr } of series) expect(expr).not.toMatch(/\bjob\b/);
});

// https://prometheus.io/docs/prometheus/latest/migration/#le-and-quantile-label-values
test('buckets are named as Prometheus 2 and 3 store them', () => {
  const rules = readRules().groups.flatMap((group) => group.rules);
  const shown = boards.flatMap((board) => panels(board).flatMap(({ series }) => series));
  for (const { expr } of [...rules, ...shown]) expect(expr).not.toMatch(/\ble="\d+(\.0)?"/);
});

/** Labels that Prometheus adds, and the bound of a bucket. */
const alwaysThere = ['instance', 'le'];

/** The labels of every metric of ours, by the names of its series. */
function labelsBySeries(): Map<string, readonly string[]> {
  const known = new Map<string, readonly string[]>();
  // prom-client keeps the labels to itself.
  const all = metrics.registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[];
  for (const { name, labelNames } of all)
    for (const end of ['', '_bucket', '_sum', '_count']) known.set(`${name}${end}`, labelNames);
  return known;
}

test.each(named)('%s: every metric exists and has the labels that are asked for', (_, board) => {
  const known = labelsBySeries();
  for (const { series } of panels(board))
    for (const selector of series.flatMap(({ expr }) => selectorsOf(expr))) {
      const [, name = '', asked = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? [];
      if (!name.startsWith('notify_')) continue;
      expect([...known.keys()]).toContain(name);
      for (const [, label = ''] of asked.matchAll(/(\w+)\s*[=!]~?"/g))
        expect([...alwaysThere, ...(known.get(name) ?? [])]).toContain(label);
    }
});

const compared = Object.values(thresholds).flatMap((threshold: Threshold) =>
  threshold.alert === null ? [] : [{ ...threshold, ...threshold.alert }],
);

test.each(compared)('$name is red where the alert fires: $compares', ({ name, value, compares }) => {
  const rules = readRules().groups.flatMap((group) => group.rules);
  const alert = rules.find((rule) => rule.alert === name);
  expect(alert).toBeDefined();
  const used = rules.filter(({ record }) => record !== undefined && alert!.expr.includes(record));
  expect([alert!, ...used].map(({ expr }) => expr).join('\n')).toContain(compares);
  const numbers = compares.match(/[\d.]+/g)!.map(Number);
  const said = compares.startsWith('le') ? numbers[0]! : numbers.reduce((product, one) => product * one, 1);
  // A share may be said the other way round, and a whole number above 0 begins at 1.
  const same = [said, 1 - said, ...(compares === '> 0' ? [1] : [])];
  expect(same.some((one) => Math.abs(one - value) < 1e-9)).toBe(true);
});

test('the boards in ops/grafana are those of the description', () => {
  for (const board of boards) {
    const file = path.join(root, 'ops/grafana', `${board.name}.json`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(grafanaBoard(board));
  }
});

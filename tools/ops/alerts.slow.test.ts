import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { metrics } from '@notify/telemetry';
import { demandProgram, testWith } from '@notify/testkit/programs';
import { parse } from 'yaml';
import { boards } from '../boards/main.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const rules = read('ops/prometheus/rules.yml');
const caseFiles = ['rules.test.yml', 'rules.hours.test.yml'];
const cases = caseFiles.map((file) => read(`ops/prometheus/${file}`)).join('\n');
const runbook = read('docs/runbook.md');

const all = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found]) => found!);
const alerts = all(rules, /^ +- alert: (\w+)$/gm);

/** The expressions, without the sentences for people. */
const expressions = rules.replaceAll(/^ +(summary|description|action|runbook_url|name): .*$|#.*$/gm, '');

/** Runs promtool beside the rules. Rejects with its output if it finds anything. */
async function promtool(...args: readonly string[]): Promise<string> {
  const folder = path.join(root, 'ops/prometheus');
  try {
    return (await run(demandProgram('promtool'), args, { cwd: folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}

testWith('promtool')('Prometheus accepts the rules', async () => {
  expect(await promtool('check', 'rules', 'rules.yml')).toContain('SUCCESS');
});

testWith('promtool').each(caseFiles)(
  'alerts fire and stay quiet as %s says',
  async (file) => {
    expect(await promtool('test', 'rules', file)).toContain('SUCCESS');
  },
  240_000,
);

test('there is a case in which each alert fires', () => {
  expect(alerts.filter((alert) => !cases.includes(`alertname="${alert}"`))).toEqual([]);
});

test('each alert has a section in the runbook, and each section an alert', () => {
  expect(all(runbook, /^### (\w+)$/gm).toSorted()).toEqual(alerts.toSorted());
});

test('the runbook names the severity of each alert', () => {
  const said = Array.from(
    runbook.matchAll(/^### (\w+)\n\n_(\w+)_/gm),
    ([, alert, severity]) => `${alert} ${severity}`,
  );
  const meant = Array.from(
    rules.matchAll(/- alert: (\w+)\n(?:(?! {6}- ).*\n)*? +severity: (\w+)/g),
    ([, alert, severity]) => `${alert} ${severity}`,
  );
  expect(meant).toHaveLength(alerts.length);
  expect(new Set(said)).toEqual(new Set(meant));
});

test.each(alerts)('%s says what it means and what to do', (alert) => {
  const [, rule = ''] = rules.split(`- alert: ${alert}\n`);
  const own = rule.split(/^ {6}- /m)[0]!;
  for (const annotation of ['summary', 'description', 'action'])
    expect(own).toMatch(new RegExp(` ${annotation}: .{10}`));
  expect(own).toMatch(/severity: (critical|warning)\n/);
  expect(own).toContain(`runbook_url: docs/runbook.md#${alert.toLowerCase()}`);
});

test('the action of each alert is the first step of its section', () => {
  const { groups } = parse(rules) as {
    groups: { rules: { alert?: string; annotations?: { action: string } }[] }[];
  };
  const actions = groups.flatMap((group) =>
    group.rules.flatMap(({ alert, annotations }) =>
      alert === undefined ? [] : [[alert, annotations?.action]],
    ),
  );
  const steps = runbook
    .split(/^### /m)
    .slice(1)
    .map((section) => [/^\w+/.exec(section)?.[0], /^1\. (.*)$/m.exec(section)?.[1]]);
  expect(Object.fromEntries(steps)).toEqual(Object.fromEntries(actions));
});

test('the runbook begins with symptoms, explains its words, and says where to report a fault', () => {
  const [before = ''] = runbook.split(/^### /m);
  expect(before).toContain('(glossary.md)');
  const [, symptoms = ''] = before.split('\n## Symptoms\n');
  for (const symptom of ['nothing arrives', 'is slow', 'arrive late', 'Webhooks', 'disk is full', 'log in'])
    expect(symptoms).toMatch(new RegExp(`^#### .*${symptom}`, 'm'));
  const [, report = ''] = runbook.split('\n## Report a fault\n');
  expect(report).toContain('(../SECURITY.md)');
  for (const [said = '', link] of runbook.matchAll(/[^.:]*\breport it\b(\]\(#report-a-fault\))?/gi))
    expect([said, link]).toEqual([said, '](#report-a-fault)']);
});

test('the commands of the runbook fit the width of a terminal', () => {
  const [, commands = ''] = /\n## Commands\n([^]*?)\n## /.exec(runbook) ?? [];
  const blocks = all(commands, /```sh\n([^]*?)```/g);
  expect(blocks).toHaveLength(3);
  expect(blocks.flatMap((block) => block.split('\n')).filter((line) => line.length > 110)).toEqual([]);
});

test('the runbook sends readers to panels that exist', () => {
  const panels = boards.flatMap(({ title, sections }) =>
    sections.flatMap((section) =>
      section.panels.map((panel) => `${title.replace('Notify: ', '')} → ${panel.title}`.toLowerCase()),
    ),
  );
  const named = Array.from(runbook.matchAll(/“([^”]+)” → “([^”]+)”/g), ([, board, panel]) =>
    `${board} → ${panel}`.toLowerCase(),
  );
  expect(named.length).toBeGreaterThan(alerts.length);
  expect(named.filter((one) => !panels.includes(one))).toEqual([]);
});

test('the inhibitions of the runbook name alerts that exist', () => {
  const block = /```yaml inhibit\n([^]*?)```/.exec(runbook)?.[1] ?? '';
  const { inhibit_rules: inhibitions } = parse(block) as {
    inhibit_rules: { source_matchers: string[]; target_matchers: string[]; equal: string[] }[];
  };
  const named = inhibitions.flatMap((one) => [...one.source_matchers, ...one.target_matchers]);
  const patterns = named.flatMap((matcher) => /^alertname=~?"(.+)"$/.exec(matcher)?.[1]?.split('|') ?? []);
  expect(patterns.length).toBeGreaterThan(inhibitions.length);
  for (const pattern of patterns) expect(alerts).toContainEqual(expect.stringMatching(`^${pattern}$`));
  for (const { equal } of inhibitions) expect(equal).toEqual(['installation']);
});

test('every metric in the rules is one that processes export, with labels that it has', async () => {
  metrics.measureProcess('test', '0');
  const exported = new Map(
    (await metrics.registry.getMetricsAsJSON()).map(({ name }) => [
      name,
      metrics.registry.getSingleMetric(name),
    ]),
  );
  const used = all(expressions, /\b((?:notify|nodejs|process)_\w+)/g).map((name) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );
  expect(used.length).toBeGreaterThan(20);
  expect([...new Set(used)].filter((name) => !exported.has(name))).toEqual([]);
  expect(unknownLabels(exported)).toEqual([]);
});

/** Labels in selectors such as `notify_due{kind="messages"}` that the metric does not have. */
function unknownLabels(exported: ReadonlyMap<string, unknown>): string[] {
  return Array.from(expressions.matchAll(/\b(notify_\w+?)(?:_bucket|_count|_sum)?\{([^}]*)\}/g)).flatMap(
    ([, name, selector]) => {
      const { labelNames = [] } = exported.get(name!) as { labelNames?: readonly string[] };
      return all(selector!, /(\w+)[!=~]+"/g)
        .filter((label) => label !== 'le' && !labelNames.includes(label))
        .map((label) => `${name}{${label}}`);
    },
  );
}

test('every recorded series that is used is recorded', () => {
  const recorded = all(rules, /^ +- record: (\S+)$/gm);
  const used = all(expressions, /(?<!record: )\b(notify:[\w:]+)/g);
  expect([...new Set(used)].filter((name) => !recorded.includes(name))).toEqual([]);
});

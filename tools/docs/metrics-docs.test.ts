import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { metrics } from '@notify/telemetry';
import { ownMetrics } from './metrics-docs.ts';

const root = path.resolve(import.meta.dirname, '../..');

const sectionsOf = (name: string) =>
  metrics.sections.filter(({ begins }) => begins.some((begin) => name.startsWith(`notify_${begin}`)));

test('every metric stands in one section, which explains each of its labels', () => {
  expect(ownMetrics().length).toBeGreaterThan(50);
  for (const { name, labelNames } of ownMetrics()) {
    const [section, ...more] = sectionsOf(name);
    expect([name, section === undefined, more]).toEqual([name, false, []]);
    expect([name, labelNames.filter((label) => !(label in section!.labels))]).toEqual([name, []]);
  }
});

test('no section explains a label that none of its metrics has', () => {
  for (const section of metrics.sections) {
    const own = ownMetrics().filter(({ name }) => sectionsOf(name).includes(section));
    const labels = new Set(own.flatMap(({ labelNames }) => labelNames));
    expect([section.title, Object.keys(section.labels).filter((label) => !labels.has(label))]).toEqual([
      section.title,
      [],
    ]);
  }
});

test('counters end in _total, times in _seconds, and nothing else does', () => {
  const wrong = ownMetrics().filter(
    ({ name, type }) =>
      name.endsWith('_total') !== (type === 'counter') || /_(ms|millis|minutes)\b/.test(name),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('every metric is recorded somewhere', async () => {
  const recorded = await sources();
  const declared = declaredMetrics();
  expect(declared).toEqual(expect.arrayContaining(['http.requests', 'wakes', 'pools.wait', 'build']));
  expect(declared.length).toBe(ownMetrics().length);
  expect(declared.filter((name) => !isUsed(name, recorded))).toEqual([]);
});

/** The metrics as the source names them, such as `http.requests`. */
function declaredMetrics(): string[] {
  return Object.entries(metrics).flatMap(([name, value]) => {
    if (isMetric(value)) return [name];
    if (typeof value !== 'object' || Array.isArray(value) || value === metrics.registry) return [];
    return Object.entries(value).flatMap(([key, one]) => (isMetric(one) ? [`${name}.${key}`] : []));
  });
}

function isMetric(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('labelNames' in value || 'read' in value);
}

/** The sources that may record: `metrics.http.requests`, or `http.requests` after `const { http } = metrics`. */
async function sources(): Promise<string> {
  const texts: string[] = [];
  for await (const file of glob('{apps,packages}/*/src/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts') || /^packages.telemetry.src.metrics.(?!process)/.test(file)) continue;
    const text = await readFile(path.join(root, file), 'utf8');
    if (/^packages.telemetry./.test(file) || text.includes('telemetry')) texts.push(text);
  }
  texts.push(await readFile(path.join(root, 'packages/telemetry/src/metrics/process.ts'), 'utf8'));
  return texts.join('\n');
}

/** Whether the name is followed by a use of it. A group may be taken apart: `const { limit, waiting } = metrics.pools`. */
function isUsed(name: string, source: string): boolean {
  const [group = '', key] = name.split('.');
  if (key === undefined)
    return new RegExp(`\\b${group}\\.(?:inc|set|labels|observe|read)\\b|\\(metrics\\.${group}[,)]`).test(
      source,
    );
  const apart = new RegExp(`\\{[^{}]*\\b${key}\\b[^{}]*\\} = metrics\\.${group};`);
  return new RegExp(`\\b${group}\\.${key}\\b`).test(source) || apart.test(source);
}

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { healthPorts, processNames } from '@notify/core';
import { exampleEnv, readCompose } from '@notify/testkit';
import { parse } from 'yaml';
import { readUnits } from '../image/units.ts';

/*
 * The table of processes is packages/core/src/processes.ts. These are the lists that people and other programs read: each has
 * every process of the table, at its port, and no other.
 */

const root = path.resolve(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const names = processNames.toSorted();
const mainOf = (name: string): string => `apps/${name}/src/main.ts`;
const isProcess = (name: string): boolean => processNames.some((one) => one === name);

/** Whatever `pattern` captures first in the text, in order and once. */
function captured(text: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([, one]) => one!))].toSorted();
}

/** The ports of all processes, in words of a sentence. */
const ports = Object.values(healthPorts).map(String);
const portsIn = (text: string): string[] => ports.filter((port) => new RegExp(`\\b${port}\\b`).test(text));

describe('package.json', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

  test.each(processNames)('starts %s by its name', (name) => {
    expect(scripts[name]).toBe(`exec node ${mainOf(name)}`);
  });
});

describe('docker-compose.yml', () => {
  const secrets = {
    POSTGRES_PASSWORD: 'super',
    DATABASE_PASSWORD: 'role',
    REDIS_PASSWORD: 'queue',
    MASTER_KEYS: '1:key',
    JWT_SECRETS: '1:secret',
  };
  const { services } = readCompose('docker-compose.yml', exampleEnv(secrets));
  const ours = Object.entries(services).filter(([, { command = [] }]) => command[1]?.startsWith('apps/'));

  test('runs every process, and the migrations', () => {
    expect(ours.map(([name]) => name).toSorted()).toEqual([...names, 'migrate'].toSorted());
  });

  test.each(processNames)('runs the program of %s, and exposes its health port', (name) => {
    expect(services[name]?.command).toEqual(['node', mainOf(name)]);
    expect(services[name]?.expose).toContain(String(healthPorts[name]));
  });

  test('docker-compose.observability.yml observes every process', () => {
    const { services: added } = parse(textOf('docker-compose.observability.yml'), { merge: true }) as {
      services: Record<string, { environment?: Record<string, string> }>;
    };
    const observed = Object.entries(added).filter(([, { environment }]) => environment?.METRICS_TOKEN);
    expect(observed.map(([name]) => name).toSorted()).toEqual(names);
  });
});

test('the images have every process, and name its health port', () => {
  const text = textOf('Dockerfile');
  expect(captured(text, /^COPY apps\/([\w-]+) /gm).filter(isProcess)).toEqual(names);
  const exposed = Array.from(text.matchAll(/^EXPOSE (.*)$/gm)).flatMap(([, line = '']) => line.split(' '));
  expect([...new Set(exposed)].toSorted()).toEqual(['3000', ...ports].toSorted());
});

test('every process has a unit of systemd that runs its program, and its line in the README', () => {
  const templates = readUnits().filter(({ name }) => name.includes('@'));
  const run = templates.map(({ name, command }) => `${name} ${command[1]}`);
  expect(run.toSorted()).toEqual(names.map((name) => `notify-${name}@.service ${mainOf(name)}`).toSorted());
  expect(captured(textOf('ops/systemd/README.md'), /^- `notify-([\w-]+)@/gm)).toEqual(names);
});

test('Prometheus reads every process at its health port', () => {
  const { scrape_configs: configs } = parse(textOf('ops/prometheus/prometheus.yml')) as {
    scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
  };
  const read = configs.flatMap(({ dns_sd_configs: found }) =>
    found.flatMap(({ names: services, port }) => services.map((name) => [name, port])),
  );
  expect(Object.fromEntries(read)).toEqual(healthPorts);
});

describe('the pages', () => {
  test('docs/operating.md lists every process with its command and its health port', () => {
    const rows = textOf('docs/operating.md').matchAll(
      /^\| `([\w-]+)` +\| `node (\S+)` .*`HEALTH_PORT` \((\d+)\)/gm,
    );
    const listed = Array.from(rows, (row) => row.slice(1).join(' '));
    expect(listed.toSorted()).toEqual(
      names.map((name) => [name, mainOf(name), healthPorts[name]].join(' ')).toSorted(),
    );
  });

  test('docs/scaling.md says what each process needs, and how many connections', () => {
    const text = textOf('docs/scaling.md');
    expect(captured(text, /^\| `([\w-]+)` /gm)).toEqual(names);
    expect(captured(text, /^- `([\w-]+)`: `DATABASE_CONNECTIONS`/gm)).toEqual(names);
  });

  test('docs/architecture.md says what each process does', () => {
    expect(captured(textOf('docs/architecture.md'), /^- `apps\/([\w-]+)`:/gm).filter(isProcess)).toEqual(
      names,
    );
  });

  test.each(['docs/observability.md', 'docs/runbook.md', 'docs/config.md'])(
    '%s names every health port in its sentence about them',
    (page) => {
      const [sentence] = textOf(page)
        .split('\n')
        .filter((line) => line.includes('3001 for dispatch workers'));
      expect(portsIn(sentence ?? '')).toEqual(ports);
    },
  );

  test('a command that names several workers names all of them', () => {
    const workers = names.filter((name) => name !== 'api');
    const pages = readdirSync(path.join(root, 'docs')).filter((page) => page.endsWith('.md'));
    const commands = pages.flatMap((page) =>
      textOf(`docs/${page}`)
        .split('\n')
        .filter((line) => /docker compose (up|stop|restart)\b/.test(line))
        .map((line) => [page, workers.filter((name) => line.includes(name))] as const)
        .filter(([, named]) => named.length > 1),
    );
    expect(commands.length).toBeGreaterThan(0);
    for (const [page, named] of commands) expect([page, named]).toEqual([page, workers]);
  });
});

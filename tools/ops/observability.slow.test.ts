import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { processNames } from '@notify/core';
import { demandProgram, testWith } from '@notify/testkit/programs';

const root = path.resolve(import.meta.dirname, '../..');
const read = <T>(file: string): T => parse(readFileSync(path.join(root, file), 'utf8'), { merge: true }) as T;

interface Service {
  readonly image?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

interface Prometheus {
  readonly global: { readonly scrape_interval: string };
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly { readonly authorization: { credentials_file: string } }[];
}

const stack = read<Compose>('docker-compose.yml');
const added = read<Compose>('docker-compose.observability.yml');

test('only this machine reaches what is added', () => {
  const ports = Object.values(added.services).flatMap((service) => service.ports ?? []);
  expect(ports).toHaveLength(3);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('every file that is mounted exists, and every volume is declared', () => {
  const mounts = Object.values(added.services).flatMap((service) => service.volumes ?? []);
  for (const [from = ''] of mounts.map((mount) => mount.split(':')))
    expect([from, from.startsWith('./') ? existsSync(path.join(root, from)) : from in added.volumes]).toEqual(
      [from, true],
    );
});

test('every foreign image has a version', () => {
  const images = Object.values(added.services).flatMap(({ image }) => (image === undefined ? [] : [image]));
  expect(images).toHaveLength(4);
  for (const image of images) expect(image).toMatch(/:v?\d+\.\d+/);
});

test('all our processes get the token and the address of the collector', () => {
  const [receiver] =
    /endpoint: 0\.0\.0\.0:\d+/.exec(readFileSync(path.join(root, 'ops/otel/collector.yml'), 'utf8')) ?? [];
  for (const name of processNames) {
    expect(Object.keys(stack.services)).toContain(name);
    const { METRICS_TOKEN: token, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = '' } =
      added.services[name]!.environment!;
    expect(token).toBe('${METRICS_TOKEN:?set it in .env}');
    expect(endpoint).toContain(`http://otel-collector:${receiver?.split(':').at(-1)}`);
  }
});

test('.env.example has every variable that must be set', () => {
  const text = readFileSync(path.join(root, 'docker-compose.observability.yml'), 'utf8');
  const example = readFileSync(path.join(root, '.env.example'), 'utf8');
  const needed = Array.from(text.matchAll(/\$\{(\w+):\?/g), ([, name]) => name!);
  expect(needed.length).toBeGreaterThan(0);
  for (const name of needed) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
});

test('Grafana knows how often Prometheus reads, and finds the boards', () => {
  const { global } = read<Prometheus>('ops/prometheus/prometheus.yml');
  const sources = read<{ datasources: { type: string; jsonData?: { timeInterval: string } }[] }>(
    'ops/grafana/provisioning/datasources/notify.yml',
  );
  const source = sources.datasources.find(({ type }) => type === 'prometheus');
  expect(source?.jsonData?.timeInterval).toBe(global.scrape_interval);
  const { providers } = read<{ providers: { options: { path: string } }[] }>(
    'ops/grafana/provisioning/dashboards/notify.yml',
  );
  const { volumes = [], environment = {} } = added.services.grafana!;
  expect(volumes).toContain(`./ops/grafana:${providers[0]!.options.path}:ro`);
  const home = environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH ?? '';
  expect(home).toBe(`${providers[0]!.options.path}/overview.json`);
  expect(environment.GF_AUTH_ANONYMOUS_ENABLED).toBe('false');
});

testWith('promtool')('promtool accepts the configuration of Prometheus', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'notify-promtool-'));
  const config = read<Prometheus>('ops/prometheus/prometheus.yml');
  const token = path.join(folder, 'token');
  writeFileSync(token, 'token');
  for (const { authorization } of config.scrape_configs) authorization.credentials_file = token;
  const rules = config.rule_files.map((name) => path.join(root, 'ops/prometheus', name));
  const file = path.join(folder, 'prometheus.yml');
  writeFileSync(file, stringify({ ...config, rule_files: rules }));
  expect(execFileSync(demandProgram('promtool'), ['check', 'config', file], { encoding: 'utf8' })).toContain(
    'SUCCESS',
  );
  rmSync(folder, { recursive: true });
});

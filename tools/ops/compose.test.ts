import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { healthPorts, processNames } from '@notify/core';
import { settingsTable } from '@notify/runtime';
import { type ComposeService, exampleEnv, readCompose } from '@notify/testkit';

const root = path.resolve(import.meta.dirname, '../..');

/** What .env.example leaves to the operator. */
const secrets = {
  POSTGRES_PASSWORD: 'super',
  DATABASE_PASSWORD: 'role',
  REDIS_PASSWORD: 'queue',
  MASTER_KEYS: '1:key',
  JWT_SECRETS: '1:secret',
};
const stack = readCompose('docker-compose.yml', exampleEnv(secrets));
const { services } = stack;
const ours = [...processNames.toSorted(), 'migrate'];

const published = (all: Readonly<Record<string, ComposeService>>): string[] =>
  Object.entries(all).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));

test.each([
  ['with nothing but secrets in .env', secrets],
  ['with .env as in the example', exampleEnv(secrets)],
])('%s only this machine reaches the proxy, and nothing else is published', (_, env) => {
  const all = readCompose('docker-compose.yml', env).services;
  expect(published(all)).toEqual(['proxy 127.0.0.1:3000:8080']);
});

test.each(processNames)('any number of %s runs, because only the proxy has a port', (service) => {
  const setting = `${service.toUpperCase().replaceAll('-', '_')}_REPLICAS`;
  const three = readCompose('docker-compose.yml', exampleEnv({ ...secrets, [setting]: '3' }));
  expect(three.services[service]?.deploy?.replicas).toBe('3');
  expect(published(three.services)).toEqual(published(services));
});

test.each(Object.keys(secrets))('without %s nothing starts', (name) => {
  expect(() => readCompose('docker-compose.yml', exampleEnv({ ...secrets, [name]: '' }))).toThrow(name);
});

describe('.env.example', () => {
  const files = ['docker-compose.yml', 'docker-compose.tls.yml', 'docker-compose.observability.yml'];
  /** The names of the variables that the files read, also within the default of another one. */
  const read = files
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .flatMap((text) => Array.from(text.matchAll(/(?<!\$)\$\{(\w+)/g), ([, name]) => name!));
  const added = { CERTIFICATES: '/etc/certificates', METRICS_TOKEN: 'token', GRAFANA_PASSWORD: 'password' };

  test('has every variable that the files read, and no other but settings of the service', () => {
    const settings = Object.values(settingsTable).map(({ variable }): string => variable);
    const names = Object.keys(exampleEnv());
    expect(read.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !read.includes(name) && !settings.includes(name))).toEqual([]);
  });

  test.each(files)('has the defaults of %s', (file) => {
    const needed = { ...secrets, ...added };
    expect(readCompose(file, exampleEnv(needed))).toEqual(readCompose(file, needed));
  });

  test('lets nobody register but the operator', () => {
    expect(exampleEnv().REGISTRATION).toBe('closed');
  });

  test.each(['docs/docker.md', 'docs/config.md'])('%s explains what it should', (page) => {
    const text = readFileSync(path.join(root, page), 'utf8');
    const settings = Object.values(settingsTable).map(({ variable }): string => variable);
    const due = Object.keys(exampleEnv()).filter((name) =>
      page === 'docs/config.md' ? settings.includes(name) : !settings.includes(name),
    );
    expect(due.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

test('the service uses its own role and the password of Redis, and not the superuser', () => {
  for (const name of ours) {
    const { DATABASE_URL, REDIS_URL } = services[name]?.environment ?? {};
    expect([name, DATABASE_URL, REDIS_URL]).toEqual([
      name,
      'postgres://notify:role@postgres:5432/notify',
      'redis://:queue@redis:6379',
    ]);
  }
  expect(services.postgres?.environment).toEqual({ POSTGRES_PASSWORD: 'super', NOTIFY_PASSWORD: 'role' });
});

test('servers of the operator can replace those of the stack', () => {
  const env = { DATABASE_URL: 'postgres://a@b/c', REDIS_URL: 'rediss://d:1' };
  const { environment } = readCompose('docker-compose.yml', exampleEnv({ ...secrets, ...env })).services.api!;
  expect(environment).toMatchObject(env);
});

test('the api trusts the proxy of the stack, and no other', () => {
  expect(services.api?.environment?.TRUSTED_PROXIES).toBe('1');
});

test('every container but that of Postgres has a read-only file system and no rights', () => {
  for (const [name, service] of Object.entries(services)) {
    if (name === 'postgres') continue;
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        pids_limit: expect.any(Number),
      }),
    ]);
  }
});

test('the processes that hold files have a volume for them, because /tmp is memory', () => {
  const spools = ours.filter((name) => services[name]?.volumes?.includes('spool:/app/spool'));
  expect(spools).toEqual(['api', 'dispatch-worker', 'whatsapp-sessions']);
  expect(services['dispatch-worker']?.environment?.SPOOL_DIR).toBe('/app/spool');
});

test('the log of every container is bounded', () => {
  const added = readCompose('docker-compose.observability.yml', {
    METRICS_TOKEN: 'a',
    GRAFANA_PASSWORD: 'b',
  });
  const { prometheus, grafana, jaeger, 'otel-collector': collector } = added.services;
  for (const [name, service] of Object.entries({ ...services, prometheus, grafana, jaeger, collector })) {
    const { logging } = service ?? {};
    expect([name, logging?.options]).toEqual([name, { 'max-size': '20m', 'max-file': '5' }]);
  }
});

test('a process has time to end: 10 s, and an api DRAIN_SECONDS more', () => {
  for (const name of ours) {
    const { stop_grace_period: grace = '', environment, init } = services[name] ?? {};
    expect(Number.parseInt(grace, 10)).toBeGreaterThan(10 + Number(environment?.DRAIN_SECONDS));
    expect([name, init]).toEqual([name, true]);
  }
});

test('everything starts again by itself, but for the migrations', () => {
  for (const [name, { restart }] of Object.entries(services))
    expect([name, restart]).toEqual([name, name === 'migrate' ? 'no' : 'unless-stopped']);
});

test('every file that is mounted exists, and every volume is declared', () => {
  const mounts = Object.values(services).flatMap(({ volumes = [] }) => volumes);
  for (const [from = ''] of mounts.map((mount) => mount.split(':')))
    expect([from, from.startsWith('./') ? existsSync(path.join(root, from)) : from in stack.volumes]).toEqual(
      [from, true],
    );
});

test('Prometheus reaches the metrics of each process inside the network', () => {
  const exposed = Object.entries(services).flatMap(([name, { expose = [] }]) =>
    expose.map((port) => `${name} ${port}`),
  );
  const due = processNames.map((name) => `${name} ${healthPorts[name]}`);
  expect(exposed.toSorted()).toEqual(['api 3000', ...due].toSorted());
});

test('TLS adds a port and a folder to the proxy, and nothing else', () => {
  const tls = readCompose('docker-compose.tls.yml', { CERTIFICATES: '/etc/certificates' });
  expect(tls.services).toEqual({
    proxy: {
      environment: { CERTIFICATES: '/certificates/' },
      ports: ['0.0.0.0:443:8443'],
      volumes: ['/etc/certificates:/certificates:ro'],
    },
  });
  expect(() => readCompose('docker-compose.tls.yml', exampleEnv())).toThrow('CERTIFICATES');
});

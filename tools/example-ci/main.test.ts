import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { loadOnly } from '@notify/runtime';
import { unpinnedActions } from '../pins.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const seeds = parseEnv(read('examples/ci/notify.env')) as Record<string, string>;
const compose = read('examples/ci/docker-compose.yml');
const workflow = read('examples/ci/.github/workflows/test.yml');
const dockerfile = read('Dockerfile');

/** The `NAME: value` lines of a YAML text that set variables of Notify. */
function settingsIn(text: string): Record<string, string> {
  const lines = text.matchAll(/^ +(NOTIFY_SEED_\w+): (.+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name = '', value = '']) => [name, value]));
}

/** The settings as they are in a container, which reaches the tests at another address. */
const inContainer = {
  ...seeds,
  NOTIFY_SEED_WEBHOOK_URL: (seeds.NOTIFY_SEED_WEBHOOK_URL ?? '').replace('127.0.0.1', 'host.docker.internal'),
};

test('the settings of the example are valid in development', () => {
  const names = [
    'seedApiKey',
    'seedServiceToken',
    'seedWebhookUrl',
    'seedWebhookSecret',
    'seedWebhookEvents',
  ] as const;
  const settings = loadOnly({ NOTIFY_MODE: 'development', ...seeds }, names);
  expect(Object.values(settings).filter((value) => value === null)).toEqual([]);
});

test('the service container of the workflow has the same settings', () => {
  expect(settingsIn(workflow)).toEqual(inContainer);
});

test('the container of Compose has the same settings', () => {
  expect(compose).toMatch(/^ {4}env_file: notify\.env$/m);
  expect({ ...seeds, ...settingsIn(compose) }).toEqual(inContainer);
});

test.each([
  ['Compose', compose, /extra_hosts: \['host\.docker\.internal:host-gateway'\]/],
  ['the workflow', workflow, /options: --add-host host\.docker\.internal:host-gateway$/m],
])('in the container of %s the address of the tests resolves', (_, text, pattern) => {
  expect(text).toMatch(pattern);
});

test('both publish the port that the image listens on, and wait for its health check', () => {
  expect(/^ENV .*\bPORT=(\d+)$/m.exec(dockerfile)?.[1]).toBe('3000');
  for (const text of [compose, workflow])
    expect(/ports: \['(?:127\.0\.0\.1:)?3000:(\d+)'\]/.exec(text)?.[1]).toBe('3000');
  const ci = dockerfile.slice(dockerfile.indexOf(' AS ci\n'), dockerfile.indexOf(' AS notify\n'));
  expect(ci).toMatch(/^HEALTHCHECK .*\/readyz/m);
  expect(ci).toMatch(/^CMD \["notify", "all"\]$/m);
  expect(ci.indexOf('USER node')).toBeLessThan(ci.indexOf('CMD '));
});

test('the production image has neither the development processes nor a database', () => {
  const notify = dockerfile.slice(dockerfile.indexOf(' AS service\n'), dockerfile.indexOf(' AS ci\n'));
  const last = dockerfile.slice(dockerfile.indexOf(' AS notify\n'));
  expect(notify + last).not.toMatch(/all-in-one/);
  expect(last).toMatch(/--omit=optional/);
});

test('the workflow names actions by their content', () => {
  expect(unpinnedActions(workflow)).toEqual([]);
});

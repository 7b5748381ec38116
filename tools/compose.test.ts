import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const compose = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');

/** The settings of .env.example with `changes`. */
function dotEnv(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  const lines = readFileSync(path.join(root, '.env.example'), 'utf8').matchAll(/^(\w+)=(.*)$/gm);
  return { ...Object.fromEntries(Array.from(lines, ([, name, value]) => [name!, value!])), ...changes };
}

/** docker-compose.yml with its variables substituted, as Compose does: `${NAME}`, `${NAME:-default}`. */
function resolved(env: Readonly<Record<string, string>>): string {
  return compose.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, name: string, fallback = '') =>
    String(env[name] || fallback),
  );
}

/** The services, each with its lines. */
function services(text: string): Map<string, string> {
  const own = text.slice(text.indexOf('\nservices:\n'), text.indexOf('\nvolumes:\n'));
  const parts = own.split(/^ {2}(?=[\w-]+:$)/m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(':')), part]));
}

interface Published {
  readonly address: string;
  readonly ports: readonly number[];
}

function published(service: string): Published[] {
  const [, list = ''] = /^ {4}ports: \[(.*)\]$/m.exec(service) ?? [];
  return Array.from(
    list.matchAll(/'(?:([\d.]+):)?(\d+)(?:-(\d+))?:\d+'/g),
    ([, address = '0.0.0.0', first, last]) => ({
      address,
      ports: Array.from(
        { length: Number(last ?? first) - Number(first) + 1 },
        (_, index) => Number(first) + index,
      ),
    }),
  );
}

const replicas = (service: string): number => Number(/^ {6}replicas: (\d+)$/m.exec(service)?.[1] ?? 1);

test.each([
  ['without a word in .env', {}],
  ['with .env as in the example', dotEnv()],
])('%s only this machine reaches the api, and nothing else is published', (_, env) => {
  const all = [...services(resolved(env))].flatMap(([name, text]) =>
    published(text).map(({ address }) => ({ name, address })),
  );
  expect(all).toEqual([{ name: 'api', address: '127.0.0.1' }]);
});

test('Prometheus reaches the metrics of each process inside the network', () => {
  const exposed = [...services(resolved(dotEnv()))].flatMap(([name, text]) =>
    Array.from(text.matchAll(/^ {4}expose: \['(\d+)'\]$/gm), ([, port]) => `${name} ${port}`),
  );
  expect(exposed).toEqual([
    'api 3004',
    'dispatch-worker 3001',
    'webhook-worker 3002',
    'whatsapp-sessions 3003',
  ]);
});

test('a proxy is trusted only if the operator has declared it', () => {
  expect(dotEnv().TRUSTED_PROXIES).toBe('0');
});

test.each([
  ['one', dotEnv()],
  ['two', dotEnv({ API_REPLICAS: '2', API_PORTS: '3000-3001' })],
])('%s: every replica of a service has a port of its own', (_, env) => {
  for (const [name, text] of services(resolved(env))) {
    for (const { ports } of published(text)) expect([name, ports.length]).toEqual([name, replicas(text)]);
  }
  expect(replicas(services(resolved(env)).get('api')!)).toBe(Number(env.API_REPLICAS));
});

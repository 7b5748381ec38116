import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { processNames } from '@notify/core';
import { secretText } from '@notify/runtime';
import {
  descendantsOf,
  endWithUs,
  freePort,
  type Receiver,
  startReceiver,
  testDatabase,
} from '@notify/testkit';
import { Webhook } from 'standardwebhooks';
import { isAlive } from './processes.ts';

// Each starts all processes, one of them twice.

const program = path.resolve(import.meta.dirname, '../../../../bin/notify');
const { make: makeKey } = secretText('svc_live_');
const { make: makeToken } = secretText('svc_tok_');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A running `notify all`. */
interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly lines: readonly string[];
}

let temporary: string;
let receiver: Receiver;
let children: ChildProcess[] = [];
beforeEach(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'notify-all-'));
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(children.map(end));
  children = [];
  await receiver.close();
  await rm(temporary, { recursive: true, force: true });
});

/** Its environment has nothing but these settings: no folder, no database. */
function run(
  settings: Readonly<Record<string, string>>,
  words: readonly string[] = ['all'],
): { child: ChildProcess; lines: string[] } {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH, TMPDIR: temporary, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(child);
  children.push(child);
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => lines.push(line));
  return { child, lines };
}

async function start(settings: Readonly<Record<string, string>> = {}): Promise<Running> {
  const port = await freePort();
  const { child, lines } = run({ PORT: String(port), ...settings });
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`it ended before it was ready:\n${lines.join('\n')}`);
    await delay(50);
  }
  return { child, url, lines };
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await exit) as [number | null];
  return code;
}

async function get(url: string, headers: Readonly<Record<string, string>>): Promise<[number, unknown]> {
  const response = await fetch(url, { headers });
  return [response.status, await response.json()];
}

async function send(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/notify/sms/text`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ to: '+14155550123', text: 'Hello' }),
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

/** The next event of a message at the webhook, whose signature must be right. */
async function nextEvent(event: string): Promise<{ messageId: string }> {
  const request = await receiver.next(({ body }) => String(body).includes(`"${event}"`));
  return new Webhook(secret).verify(request.body, request.headers as Record<string, string>) as {
    messageId: string;
  };
}

test('starts by its environment alone, with the key, token and webhook that it names, and leaves nothing', async () => {
  const key = makeKey();
  const token = makeToken();
  const { child, url, lines } = await start({
    NOTIFY_SEED_API_KEY: key,
    NOTIFY_SEED_SERVICE_TOKEN: token,
    NOTIFY_SEED_WEBHOOK_URL: receiver.url,
    NOTIFY_SEED_WEBHOOK_SECRET: secret,
  });
  const id = await send(url, key);
  expect((await nextEvent('message.delivered')).messageId).toBe(id);
  expect(await get(`${url}/v1/webhooks`, { Authorization: `Bearer ${token}` })).toMatchObject([
    200,
    [{ url: receiver.url }],
  ]);

  const processes = descendantsOf(child.pid ?? 0);
  expect(await end(child)).toBe(0);
  expect(processes.filter(isAlive)).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
  const written = lines.map((line) => JSON.parse(line) as { process: string; msg: string });
  expect(new Set(written.map((line) => line.process))).toEqual(new Set(['notify', ...processNames]));
  expect(lines.join('\n')).not.toContain(key);
});

test('ends in good order while it is still starting', async () => {
  const { child, lines } = run({ PORT: String(await freePort()) });
  while (!lines.some((line) => line.includes('starting the api and the workers'))) await delay(20);
  const processes = descendantsOf(child.pid ?? 0);
  expect(await end(child)).toBe(0);
  expect(processes.filter(isAlive)).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
});

test('creates the tenant once, over restarts with the same settings', async () => {
  await using database = await testDatabase();
  const key = makeKey();
  const token = makeToken();
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: path.join(temporary, 'kept'),
    BCRYPT_COST: '4',
    NOTIFY_SEED_TENANT_EMAIL: 'orders@example.com',
    NOTIFY_SEED_TENANT_PASSWORD: 'correct horse battery',
    NOTIFY_SEED_API_KEY: key,
    NOTIFY_SEED_SERVICE_TOKEN: token,
    NOTIFY_SEED_WEBHOOK_URL: receiver.url,
    NOTIFY_SEED_WEBHOOK_SECRET: secret,
  };
  const first = await start(settings);
  const id = await send(first.url, key);
  expect(await end(first.child)).toBe(0);

  const second = await start(settings);
  expect(await get(`${second.url}/v1/notify/messages/${id}`, { 'X-Api-Key': key })).toMatchObject([
    200,
    { messageId: id },
  ]);
  const bearer = { Authorization: `Bearer ${token}` };
  expect((await get(`${second.url}/v1/webhooks`, bearer))[1]).toHaveLength(1);
  expect((await get(`${second.url}/tenant/api-keys`, bearer))[1]).toHaveLength(1);
  const login = await fetch(`${second.url}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'orders@example.com', password: 'correct horse battery' }),
  });
  expect(login.status).toBe(200);
  expect(await end(second.child)).toBe(0);
});

test.each([
  [
    'known credentials in production',
    {
      NOTIFY_MODE: 'production',
      DATABASE_URL: 'postgres://127.0.0.1/',
      NOTIFY_SEED_API_KEY: makeKey(),
    },
    'NOTIFY_SEED_API_KEY is set, but NOTIFY_MODE is production',
  ],
  ['a temporary database in production', { NOTIFY_MODE: 'production' }, 'DATABASE_URL is not set'],
  ['a mistyped key', { NOTIFY_SEED_API_KEY: `svc_live_${'a'.repeat(49)}` }, 'NOTIFY_SEED_API_KEY: expected'],
])('refuses %s, and exits with 1', async (_, settings, reason) => {
  const { child, lines } = run({ PORT: '0', ...settings });
  const [code] = (await once(child, 'close')) as [number];
  expect([code, lines.join('\n')]).toEqual([1, expect.stringContaining(reason)]);
  expect(await readdir(temporary)).toEqual([]);
});

test.each(['all', 'new-credentials'])(
  '%s shows the help if asked, and does nothing else',
  async (command) => {
    const { child, lines } = run({}, [command, '--help']);
    const [code] = (await once(child, 'close')) as [number];
    expect([code, lines[0]]).toEqual([0, 'notify <command> [--json]']);
    expect(lines.join('\n')).not.toContain('svc_live_');
  },
);

test.each(['all', 'new-credentials'])('%s refuses arguments, and exits with 2', async (command) => {
  const { child, lines } = run({}, [command, 'api']);
  const [code] = (await once(child, 'close')) as [number];
  expect([code, lines]).toEqual([2, [`notify ${command} takes no arguments, but got "api"; see --help`]]);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, type RunningService, startService } from '@notify/testkit';
import { ask, register } from '../installation.ts';
import { untilGone } from './processes.ts';

// Every process starts three times.

const root = path.resolve(import.meta.dirname, '../../../..');
let service: RunningService;
/** Stands for npm: it starts the peers, and passes on no signal. */
let npm: ChildProcess;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  npm?.kill('SIGKILL');
  await service?.stop();
});

const readyTimes = () => service.lines.filter((line) => line === `ready ${service.url}`).length;

async function untilReady(times: number): Promise<void> {
  while (readyTimes() < times) await delay(20);
}

test('a running service calls the fakes of npm run peers as long as they run; they end with npm', async () => {
  const script = `"${process.execPath}" tools/peers.ts; exit`;
  npm = spawn('/bin/sh', ['-c', script], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: 'peers', DATA_DIR: service.dataDir, PORT: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  npm.stdout?.on('data', (chunk) => (told += String(chunk)));
  await untilReady(2);
  expect(told).toContain(`Found npm start on ${service.url} (data folder ${service.dataDir}).`);
  expect(told).toContain(`curl ${service.url}/v1/channel-accounts`);
  const lengths = told.split('\n').map((line) => line.length);
  expect(Math.max(...lengths)).toBeLessThan(600);
  const [, kept = ''] = /-d '@(\S+vonage\.json)'/.exec(told) ?? [];
  expect(JSON.parse(await readFile(kept, 'utf8'))).toMatchObject({ provider: 'vonage' });

  const tenant = await register(service.url, 'ada');
  const account = JSON.parse(/-d '(\{"provider":"twilio".*\})'/.exec(told)?.[1] ?? '') as object;
  const connected = await ask('POST', `${service.url}/v1/channel-accounts`, tenant.bearer, account);
  expect([connected.status, connected.body]).toEqual([
    201,
    expect.objectContaining({ callbackUrl: expect.stringContaining(`${service.url}/callbacks/twilio/`) }),
  ]);
  const verified = `${service.url}/v1/channel-accounts/${String(connected.body.id)}/verify`;
  expect((await ask('POST', verified, tenant.bearer)).body).toMatchObject({ ok: true });

  const started = descendantsOf(npm.pid ?? 0);
  expect(started.length).toBeGreaterThanOrEqual(7);
  npm.kill('SIGKILL');
  await once(npm, 'exit');
  await untilGone(started);
  await untilReady(3);
  expect(service.lines).toContain('npm run peers has ended: restarting without it');
  expect((await readdir(service.dataDir)).filter((name) => name.startsWith('peers'))).toEqual([]);
});

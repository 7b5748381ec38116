// Runs a command while Notify runs: node scripts/with-notify.js npm test
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';

const port = process.env.NOTIFY_PORT ?? '3000';
const url = `http://127.0.0.1:${port}`;
const seeds = parseEnv(readFileSync(new URL('../notify.env', import.meta.url), 'utf8'));
const env = { ...seeds, ...process.env, NOTIFY_URL: url };

const notify = spawn('npx', ['@notify/server', 'all'], {
  env: { ...env, PORT: port, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => notify.kill('SIGTERM'));
const ended = once(notify, 'exit');
try {
  await ready();
  const [command, ...args] = process.argv.slice(2);
  const [code] = await once(spawn(command, args, { env, stdio: 'inherit' }), 'exit');
  process.exitCode = code ?? 1;
} finally {
  notify.kill('SIGTERM');
  await ended;
  // npx ends at once; Notify lets go of its port some moments later.
  while (await isUp()) await delay(50);
}

/** Waits until Notify can send and deliver. The first time, npx may have to download it. */
async function ready() {
  for (const deadline = Date.now() + 180_000; Date.now() < deadline; await delay(200)) {
    if (notify.exitCode !== null) throw new Error('Notify ended before it was ready');
    if (await isUp()) return;
  }
  throw new Error('Notify was not ready within 3 minutes');
}

async function isUp() {
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  return answer?.ok ?? false;
}

import { createInterface } from 'node:readline';
import { openDb } from '@notify/db/connection';
import { openWaker, type Waker } from '@notify/queue';
import { createSecrets } from '@notify/runtime';
import bcrypt from 'bcrypt';
import { type OperatorDeps } from './command.ts';
import { isUnderNpm, masterKeys, operatorEnvironment, operatorSettings } from './config.ts';
import { answerTo, type Call, help, parseCall } from './run.ts';

try {
  const call = parseCall(process.argv.slice(2));
  console.log(call === null ? help(isUnderNpm()) : await run(call));
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}

async function run(call: Call): Promise<string> {
  const env = await operatorEnvironment();
  const settings = operatorSettings(env);
  const db = openDb(settings.databaseUrl, { maxConnections: 2, applicationName: 'notify-operator' });
  let waker: Waker | null = null;
  const deps: OperatorDeps = {
    db,
    settings,
    async wake(kind, wakes) {
      waker ??= openWaker({ ...settings, partitions: settings.queuePartitions, onError: () => undefined });
      await reachable(waker);
      await waker.wakeMany(kind, wakes);
    },
    hash: (password) => bcrypt.hash(password, settings.bcryptCost),
    secrets: async () => createSecrets(await masterKeys(env)),
    readLine,
  };
  try {
    return await answerTo(call, deps);
  } finally {
    await (waker as Waker | null)?.close();
    await db.destroy();
  }
}

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

/** Waits until the waker, which connects by itself, is connected. */
async function reachable(waker: Waker): Promise<void> {
  for (const deadline = performance.now() + 5_000; ;) {
    try {
      return await waker.ping();
    } catch {
      if (performance.now() > deadline) throw new Error('cannot reach the queue');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function textOf(error: unknown): string {
  if (error instanceof AggregateError) return textOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const cannotConnect =
    'code' in error && ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT'].includes(String(error.code));
  return cannotConnect ? `cannot reach the database: ${error.message}` : error.message;
}

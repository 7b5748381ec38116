import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { forReading } from '@notify/core';
import { openDb } from '@notify/db/connection';
import { demandFit } from '@notify/db/maintenance';
import { openWaker, type Waker } from '@notify/queue';
import { createSecrets, queueSettings } from '@notify/runtime';
import bcrypt from 'bcrypt';
import { CommandError, type OperatorDeps } from './command.ts';
import {
  isUnderNpm,
  keyNames,
  masterKeys,
  operatorEnvironment,
  operatorSettings,
  wantsColour,
} from './config.ts';
import { answerTo, type Call, helpFor, parseCall, type Written } from './run.ts';
import { safeText } from './safe-text.ts';
import { painted, unpainted } from './top/layout.ts';
import { openTerminal } from './top/terminal.ts';

/** What a command line is given, and where it writes. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  /** Writes the answer to standard output. */
  print(text: string): void;
  /** Writes a line to standard error: what went wrong, or how far a long command is. */
  complain(line: string): void;
}

/** Runs a command line. Resolves with its exit code. */
export async function runCommandLine(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    const call = parseCall(args);
    const { text, isFailure } =
      call === null
        ? { text: helpFor(args, isUnderNpm(around.env)), isFailure: false }
        : await run(call, around);
    if (text !== '') around.print(text);
    return isFailure ? 1 : 0;
  } catch (error) {
    around.complain(safeText(textOf(error)));
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

async function run(call: Call, around: Surroundings): Promise<Written> {
  const env = await operatorEnvironment(around.env);
  const settings = operatorSettings(env);
  const url = settings.databaseSessionUrl ?? settings.databaseUrl;
  const db = openDb(call.command.onlyReads === true ? forReading(url) : url, {
    maxConnections: 5,
    applicationName: 'notify-operator',
  });
  let waker: Waker | null = null;
  const openedWaker = (): Waker =>
    (waker ??= openWaker({ ...queueSettings(settings), onError: () => undefined }));
  const deps: OperatorDeps = {
    db,
    settings,
    async wake(kind, wakes) {
      await reachable(openedWaker(), 5_000);
      await openedWaker().wakeMany(kind, wakes);
    },
    queueAnswers: () =>
      reachable(openedWaker(), 2_000).then(
        () => true,
        () => false,
      ),
    hash: (password) => bcrypt.hash(password, settings.bcryptCost),
    secrets: async () => createSecrets(await masterKeys(env)),
    // Standard output has only the answer.
    progress: (line) => around.complain(safeText(line)),
    keyNames: () => keyNames(env),
    terminal: () => openTerminal(wantsColour(around.env) ? painted : unpainted),
    get ended() {
      return endSignal();
    },
    readLine: () => readLine(around.input),
    print: (text) => around.print(text),
    ask: (question) => ask(question, around),
  };
  try {
    if (call.command.anySchema !== true) await demandFit(db);
    return await answerTo(call, deps);
  } finally {
    await (waker as Waker | null)?.close();
    await db.destroy();
  }
}

/** Fires at SIGINT, SIGTERM and SIGHUP. Only a command that asks for it is ended in this way; others end at once. */
function endSignal(): AbortSignal {
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end.abort());
  return end.signal;
}

/** Asks on standard error, because standard output has only the answer. */
async function ask(question: string, around: Surroundings): Promise<string | null> {
  const { input } = around;
  if (!('isTTY' in input && input.isTTY === true)) return null;
  around.complain(safeText(question));
  return readLine(input);
}

async function readLine(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}

/** Waits up to `withinMs` until the waker, which connects by itself, is connected. */
async function reachable(waker: Waker, withinMs: number): Promise<void> {
  for (const deadline = performance.now() + withinMs; ;) {
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

import { startSettings, type StartSettings } from './config.ts';
import { createOutput } from './output.ts';
import { startAll, type Undo } from './start.ts';

/** Under npm a Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const sameSignalMs = 1_000;

const undo: Undo[] = [];
const interrupted = new AbortController();
let interruptedAt = 0;
let takenBack: Promise<void> | null = null;

const settings = settingsOrExit();
const output = createOutput(settings);
const starting = startAll(settings, undo, interrupted.signal, output);
if (settings.underNpm) whenParentIsGone(interrupt);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// Without this, a closed terminal would interrupt the orderly stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

starting.then(
  ({ url }) => output.ready(url),
  (error: unknown) => {
    if (!interrupted.signal.aborted) void failWith(error);
  },
);

function settingsOrExit(): StartSettings {
  try {
    return startSettings();
  } catch (error) {
    console.error(textOf(error));
    return process.exit(1);
  }
}

/** Calls `then` when npm is gone, because a killed npm does not notify its children. */
function whenParentIsGone(then: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    then();
  }, 500);
}

async function failWith(error: unknown): Promise<void> {
  output.fail(textOf(error));
  await takeBack();
  process.exit(1);
}

function interrupt(): void {
  if (!interrupted.signal.aborted) {
    interruptedAt = performance.now();
    interrupted.abort();
    void stop();
  } else if (performance.now() - interruptedAt > sameSignalMs) {
    // The processes and Postgres notice our end and stop by themselves.
    process.exit(1);
  }
}

async function stop(): Promise<void> {
  output.say('stopping');
  await starting.catch(() => undefined);
  await takeBack();
  output.say('stopped');
  process.exit(0);
}

function takeBack(): Promise<void> {
  takenBack ??= undoAll();
  return takenBack;
}

async function undoAll(): Promise<void> {
  for (const step of undo.toReversed()) await step();
}

function textOf(error: unknown): string {
  if (error instanceof AggregateError) return textOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

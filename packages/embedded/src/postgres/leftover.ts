import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Ends a server that an earlier start left behind in `folder`. Also removes a `postmaster.pid` whose number now belongs
 * to another program (after a reboot), which Postgres would take for a running server. The caller must hold the lock of
 * the folder.
 */
export async function endLeftover(folder: string, say: (line: string) => void): Promise<void> {
  const file = path.join(folder, 'postmaster.pid');
  const pid = await pidIn(file);
  if (pid === null) return;
  if (!(await isServerOf(pid, folder))) return rm(file, { force: true });
  say('stopping a Postgres that an earlier start left running');
  // Fast shutdown first, immediate if that takes too long: https://www.postgresql.org/docs/18/server-shutdown.html
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (await endsAt(signal, pid, folder)) return;
  }
  throw new Error(`a Postgres that an earlier start left running (process ${pid}) cannot be stopped`);
}

async function pidIn(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : null;
}

/**
 * Whether the process is our server of that folder: each of our postmasters has its data folder on its command line.
 */
async function isServerOf(pid: number, folder: string): Promise<boolean> {
  const command = existsSync('/proc/self/cmdline')
    ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    : await run('ps', ['-o', 'command=', '-p', String(pid)]).then(
        ({ stdout }) => stdout,
        () => '',
      );
  return command.includes('postgres') && command.includes(folder);
}

async function endsAt(signal: NodeJS.Signals, pid: number, folder: string): Promise<boolean> {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, or it is not ours. The check below decides.
  }
  for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 50) {
    if (!(await isServerOf(pid, folder))) return true;
    await delay(50);
  }
  return false;
}

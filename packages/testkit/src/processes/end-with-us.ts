import { type ChildProcess, spawn } from 'node:child_process';

/** The signal for a process when this one is gone: one that ends it, or SIGCONT if it notices by itself. */
export type LastSignal = 'SIGTERM' | 'SIGKILL' | 'SIGCONT';

/**
 * Reads lines, `TERM <pid>` or `gone <pid>`, until its input ends because their writer is gone for any reason. Then it
 * signals every process that is not gone, resumes those that were stopped, and kills those that still run after 15 s.
 */
const guardProgram = `
left=
while read -r signal pid; do
  case $signal in
    gone)
      kept=
      for one in $left; do [ "\${one#*:}" = "$pid" ] || kept="$kept $one"; done
      left=$kept ;;
    *) left="$left $signal:$pid" ;;
  esac
done
for one in $left; do kill -\${one%%:*} \${one#*:}; kill -CONT \${one#*:}; done
tries=150
while [ $tries -gt 0 ]; do
  alive=
  for one in $left; do kill -0 \${one#*:} && alive=yes; done
  [ -z "$alive" ] && exit
  tries=$((tries - 1))
  sleep 0.1
done
for one in $left; do kill -KILL \${one#*:}; done`;

let guard: ChildProcess | null = null;
let guarded = 0;

/** Makes a new child end with this process, even if this process is killed. */
export function endWithUs(child: ChildProcess, lastSignal: LastSignal = 'SIGTERM'): void {
  if (child.pid === undefined) return;
  guard ??= startGuard();
  const own = guard;
  guarded += 1;
  own.stdin?.write(`${lastSignal.slice('SIG'.length)} ${child.pid}\n`);
  child.once('exit', () => {
    own.stdin?.write(`gone ${child.pid}\n`);
    guarded -= 1;
    if (guarded === 0) endGuard();
  });
}

/**
 * Starts the guard in its own session, so that a Ctrl-C in the terminal does not reach it. It does not keep this
 * process alive.
 */
function startGuard(): ChildProcess {
  const started = spawn('/bin/sh', ['-c', guardProgram], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  started.unref();
  (started.stdin as unknown as { unref(): void }).unref();
  started.stdin?.on('error', () => undefined);
  return started;
}

function endGuard(): void {
  guard?.stdin?.end();
  guard = null;
}

const lookEveryMs = 500;

/**
 * Ends this process, as SIGTERM does, when the npm that started it is gone, because a killed npm does not notify its
 * children. A process that was not started by npm may outlive its shell.
 */
export function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs).unref();
}

import { type ChildProcess, spawn } from 'node:child_process';

/** What a process gets when this one is gone: a signal that ends it, or SIGCONT where it notices by itself. */
export type LastSignal = 'SIGTERM' | 'SIGKILL' | 'SIGCONT';

/**
 * Reads lines, `TERM <pid>` or `gone <pid>`, until the end of its input, which comes when the one who writes them is gone,
 * however that happened. Then it signals every process that is not gone, lets those that were stopped go on, and kills
 * what still runs after 15 s.
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

/** Has a child that was just started end with this process, also when that is killed. */
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

/** In a session of its own, so that a Ctrl-C in the terminal does not reach it. It keeps nobody waiting. */
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
 * Ends this process, as SIGTERM does, when npm was what started it and is gone: killed, npm tells nobody. A process that
 * was started otherwise may outlive its shell.
 */
export function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs).unref();
}

import { setTimeout as wait } from 'node:timers/promises';
import { type ProcessName, type ProcessOptions, type RunningProcess, startProcess } from '@notify/testkit';

/** systemd's default for `RestartSec`. */
const restartAfterMs = 100;
/** systemd's default is 90 s; a process of ours says that it ends within 10 s. */
const stopWithinMs = 60_000;

interface Plan {
  readonly preload: readonly string[];
  readonly ended: PromiseWithResolvers<NodeJS.Signals | null>;
}

/** Starts a process and keeps it up; resolves when it is ready. */
export async function supervise(name: ProcessName, options: ProcessOptions): Promise<Supervised> {
  const first = await startProcess(name, options);
  await first.ready();
  return new Supervised(first);
}

/** A process that is started again whenever it ends, as systemd would. */
export class Supervised {
  readonly name: ProcessName;
  /** Where it answers `/readyz`, through all its lives; the api's base URL. */
  readonly url: string;
  /** How it ended where nobody here had ended it and no point had killed it: a crash of its own. */
  readonly crashes: string[] = [];
  /** Of its lives that had no time to store what they knew: killed, or ended at the deadline of their shutdown. */
  readonly cutPids = new Set<number>();
  private current: RunningProcess;
  /** The life that somebody here ends: that is no crash. */
  private doomed: RunningProcess | null = null;
  private nextLife = Promise.withResolvers<void>();
  private readonly plans: Plan[] = [];
  private stopping = false;
  private readonly kept: Promise<void>;

  constructor(first: RunningProcess) {
    this.name = first.name;
    this.url = first.url;
    this.current = first;
    this.kept = this.keep();
  }

  /** Ends the life it leads; resolves when that has ended, before the next begins. */
  async end(how: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const life = this.current;
    this.doomed = life;
    life.process.kill('SIGCONT');
    life.process.kill(how);
    const kill = setTimeout(() => life.process.kill('SIGKILL'), stopWithinMs);
    await life.ended();
    clearTimeout(kill);
  }

  signal(signal: NodeJS.Signals): void {
    this.current.process.kill(signal);
  }

  /**
   * Starts one of its next lives, in the order of the calls, with these modules loaded before its own code. Resolves,
   * with the signal, when that life has ended.
   */
  thenWith(preload: readonly string[]): Promise<NodeJS.Signals | null> {
    const ended = Promise.withResolvers<NodeJS.Signals | null>();
    this.plans.push({ preload, ended });
    return ended.promise;
  }

  /** Takes back what `thenWith` has planned. */
  forgetPlans(): void {
    this.plans.splice(0);
  }

  /** Resolves when it is ready, in this life or in a later one. */
  async ready(): Promise<void> {
    while (!this.stopping) {
      const life = this.current;
      const later = this.nextLife.promise;
      const isReady = await life.ready().then(
        () => true,
        () => false,
      );
      if (isReady) return;
      if (this.current === life) await later;
    }
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.end('SIGTERM');
    await this.kept;
  }

  private async keep(): Promise<void> {
    for (let plan: Plan | undefined; !this.stopping;) {
      const signal = await this.current.ended();
      if (signal !== null || this.current.process.exitCode !== 0) this.cutPids.add(this.current.process.pid!);
      plan?.ended.resolve(signal);
      if (this.doomed !== this.current && signal !== 'SIGKILL')
        this.crashes.push(signal ?? `exit code ${this.current.process.exitCode}`);
      await wait(restartAfterMs);
      if (this.stopping) return;
      plan = this.plans.shift();
      this.current = await this.current.restart(plan?.preload);
      this.nextLife.resolve();
      this.nextLife = Promise.withResolvers();
    }
  }
}

import { setTimeout as wait } from 'node:timers/promises';
import { type ProcessName, type ProcessOptions, type RunningProcess, startProcess } from '@notify/testkit';

/** systemd's default for `RestartSec`. */
const restartAfterMs = 100;
/** systemd waits 90 s by default. Our processes promise to end within 10 s. */
const stopWithinMs = 60_000;

interface Plan {
  readonly preload: readonly string[];
  readonly ended: PromiseWithResolvers<NodeJS.Signals | null>;
}

/** Starts a process and keeps it running. Resolves when it is ready. */
export async function supervise(name: ProcessName, options: ProcessOptions): Promise<Supervised> {
  const first = await startProcess(name, options);
  await first.ready();
  return new Supervised(first);
}

/** A process that is restarted whenever it ends, as systemd does. */
export class Supervised {
  readonly name: ProcessName;
  /** Answers `/readyz` through all restarts; the base URL of the api. */
  readonly url: string;
  /** Answers `/metrics` through all restarts. */
  readonly healthUrl: string;
  /** Exits that neither this program nor a checkpoint caused: crashes. */
  readonly crashes: string[] = [];
  /**
   * Process ids of lives that had no time to store what they knew: killed, or ended at the deadline of their
   * shutdown.
   */
  readonly cutPids = new Set<number>();
  private current: RunningProcess;
  /** The life that this program ends, which is no crash. */
  private doomed: RunningProcess | null = null;
  private nextLife = Promise.withResolvers<void>();
  private readonly plans: Plan[] = [];
  /** The tree of the next life. Undefined: that of the first. */
  private tree: string | undefined;
  private stopping = false;
  /** Until it resolves, no life begins. */
  private halted = Promise.withResolvers<void>();
  private readonly kept: Promise<void>;

  constructor(first: RunningProcess) {
    this.name = first.name;
    this.url = first.url;
    this.healthUrl = first.healthUrl;
    this.current = first;
    this.halted.resolve();
    this.kept = this.keep();
  }

  /** Ends the current life. Resolves before the next one begins. */
  async end(how: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const life = this.current;
    this.doomed = life;
    life.process.kill('SIGCONT');
    life.process.kill(how);
    const kill = setTimeout(() => life.process.kill('SIGKILL'), stopWithinMs);
    await life.ended();
    clearTimeout(kill);
  }

  /** Kills the current life, as when its machine fails. The next one begins at `resume`. */
  async halt(): Promise<void> {
    this.halted = Promise.withResolvers();
    await this.end('SIGKILL');
  }

  /** Begins the next life after `halt`. `ready` waits for it. */
  resume(): void {
    this.halted.resolve();
  }

  /** Ends it, and starts the process of another tree in its place. Resolves when that is ready. */
  async rollTo(tree: string): Promise<void> {
    this.tree = tree;
    await this.end('SIGTERM');
    await this.ready();
  }

  signal(signal: NodeJS.Signals): void {
    this.current.process.kill(signal);
  }

  /**
   * Plans one of the next lives, in the order of the calls, with these modules loaded before its own code. Resolves
   * with the signal when that life has ended.
   */
  thenWith(preload: readonly string[]): Promise<NodeJS.Signals | null> {
    const ended = Promise.withResolvers<NodeJS.Signals | null>();
    this.plans.push({ preload, ended });
    return ended.promise;
  }

  /** Cancels the lives planned by `thenWith`. */
  forgetPlans(): void {
    this.plans.splice(0);
  }

  /** Resolves when this life or a later one is ready. */
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

  /** Ends the process and restarts it no more. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.resume();
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
      await this.halted.promise;
      if (this.stopping) return;
      plan = this.plans.shift();
      this.current = await this.current.restart(plan?.preload, this.tree);
      this.nextLife.resolve();
      this.nextLife = Promise.withResolvers();
    }
  }
}

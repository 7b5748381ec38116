import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Audit, audit } from './audit.ts';
import { type Course, faults, type World } from './faults.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { type Hook, startHook } from './hook.ts';
import { type Load, startLoad } from './load.ts';
import { type Program, startProgram } from './program.ts';
import { type EnduringService, startEnduringService } from './service.ts';

export interface Endurance extends Audit {
  /** How often each fault came. */
  readonly faults: Readonly<Record<string, number>>;
  readonly sent: number;
  readonly connections: number;
  readonly refused: number;
  readonly unverified: readonly string[];
  /** How every program ended that the run started. */
  readonly endings: readonly (number | NodeJS.Signals)[];
  /** What the programs printed: each line of JSON by `type` and, where there is one, `state`. */
  readonly said: Readonly<Record<string, number>>;
  readonly errors: readonly string[];
  /** How long the last events took after the load had ended, in ms. */
  readonly settledMs: number;
}

/** How long the last events may take after the load has ended, in ms. */
const settleMs = 240_000;

/**
 * Runs `listen` through a faulty network to a receiver that comes and goes, while the service is frozen and restarted and the
 * CLI itself is stopped and killed. Every event has to arrive, in the order of its message.
 */
export async function endure(course: Course, log: (line: string) => void): Promise<Endurance> {
  const folder = await mkdtemp(path.join(tmpdir(), 'notifyctl-'));
  const service = await startEnduringService();
  const proxy = await startFaultyProxy(service.port);
  const { secret } = await service.notify.events.getSecret();
  const hook = await startHook(() => secret, course.failing);
  const programs: Program[] = [];
  const start = (): Program => {
    const lostAfter = ['--lost-after', String(course.lostAfterMs / 1_000)];
    const program = startProgram(['listen', '--forward-to', hook.url, '--json', ...lostAfter], {
      NOTIFY_URL: proxy.url,
      NOTIFY_TOKEN: service.token,
      XDG_CONFIG_HOME: folder,
    });
    programs.push(program);
    return program;
  };
  const load = startLoad(service.notify, course.everyMs);
  try {
    const counts = await breakThings(
      course,
      { service, proxy, hook, start, program: await listening(start, load) },
      log,
    );
    await load.stop();
    log(`load ended: ${load.sent} messages`);
    return await settle({ service, proxy, hook, load, programs, counts });
  } finally {
    for (const { process: one } of programs) one.kill('SIGKILL');
    await load.stop();
    proxy.close();
    await hook.leave();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first program. The load begins when it is connected, because it begins with what happens from then on. */
async function listening(start: () => Program, load: Load): Promise<Program> {
  const program = start();
  while (!program.output.some((line) => line.includes('"open"'))) {
    if (program.process.exitCode !== null) throw new Error(program.errors.join('\n'));
    await wait(50);
  }
  load.begin();
  return program;
}

async function breakThings(
  course: Course,
  world: World,
  log: (line: string) => void,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const endMs = performance.now() + course.durationMs;
  for (;;) {
    for (const name of shuffled(Object.keys(faults))) {
      await wait(course.calmMs * (0.5 + Math.random()));
      expectRunning(world.program);
      if (performance.now() >= endMs) return counts;
      counts[name] = (counts[name] ?? 0) + 1;
      log(`${name}; taken so far: ${world.hook.taken.length}`);
      await faults[name]!(world, course);
    }
  }
}

function expectRunning(program: Program | undefined): void {
  const code = program?.process.exitCode ?? null;
  if (code !== null) throw new Error(`listen ended with ${code}:\n${program?.errors.join('\n')}`);
}

interface Ending {
  readonly service: EnduringService;
  readonly proxy: FaultyProxy;
  readonly hook: Hook;
  readonly load: Load;
  readonly programs: readonly Program[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Waits until every message has its end and every event has arrived, then ends the program. */
async function settle({ service, proxy, hook, load, programs, counts }: Ending): Promise<Endurance> {
  const beganMs = performance.now();
  let events = await service.events();
  let quietSinceMs = performance.now();
  while (performance.now() - beganMs < settleMs) {
    const found = audit(events, hook.taken);
    if (found.missing.length === 0 && performance.now() - quietSinceMs > 10_000) break;
    await wait(500);
    expectRunning(programs.at(-1));
    const now = await service.events();
    if (now.length !== events.length) quietSinceMs = performance.now();
    events = now;
  }
  const settledMs = Math.round(performance.now() - beganMs);
  programs.at(-1)?.process.kill('SIGINT');
  const endings = await Promise.all(programs.map(({ ended }) => ended));
  return {
    ...audit(events, hook.taken),
    faults: counts,
    sent: load.sent,
    connections: proxy.connections,
    refused: hook.refused,
    unverified: hook.unverified,
    endings,
    said: tell(programs.flatMap(({ output }) => output)),
    errors: programs.flatMap(({ errors }) => errors),
    settledMs,
  };
}

function tell(lines: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of lines) {
    const { type, state } = JSON.parse(line) as { type: string; state?: string };
    const name = state === undefined ? type : `${type} ${state}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

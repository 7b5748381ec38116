import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';
import { usageOf } from '../environment/cpu.ts';
import type { Environment } from '../environment/environment.ts';
import { startProvider } from '../environment/peers.ts';
import { startService, type ServiceOptions } from '../environment/service.ts';
import { startNginx } from '../peers/nginx.ts';
import type { Sizes } from './benchmark.ts';
import { sendAll } from './end-to-end.ts';

/** One of two services that are compared. */
export interface Side {
  readonly name: string;
  readonly options: ServiceOptions;
  /** Called every few seconds while messages are sent, with the URLs of its health checks and metrics. */
  readonly meanwhile?: (healthUrls: readonly string[]) => Promise<void>;
}

const meanwhileMs = 5_000;

/** Two sides, in the order in which they were given. */
export type Pair<T> = readonly [T, T];

/**
 * CPU of a message in ms, from its send to its last webhook delivery: that of a service's processes and of its connections to
 * Postgres. Two services send at the same time, so what else the machine does falls on both. Every round starts them anew, and
 * the other one first: a process keeps for its life what luck it had with its memory and its compiled code. A pass that
 * warms up is left out.
 */
export async function sideBySide(
  environment: Environment,
  sides: Pair<Side>,
  sizes: Sizes,
  say: (line: string) => void,
): Promise<Pair<number>[]> {
  const rounds: Pair<number>[] = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    await using stack = new AsyncDisposableStack();
    const opened = new Map<Side, (messages: number) => Promise<number>>();
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      opened.set(side, await open(environment, side, opened.size, stack, sizes));
    const both = (messages: number): Promise<[number, number]> =>
      Promise.all([opened.get(sides[0])!(messages), opened.get(sides[1])!(messages)]);
    await both(Math.ceil(sizes.messages / 2));
    const pair = await both(sizes.messages);
    say(sides.map(({ name }, index) => `${name}: ${pair[index]!.toFixed(3)} ms`).join(', '));
    rounds.push(pair);
  }
  return rounds;
}

/** Starts a service and returns what sends messages through it. */
async function open(
  environment: Environment,
  { options, meanwhile }: Side,
  place: number,
  stack: AsyncDisposableStack,
  sizes: Sizes,
): Promise<(messages: number) => Promise<number>> {
  // A separate queue, because the processes of all services share one Redis.
  const env = { REDIS_URL: `${environment.redisUrl}/${place + 1}`, ...options.env };
  const service = stack.use(await startService(environment, { ...options, env }));
  const { postgres: _, redis: __, ...processes } = service.processes;
  // A provider keeps connections for reports open, all to one api.
  const provider = stack.use(await startProvider());
  const folder = path.join(environment.dir, `side-${place}`);
  await mkdir(folder, { recursive: true });
  const nginx = await startNginx(folder);
  stack.defer(() => nginx.stop());
  if (meanwhile !== undefined) {
    const timer = setInterval(() => void meanwhile(service.healthUrls), meanwhileMs);
    stack.defer(() => clearInterval(timer));
  }
  return async (messages) => {
    const before = await connectionsOf(service.db);
    const watched = { ...service, processes };
    const pass = await sendAll(environment, watched, provider, nginx, { ...sizes, messages });
    const { provider: _provider, nginx: _nginx, ...own } = pass.observed.cpuMs;
    const ownMs = Object.values(own).reduce((sum, ms) => sum + ms, 0);
    return (ownMs + since(before, await connectionsOf(service.db))) / pass.messages;
  };
}

/** CPU so far of each connection to the database, in ms by its process id. */
async function connectionsOf(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(db);
  return new Map(rows.map(({ pid }) => [pid, usageOf([pid]).cpuMs]));
}

function since(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, cpuMs]) => sum + cpuMs - (before.get(pid) ?? 0), 0);
}

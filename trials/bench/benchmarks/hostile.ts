import { setTimeout as wait } from 'node:timers/promises';
import { usageOf } from '../environment/cpu.ts';
import type { Environment } from '../environment/environment.ts';
import { flood } from '../environment/flood.ts';
import { ask, logIn, sendSteadily } from '../environment/honest.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { makeLoadTenant, makeTwilioAccount } from '../environment/tenants.ts';
import type { Hostile } from '../load/hostile-requests.ts';
import { type Figure, plain, type Target } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark, Sizes } from './benchmark.ts';
import { hostileCosts } from './hostile-costs.ts';

/** A kind of attack by a stranger or a tenant, and the CPU that one of its requests may cost the api, in ms. */
interface Case {
  readonly kind: Hostile;
  readonly title: string;
  readonly connections: number;
  /** A client of the flood hangs up after this time. */
  readonly patienceMs: number;
  /** Null where the cost is intended: a password hash is slow by design. */
  readonly atMostMs: number | null;
}

const steady = { connections: 8, patienceMs: 300_000 };
const cases: readonly Case[] = [
  { ...steady, kind: 'fields', title: 'forged callback, 224 KB of fields', atMostMs: 20 },
  { ...steady, kind: 'document', title: 'forged callback, 224 KB of JSON', atMostMs: 20 },
  { ...steady, kind: 'json', title: 'bulk call, 6 MB of names', atMostMs: 60 },
  { ...steady, kind: 'pieces', title: 'bulk call, 64 KB byte by byte', atMostMs: 60 },
  { kind: 'login', title: 'wrong password', connections: 64, patienceMs: 1_000, atMostMs: null },
];

const honestPerSecond = 20;
/** Pause between two requests whose cost is measured, so that no rate limit applies. */
const pauseMs = 60;
const password = 'correct horse battery';
const email = 'honest@example.com';
const unreachable = { gatewayUrl: 'http://127.0.0.1:9/send' };

/** The api's CPU for hostile requests, and the latency of honest requests during a flood. */
export const hostile: Benchmark = {
  name: 'hostile',
  async run(environment, sizes, say) {
    const figures: Figure[] = [];
    for (const one of cases) {
      const rounds: Measured[] = [];
      for (let round = 0; round < sizes.rounds; round += 1) {
        const measured = await measure(environment, one, sizes);
        say(`${one.title}: ${JSON.stringify(measured)}`);
        rounds.push(measured);
      }
      figures.push(...figuresOf(one, rounds));
    }
    return [...figures, ...(await hostileCosts(environment, say))];
  },
};

interface Measured {
  /** CPU of one hostile request, in ms. */
  readonly cpuMs: number;
  /** Answered requests of the flood, by status. */
  readonly answered: Readonly<Record<string, number>>;
  /** Latency of honest sends during the flood, in ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Honest sends without a 202, by status; 0 stands for no answer. */
  readonly failed: Readonly<Record<string, number>>;
  /** Time of an honest login that began in the middle of the flood; null where none was tried. */
  readonly loginMs: number | null;
}

async function measure(environment: Environment, one: Case, sizes: Sizes): Promise<Measured> {
  await using service = await startService(environment, { workers: [], env: { TRUSTED_PROXIES: '1' } });
  const target = await targetOf(service, environment, one.kind);
  const { key } = await makeLoadTenant(service.db, environment.secrets, unreachable);
  const cpuMs = await costOfOne(service, one, target, sizes);
  const honest = sendSteadily(service.apiUrl, key, honestPerSecond);
  const [answered, loginMs] = await Promise.all([
    flood(service.apiUrl, { ...one, target, seconds: sizes.seconds, pauseMs: 0 }),
    one.kind === 'login' ? logInAfter(service, sizes.seconds * 500) : null,
  ]);
  const sent = await honest.end();
  const took = sent.filter(({ status }) => status === 202).map(({ tookMs }) => tookMs);
  return {
    cpuMs,
    answered,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    failed: countBy(sent.map(({ status }) => status).filter((status) => status !== 202)),
    loginMs,
  };
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0);
}

function countBy(statuses: readonly number[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(statuses, String));
  return Object.fromEntries(groups.map(([status, all = []]) => [status, all.length]));
}

async function logInAfter({ apiUrl }: BenchService, afterMs: number): Promise<number> {
  await wait(afterMs);
  return logIn(apiUrl, email, password);
}

/**
 * CPU of one request on one connection, after a warm-up, less the CPU of an idle api. Requests in flight at the end
 * are awaited, so their CPU counts.
 */
async function costOfOne(service: BenchService, one: Case, target: string, sizes: Sizes): Promise<number> {
  const { seconds } = sizes;
  const few = { ...one, target, seconds, pauseMs, connections: 1, patienceMs: 300_000 };
  const send = () => flood(service.apiUrl, few);
  await used(service, send);
  const idle = await used(service, () => wait(seconds * 1_000));
  const busy = await used(service, send);
  const answered = Math.max(1, sumOf(busy.result));
  return Math.max(0, busy.cpuMs - idle.cpuMs) / answered;
}

async function used<T>(service: BenchService, run: () => Promise<T>): Promise<{ result: T; cpuMs: number }> {
  const cpuMs = () => usageOf(service.processes['api']!).cpuMs;
  const before = cpuMs();
  const result = await run();
  await ask(`${service.apiUrl}/auth/refresh`, {}, {});
  return { result, cpuMs: cpuMs() - before };
}

async function targetOf(
  { apiUrl, db }: BenchService,
  { secrets }: Environment,
  kind: Hostile,
): Promise<string> {
  switch (kind) {
    case 'fields':
    case 'document':
      return makeTwilioAccount(db, secrets);
    case 'json':
    case 'pieces':
      return (await makeLoadTenant(db, secrets, unreachable)).key;
    case 'login':
      await ask(`${apiUrl}/auth/register`, { name: 'Honest', email, password }, {});
      return 'example.org';
  }
}

function figuresOf({ kind, title, atMostMs }: Case, rounds: readonly Measured[]): Figure[] {
  const figure = (what: string, unit: string, target: Target | null, pick: (one: Measured) => number) =>
    plain('hostile', `${title}: ${what}`, rounds.map(pick), unit, target);
  const cost = atMostMs === null ? null : { atMost: atMostMs };
  const figures = [
    figure('CPU', 'ms', cost, ({ cpuMs }) => cpuMs),
    figure('honest send, p50', 'ms', null, ({ p50Ms }) => p50Ms),
    figure('honest send, p99', 'ms', { atMost: 1_000 }, ({ p99Ms }) => p99Ms),
    figure('honest sends refused', '', { atMost: 0 }, ({ failed }) => sumOf(failed)),
  ];
  if (kind !== 'login') return figures;
  return [...figures, figure('honest login', 'ms', { atMost: 10_000 }, ({ loginMs }) => loginMs ?? Infinity)];
}

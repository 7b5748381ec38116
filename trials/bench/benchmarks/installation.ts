import { setTimeout as wait } from 'node:timers/promises';
import { type ProcessName, startRedisCluster } from '@notify/testkit';
import type { Environment } from '../environment/environment.ts';
import { type Pace, sendPaced } from '../environment/paced.ts';
import { type Provider, startProvider } from '../environment/peers.ts';
import { type BenchService, type ServiceOptions, startService } from '../environment/service.ts';
import { type PostgresFigures, postgresFigures } from '../environment/stores.ts';
import { makeLoadTenants, type LoadTenant } from '../environment/tenants.ts';
import { until } from '../environment/until.ts';
import { type Observed, watch } from '../environment/watch.ts';
import { type NginxReceiver, startNginx } from '../peers/nginx.ts';
import { type Figure, plain, ratio } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark } from './benchmark.ts';

const senders = 20;
/** Each message has three events, and the webhook receives them all. */
const eventsEach = 3;
/** Messages a second. Batches grow with the rate, so a message of a higher rate takes less. */
const rates = [25, 100, 400];
/** Queues of a kind and lane, so that each master of the cluster has some. */
const clusterPartitions = 6;
/** Statistics of Postgres arrive within a second (see `postgresFigures`). */
const settleMs = 1_500;

/** The processes of an installation, beside Postgres. */
interface Shape {
  readonly name: string;
  readonly apis: number;
  readonly workers: readonly ProcessName[];
  /** Whether the queue is on a Redis Cluster of three masters with a replica each, and not on the Redis of the environment. */
  readonly onCluster: boolean;
}

const small: Shape = {
  name: 'one of each',
  apis: 1,
  workers: ['dispatch-worker', 'webhook-worker'],
  onCluster: false,
};
const large: Shape = {
  name: '2 api, 4 dispatch, 3 webhook',
  apis: 2,
  workers: [...times<ProcessName>(4, 'dispatch-worker'), ...times<ProcessName>(3, 'webhook-worker')],
  onCluster: true,
};

/** A shape at a rate. */
interface Case {
  readonly shape: Shape;
  readonly perSecond: number;
}

interface Run {
  readonly messages: number;
  readonly observed: Observed;
  readonly before: PostgresFigures;
  readonly after: PostgresFigures;
  readonly accepted: readonly number[];
  readonly refused: number;
  readonly called: readonly number[];
}

/**
 * What an installation takes for each message at several rates: an api, a worker of each kind and one Redis, beside 2 apis, 4 dispatch workers and 3 webhook workers on a Redis Cluster of three masters. Milliseconds of a
 * processor per message are processors per 1,000 messages a second. docs/scaling.md is made of these figures.
 */
export const installation: Benchmark = {
  name: 'installation',
  needs: ['nginx'],
  async run(environment, { rounds, seconds }, say) {
    const cases = [small, large].flatMap((shape) => rates.map((perSecond): Case => ({ shape, perSecond })));
    const runs = new Map<Case, Run[]>(cases.map((one) => [one, []]));
    const nginx = await startNginx(environment.dir);
    try {
      for (let round = 0; round < rounds; round += 1)
        for (const [one, list] of runs) {
          const run = await measure(environment, one, nginx, seconds);
          say(`${nameOf(one)}: ${describe(run)}`);
          list.push(run);
        }
    } finally {
      await nginx.stop();
    }
    const figures = [...runs].flatMap(([one, list]) => figuresOf(one, list));
    return figures.concat(rates.map((perSecond) => comparison(runs, perSecond)));
  },
};

function nameOf({ shape, perSecond }: Case): string {
  return `${shape.name} at ${perSecond}/s`;
}

async function measure(
  environment: Environment,
  { shape: { apis, workers, onCluster }, perSecond }: Case,
  nginx: NginxReceiver,
  seconds: number,
): Promise<Run> {
  await using stack = new AsyncDisposableStack();
  const queue = onCluster ? await startCluster(stack) : {};
  const service = stack.use(await startService(environment, { apis, workers, ...queue }));
  const provider = stack.use(await startProvider());
  const options = { gatewayUrl: provider.sendUrl, webhookUrl: nginx.url };
  const tenants = await makeLoadTenants(service.db, environment.secrets, senders, options);
  const load = { perSecond, seconds, mayBeRefused: true };
  // Compiles the code and fills the caches of every process.
  await send(service, provider, nginx, tenants, load);
  // The service ends with this function, so wait here.
  return await send(service, provider, nginx, tenants, load);
}

/** The settings of a service whose queue is on its own cluster. */
async function startCluster(stack: AsyncDisposableStack): Promise<Pick<ServiceOptions, 'queue' | 'env'>> {
  const cluster = await startRedisCluster();
  stack.defer(() => cluster.remove());
  const infos = await Promise.all(cluster.nodes.map((node) => node.ask('INFO', 'server')));
  const pids = infos.map((info) => Number(/^process_id:(\d+)/m.exec(String(info))?.[1]));
  return { queue: { url: cluster.url, pids }, env: { QUEUE_PARTITIONS: String(clusterPartitions) } };
}

async function send(
  service: BenchService,
  provider: Provider,
  nginx: NginxReceiver,
  tenants: readonly LoadTenant[],
  load: Pace,
): Promise<Run> {
  await provider.configure({});
  await nginx.empty();
  await wait(settleMs);
  const before = await postgresFigures(service.db);
  const watching = watch(service.processes);
  const { accepted, refused, called } = await sendPaced(service, provider, tenants, load);
  const messages = accepted.length;
  await until('every webhook delivery', async () => (await nginx.count()) >= messages * eventsEach);
  const observed = watching.end();
  await wait(settleMs);
  return { messages, observed, before, after: await postgresFigures(service.db), accepted, refused, called };
}

function describe({ messages, observed, accepted, refused, called }: Run): string {
  const cpu = Object.entries(observed.cpuMs).map(([name, ms]) => `${name} ${(ms / messages).toFixed(2)}`);
  const p99 = [accepted, called].map((times) => quantile(times, 0.99).toFixed(0));
  return `CPU ms per message: ${cpu.join(', ')}; p99 of the 202 ${p99[0]} ms, of the call after it ${p99[1]} ms; ${refused} refused`;
}

function figuresOf(one: Case, runs: readonly Run[]): Figure[] {
  const name = nameOf(one);
  const perMessage = (what: string, unit: string, of: (run: Run) => number): Figure =>
    plain(
      'installation',
      `${name}: ${what} per message`,
      runs.map((run) => of(run) / run.messages),
      unit,
    );
  const each = (what: string, unit: string, of: (run: Run) => number): Figure =>
    plain('installation', `${name}: ${what}`, runs.map(of), unit);
  const processes = Object.keys(runs[0]?.observed.cpuMs ?? {});
  return [
    ...processes.map((one) => perMessage(`CPU, ${one}`, 'ms', ({ observed }) => observed.cpuMs[one]!)),
    perMessage('write-ahead log', 'KB', ({ before, after }) => (after.walBytes - before.walBytes) / 1_024),
    perMessage('disk', 'KB', ({ before, after }) => (after.diskBytes - before.diskBytes) / 1_024),
    perMessage('transactions', '', ({ before, after }) => after.transactions - before.transactions),
    each('connections to Postgres', '', ({ after }) => after.connections),
    ...processes.map((one) => each(`memory, largest ${one}`, 'MB', ({ observed }) => observed.rssMb[one]!)),
    each('refused', '', ({ refused }) => refused),
    each('202, p50', 'ms', ({ accepted }) => quantile(accepted, 0.5)),
    each('202, p99', 'ms', ({ accepted }) => quantile(accepted, 0.99)),
    each('202 to provider called, p50', 'ms', ({ called }) => quantile(called, 0.5)),
    each('202 to provider called, p99', 'ms', ({ called }) => quantile(called, 0.99)),
  ];
}

function comparison(runs: ReadonlyMap<Case, readonly Run[]>, perSecond: number): Figure {
  const cpuOf = (shape: Shape): [string, number[]] => {
    const [one, list] = [...runs].find(([one]) => one.shape === shape && one.perSecond === perSecond)!;
    return [
      `CPU of ${nameOf(one)}`,
      list.map(({ observed, messages }) => sum(Object.values(observed.cpuMs)) / messages),
    ];
  };
  return ratio('installation', cpuOf(large), cpuOf(small), null);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function times<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value);
}

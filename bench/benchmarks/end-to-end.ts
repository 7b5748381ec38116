import { type RunningKannel, startKannel } from '@notify/testkit';
import type { Environment } from '../environment/environment.ts';
import { type Provider, startProvider } from '../environment/peers.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { emptyTables, makeLoadTenants, type LoadTenant } from '../environment/tenants.ts';
import { until } from '../environment/until.ts';
import { type Observed, watch } from '../environment/watch.ts';
import { wrk } from '../load/wrk.ts';
import { type NginxReceiver, startNginx } from '../peers/nginx.ts';
import { type Figure, plain, ratio } from '../report.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

/** Tenants that send in turn, so that no account nears `CALLBACKS_PER_SECOND`. */
const senders = 10;
const eventsPerMessage = 3;
/** Time limit of a load, in seconds. Loads normally end at their count of requests. */
const loadSeconds = 300;

/**
 * Messages a second from the first 202 to the last webhook delivery, with three deliveries per message. The baseline
 * is Kannel, from the first 202 to the last delivery report. Both call the same nginx.
 */
export const endToEnd: Benchmark = {
  name: 'end-to-end',
  async run(environment, sizes, say) {
    await using service = await startService(environment);
    await using provider = await startProvider();
    await using kannel = await startKannel({ silent: true });
    const nginx = await startNginx(environment.dir);
    try {
      const ours: Pass[] = [];
      const theirs: Pass[] = [];
      for (let round = 0; round <= sizes.rounds; round += 1) {
        const us = await sendAll(environment, service, provider, nginx, sizes);
        say(`ours ${describe(us)}`);
        const them = await sendThroughKannel(kannel, nginx, sizes);
        say(`kannel ${describe(them)}`);
        // The first round warms up: it compiles code and fills caches.
        if (round > 0) [ours, theirs].forEach((list, index) => list.push([us, them][index]!));
      }
      return figuresOf(ours, theirs);
    } finally {
      await nginx.stop();
    }
  },
};

/** One pass: a number of messages, followed to their end. */
export interface Pass {
  readonly perSecond: number;
  readonly messages: number;
  /** Sends without a 202. */
  readonly refused: number;
  readonly observed: Observed;
}

/** Sends `sizes.messages` as new tenants and waits for the last webhook delivery. */
export async function sendAll(
  environment: Environment,
  service: BenchService,
  provider: Provider,
  nginx: NginxReceiver,
  sizes: Pick<Sizes, 'messages' | 'connections'>,
): Promise<Pass> {
  await emptyTables(service.db);
  const options = { gatewayUrl: provider.sendUrl, webhookUrl: nginx.url };
  const tenants = await makeLoadTenants(service.db, environment.secrets, senders, options);
  await provider.configure({});
  return sendAs(tenants, service, provider, nginx, sizes);
}

/** The same with existing tenants, and without emptying the tables. */
export async function sendAs(
  tenants: readonly LoadTenant[],
  service: BenchService,
  provider: Provider,
  nginx: NginxReceiver,
  { messages, connections }: Pick<Sizes, 'messages' | 'connections'>,
): Promise<Pass> {
  await nginx.empty();
  const watching = watch({ ...service.processes, provider: provider.pids, nginx: nginx.pids });
  const beganAt = Date.now();
  const args = [`e${beganAt}`, String(messages), ...tenants.map((tenant) => tenant.key)];
  const sent = await wrk({ url: service.apiUrl, script: 'send', args, connections, seconds: loadSeconds });
  // Some requests were in flight when wrk reached its count, so count the stored messages.
  const accepted = await countSince(service, beganAt);
  await until('every webhook delivery', async () => (await nginx.count()) >= accepted * eventsPerMessage);
  const tookMs = (await nginx.lastAt()) - beganAt;
  return {
    perSecond: (accepted * 1_000) / tookMs,
    messages: accepted,
    refused: sent.bad,
    observed: watching.end(),
  };
}

async function countSince({ db }: BenchService, sinceMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('created_at', '>=', new Date(sinceMs))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function sendThroughKannel(
  kannel: RunningKannel,
  nginx: NginxReceiver,
  { messages, connections }: Sizes,
): Promise<Pass> {
  await nginx.empty();
  const watching = watch({ kannel: kannel.pids, nginx: nginx.pids });
  const beganAt = Date.now();
  const report = encodeURIComponent(`${nginx.url}dlr?type=%d`);
  const args = [kannel.username, kannel.password, String(messages), report];
  const url = new URL(kannel.sendsmsUrl).origin;
  const sent = await wrk({ url, script: 'kannel', args, connections, seconds: loadSeconds });
  await until('every delivery report', async () => (await nginx.count()) >= messages - sent.bad);
  const tookMs = (await nginx.lastAt()) - beganAt;
  return { perSecond: (messages * 1_000) / tookMs, messages, refused: sent.bad, observed: watching.end() };
}

function describe({ perSecond, messages, refused, observed }: Pass): string {
  const cpu = Object.entries(observed.cpuMs).map(([name, ms]) => `${name} ${(ms / messages).toFixed(2)}`);
  return `${Math.round(perSecond)}/s, ${refused} refused, CPU ms per message: ${cpu.join(', ')}`;
}

function figuresOf(ours: readonly Pass[], theirs: readonly Pass[]): Figure[] {
  const rate = (passes: readonly Pass[]): number[] => passes.map((pass) => pass.perSecond);
  const names = Object.keys(ours[0]!.observed.cpuMs);
  return [
    ratio('end-to-end', ['messages/s', rate(ours)], ["Kannel's", rate(theirs)], { atLeast: 0.5 }),
    plain('end-to-end', 'CPU per message, all of ours', ours.map(serviceCpuMs), 'ms'),
    plain(
      'end-to-end',
      'CPU per message, Kannel',
      theirs.map((pass) => cpuMsOf(pass, 'kannel')),
      'ms',
    ),
    ...names.map((name) =>
      plain(
        'end-to-end',
        `CPU per message, ${name}`,
        ours.map((pass) => cpuMsOf(pass, name)),
        'ms',
      ),
    ),
    ...['api', 'dispatch-worker', 'webhook-worker'].map((name) =>
      plain(
        'memory',
        `${name}, under load`,
        ours.map((pass) => pass.observed.rssMb[name] ?? NaN),
        'MB',
        { atMost: 200 },
      ),
    ),
  ];
}

const peers = ['provider', 'nginx'];

/** CPU per message of our processes, Postgres and Redis, in ms. */
export function serviceCpuMs(pass: Pass): number {
  const names = Object.keys(pass.observed.cpuMs).filter((name) => !peers.includes(name));
  return names.reduce((sum, name) => sum + cpuMsOf(pass, name), 0);
}

function cpuMsOf({ observed, messages }: Pass, name: string): number {
  return (observed.cpuMs[name] ?? NaN) / messages;
}

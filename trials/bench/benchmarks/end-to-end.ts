import { kannelReportTable, type RunningKannel, startKannel, testDatabase } from '@notify/testkit';
import type { EventName } from '@notify/core';
import { sql } from 'kysely';
import type { Environment } from '../environment/environment.ts';
import { type JobPerMessage, startJobPerMessage } from '../environment/job-per-message.ts';
import { type Provider, startProvider } from '../environment/peers.ts';
import { missing } from '../environment/programs.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { emptyTables, makeLoadTenants, type LoadTenant } from '../environment/tenants.ts';
import { until } from '../environment/until.ts';
import { type Observed, watch, type Watched } from '../environment/watch.ts';
import { wrk } from '../load/wrk.ts';
import { type NginxReceiver, startNginx } from '../peers/nginx.ts';
import { type Figure, plain, ratio, type Target } from '../report.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

/** Tenants that send in turn, so that no account nears `CALLBACKS_PER_SECOND`. */
const senders = 10;
/** Events of a message that is delivered. */
const allEvents = ['message.queued', 'message.sent', 'message.delivered'] as const;
/** Time limit of a load, in seconds. Loads normally end at their count of requests. */
const loadSeconds = 300;

/**
 * Messages a second from the first 202 to the last webhook delivery. Each message has three deliveries, or only the one
 * for `message.delivered`. The peers call the same nginx:
 *
 * - Kannel, which keeps everything in memory, from the first 202 to the last delivery report, one a message;
 * - Kannel set up to keep what it accepts (`spool` and `pgsql`), if Kannel is installed;
 * - the service that tutorials build, with a job per message and per webhook call.
 */
export const endToEnd: Benchmark = {
  name: 'end-to-end',
  needs: ['wrk', 'nginx'],
  async run(environment, sizes, say) {
    await using service = await startService(environment);
    await using provider = await startProvider();
    await using stack = new AsyncDisposableStack();
    const nginx = await startNginx(environment.dir);
    stack.defer(() => nginx.stop());
    const variants: Record<string, () => Promise<Pass>> = {
      [ours]: () => sendAll(environment, service, provider, nginx, sizes),
      [oneCall]: () => sendAll(environment, service, provider, nginx, sizes, ['message.delivered']),
    };
    const noKannel = missing('kannel');
    if (noKannel === null) {
      const inMemory = stack.use(await startKannel({ silent: true }));
      const database = stack.use(await testDatabase());
      await sql.raw(kannelReportTable).execute(database.db);
      const kept = stack.use(await startKannel({ silent: true, keepIn: new URL(database.url) }));
      const postgres = [environment.postgresPid];
      variants[kannel] = () => sendThroughKannel(inMemory, nginx, sizes, {});
      variants[keptKannel] = () => sendThroughKannel(kept, nginx, sizes, { postgres });
    } else say(`without Kannel: ${noKannel}`);
    const jobs = stack.use(await startJobPerMessage(environment));
    // The provider keeps connections for reports open, all to one host.
    const theirProvider = stack.use(await startProvider());
    variants[jobPerMessage] = () => sendThroughJobs(jobs, theirProvider, nginx, sizes);
    const passes: Record<string, Pass[]> = {};
    for (let round = 0; round <= sizes.rounds; round += 1) {
      for (const [name, send] of Object.entries(variants)) {
        const pass = await send();
        say(`${name} ${describe(pass)}`);
        // The first round warms up: it compiles code and fills caches.
        if (round > 0) (passes[name] ??= []).push(pass);
      }
    }
    return figuresOf(passes);
  },
};

const ours = 'messages/s';
const oneCall = 'messages/s with one call each';
const kannel = "Kannel's";
const keptKannel = "Kannel's that keeps its messages";
const jobPerMessage = "a job per message's";

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
  events: readonly EventName[] = allEvents,
): Promise<Pass> {
  await emptyTables(service.db);
  const options = { gatewayUrl: provider.sendUrl, webhookUrl: nginx.url, events };
  const tenants = await makeLoadTenants(service.db, environment.secrets, senders, options);
  await provider.configure({});
  return sendAs(tenants, service, provider, nginx, sizes, events.length);
}

/** The same with existing tenants, and without emptying the tables. */
export async function sendAs(
  tenants: readonly LoadTenant[],
  service: BenchService,
  provider: Provider,
  nginx: NginxReceiver,
  { messages, connections }: Pick<Sizes, 'messages' | 'connections'>,
  callsEach: number = allEvents.length,
): Promise<Pass> {
  await nginx.empty();
  const watching = watch({ ...service.processes, provider: provider.pids, nginx: nginx.pids });
  const beganAt = Date.now();
  const args = [`e${beganAt}`, String(messages), ...tenants.map((tenant) => tenant.key)];
  const sent = await wrk({ url: service.apiUrl, script: 'send', args, connections, seconds: loadSeconds });
  // Some requests were in flight when wrk reached its count, so count the stored messages.
  const accepted = await countSince(service, beganAt);
  await until('every webhook delivery', async () => (await nginx.count()) >= accepted * callsEach);
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
  stores: Watched,
): Promise<Pass> {
  await nginx.empty();
  const watching = watch({ kannel: kannel.pids, ...stores, nginx: nginx.pids });
  const beganAt = Date.now();
  const report = encodeURIComponent(`${nginx.url}dlr?type=%d`);
  const args = [kannel.username, kannel.password, String(messages), report];
  const url = new URL(kannel.sendsmsUrl).origin;
  const sent = await wrk({ url, script: 'kannel', args, connections, seconds: loadSeconds });
  await until('every delivery report', async () => (await nginx.count()) >= messages - sent.bad);
  const tookMs = (await nginx.lastAt()) - beganAt;
  return { perSecond: (messages * 1_000) / tookMs, messages, refused: sent.bad, observed: watching.end() };
}

async function sendThroughJobs(
  jobs: JobPerMessage,
  provider: Provider,
  nginx: NginxReceiver,
  { messages, connections }: Sizes,
): Promise<Pass> {
  const keys = await jobs.reset(senders, provider.sendUrl, nginx.url);
  await provider.configure({});
  await nginx.empty();
  const watching = watch({ ...jobs.processes, provider: provider.pids, nginx: nginx.pids });
  const beganAt = Date.now();
  const args = [`j${beganAt}`, String(messages), ...keys];
  const sent = await wrk({ url: jobs.apiUrl, script: 'send', args, connections, seconds: loadSeconds });
  const accepted = await jobs.accepted();
  await until('every webhook call', async () => (await nginx.count()) >= accepted * allEvents.length);
  const tookMs = (await nginx.lastAt()) - beganAt;
  return {
    perSecond: (accepted * 1_000) / tookMs,
    messages: accepted,
    refused: sent.bad,
    observed: watching.end(),
  };
}

function describe({ perSecond, messages, refused, observed }: Pass): string {
  const cpu = Object.entries(observed.cpuMs).map(([name, ms]) => `${name} ${(ms / messages).toFixed(2)}`);
  return `${Math.round(perSecond)}/s, ${refused} refused, CPU ms per message: ${cpu.join(', ')}`;
}

const targets: Readonly<Record<string, number>> = { [kannel]: 0.3, [keptKannel]: 1.3, [jobPerMessage]: 3 };

function figuresOf({
  [ours]: mine = [],
  [oneCall]: oneEach = [],
  ...others
}: Readonly<Record<string, readonly Pass[]>>): Figure[] {
  const rate = (passes: readonly Pass[]): number[] => passes.map((pass) => pass.perSecond);
  const cpu = (name: string, values: readonly number[], target: Target | null = null): Figure =>
    plain('end-to-end', `CPU per message, ${name}`, values, 'ms', target);
  return [
    ...Object.entries(others).map(([name, passes]) =>
      ratio('end-to-end', [ours, rate(mine)], [name, rate(passes)], { atLeast: targets[name]! }),
    ),
    ...Object.entries(others).map(([name, passes]) =>
      ratio('end-to-end', [oneCall, rate(oneEach)], [name, rate(passes)], null),
    ),
    cpu('all of ours', mine.map(serviceCpuMs), { atMost: 1.15 }),
    cpu('all of ours, with one call each', oneEach.map(serviceCpuMs)),
    ...Object.entries(others).map(([name, passes]) => cpu(name, passes.map(serviceCpuMs))),
    ...Object.keys(mine[0]!.observed.cpuMs).map((name) =>
      cpu(
        name,
        mine.map((pass) => cpuMsOf(pass, name)),
      ),
    ),
    ...['api', 'dispatch-worker', 'webhook-worker'].map((name) =>
      plain(
        'memory',
        `${name}, under load`,
        mine.map((pass) => pass.observed.rssMb[name] ?? NaN),
        'MB',
        { atMost: 200 },
      ),
    ),
  ];
}

const peers = ['provider', 'nginx'];

/** CPU per message of the service's processes and stores, in ms: all that was watched except the peers. */
export function serviceCpuMs(pass: Pass): number {
  const names = Object.keys(pass.observed.cpuMs).filter((name) => !peers.includes(name));
  return names.reduce((sum, name) => sum + cpuMsOf(pass, name), 0);
}

function cpuMsOf({ observed, messages }: Pass, name: string): number {
  return (observed.cpuMs[name] ?? NaN) / messages;
}

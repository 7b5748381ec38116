import { setTimeout as wait } from 'node:timers/promises';
import { usageOf } from '../environment/cpu.ts';
import type { Environment } from '../environment/environment.ts';
import { type AnsweredStream, offer } from '../environment/open-loop.ts';
import { type Provider, startProvider } from '../environment/peers.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { emptyTables, type LoadTenant, makeLoadTenant, makeLoadTenants } from '../environment/tenants.ts';
import { until } from '../environment/until.ts';
import { watch } from '../environment/watch.ts';
import { wrk } from '../load/wrk.ts';
import { type Figure, plain } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

/** The load, as a multiple of what the api accepts. */
const times = 3;
/** Tenants that share it, and the sends a second of one that is quiet. */
const [stormy, quietPerSecond] = [4, 10];
/** The least length of the overload, in seconds. */
const leastSeconds = 30;
/** How long the api rests before its memory is read again, in ms. */
const restMs = 10_000;

/**
 * Three times as many sends as the api can accept, from several tenants and one that sends little. What is accepted keeps
 * its latency, the rest is refused, memory stays bounded, and afterwards everything accepted has been sent, once.
 */
export const overload: Benchmark = {
  name: 'overload',
  needs: ['wrk'],
  async run(environment, sizes, say) {
    await using provider = await startProvider();
    await using service = await startService(environment);
    const accepts = await capacity(environment, service, provider, sizes);
    say(`accepts ${Math.round(accepts)} sends a second`);
    const figures = await storm({ environment, service, provider, accepts, sizes, say });
    return [plain('overload', 'accepts without overload', [accepts], '/s'), ...figures];
  },
};

/** Sends that the api accepts a second while its workers run, from as many connections as it likes. */
async function capacity(
  environment: Environment,
  service: BenchService,
  provider: Provider,
  { seconds, connections }: Sizes,
): Promise<number> {
  const { key } = await makeLoadTenant(service.db, environment.secrets, { gatewayUrl: provider.sendUrl });
  let perSecond = 0;
  // The first pass warms up: it compiles code and fills caches.
  for (const pass of ['warm', 'measured']) {
    const args = [`capacity-${pass}`, '0', key];
    ({ perSecond } = await wrk({ url: service.apiUrl, script: 'send', args, connections, seconds }));
  }
  await drained(service);
  return perSecond;
}

interface Storm {
  readonly environment: Environment;
  readonly service: BenchService;
  readonly provider: Provider;
  /** What the api accepts a second. */
  readonly accepts: number;
  readonly sizes: Sizes;
  readonly say: (line: string) => void;
}

async function storm({ environment, service, provider, accepts, sizes, say }: Storm): Promise<Figure[]> {
  await emptyTables(service.db);
  await provider.configure({});
  const options = { gatewayUrl: provider.sendUrl };
  const tenants = await makeLoadTenants(service.db, environment.secrets, stormy + 1, options);
  const seconds = Math.max(leastSeconds, sizes.seconds);
  const rss = (): number => usageOf(service.processes['api']!).rssMb;
  const before = rss();
  const watching = watch(service.processes);
  const streams = streamsOf(tenants, (times * accepts) / stormy);
  const answered = await offer(service, streams, { seconds, prefix });
  const { rssMb } = watching.end();
  const audit = await auditOf(service, provider, answered);
  await wait(restMs);
  for (const one of answered) say(described(one, seconds));
  say(
    `api RSS: ${Math.round(before)} MB before, ${Math.round(rssMb['api']!)} peak, ${Math.round(rss())} after`,
  );
  const quiet = answered.at(-1)!;
  const stormed = answered.slice(0, -1);
  const tookMs = stormed.flatMap((one) => one.tookMs);
  const wrong = answered.flatMap(({ statuses }) => Object.entries(statuses)).filter(isWrong);
  const figure = (what: string, value: number, unit: string, atMost: number | null): Figure =>
    plain('overload', what, [value], unit, atMost === null ? null : { atMost });
  return [
    figure('offered', sum(answered.map(({ offered }) => offered)) / seconds, '/s', null),
    figure('accepted', tookMs.length / seconds, '/s', null),
    figure('refused with 503 or 429', sum(stormed.map(refusals)) / seconds, '/s', null),
    figure('not sent, no connection free', sum(answered.map(({ unsent }) => unsent)) / seconds, '/s', null),
    figure('other answers, or none', sum(wrong.map(([, count]) => count)), '', 0),
    figure('accepted, p50', quantile(tookMs, 0.5), 'ms', null),
    figure('accepted, p99', quantile(tookMs, 0.99), 'ms', 1_000),
    figure('quiet tenant, p50', quantile([...quiet.tookMs], 0.5), 'ms', null),
    figure('quiet tenant, p99', quantile([...quiet.tookMs], 0.99), 'ms', 1_000),
    figure('quiet tenant, refused', quiet.offered - quiet.accepted.length, '', 0),
    figure('RSS of the api before', before, 'MB', null),
    figure('RSS of the api, peak', rssMb['api']!, 'MB', 600),
    figure('RSS of the api after', rss(), 'MB', null),
    figure('accepted and not sent', audit.lost, '', 0),
    figure('sent twice', audit.twice, '', 0),
    figure('refused and sent', audit.refusedAndSent, '', 0),
  ];
}

const prefix = 'overload';

function streamsOf(tenants: readonly LoadTenant[], perSecond: number) {
  return tenants.map(({ key }, at) =>
    at < stormy ? { name: `storm${at}`, perSecond, key } : { name: 'quiet', perSecond: quietPerSecond, key },
  );
}

function isWrong([status]: readonly [string, number]): boolean {
  return !['202', '429', '503'].includes(status);
}

function refusals({ statuses }: AnsweredStream): number {
  return (statuses['429'] ?? 0) + (statuses['503'] ?? 0);
}

interface Audit {
  readonly lost: number;
  readonly twice: number;
  readonly refusedAndSent: number;
}

/** Waits until nothing waits any more, and compares the answers with what the provider got. */
async function auditOf(
  service: BenchService,
  provider: Provider,
  answered: readonly AnsweredStream[],
): Promise<Audit> {
  await drained(service);
  const [arrived, { taken }] = [await provider.arrivals(), await provider.state()];
  const texts = answered.flatMap(({ name, accepted }) =>
    accepted.map((number) => `${prefix} ${name} ${number}`),
  );
  const accepted = new Set(texts);
  const lost = texts.filter((text) => !arrived.has(text)).length;
  const refusedAndSent = [...arrived.keys()].filter((text) => !accepted.has(text)).length;
  return { lost, twice: taken - arrived.size, refusedAndSent };
}

/** Waits until every message has been delivered or has failed. */
async function drained({ db }: BenchService): Promise<void> {
  await until('the delivery of everything accepted', async () => {
    const waiting = await db
      .selectFrom('messages')
      .select('id')
      .where('status', 'in', ['queued', 'sent'])
      .limit(1)
      .execute();
    if (waiting.length > 0) await wait(500);
    return waiting.length === 0;
  });
}

function described(
  { name, offered, unsent, statuses, tookMs, refused, refusedMs }: AnsweredStream,
  seconds: number,
): string {
  const ms = (of: readonly number[], share: number): number =>
    of.length === 0 ? 0 : Math.round(quantile([...of], share));
  const perSecond = offered / seconds;
  const lastRefusedS = ((refused.at(-1) ?? 0) / perSecond).toFixed(1);
  return `${name}: offered ${Math.round(perSecond)}/s, unsent ${unsent}, ${JSON.stringify(statuses)}; accepted p50 ${ms(tookMs, 0.5)} p99 ${ms(tookMs, 0.99)} max ${ms(tookMs, 1)} ms, refused p50 ${ms(refusedMs, 0.5)} p99 ${ms(refusedMs, 0.99)} ms, the last at ${lastRefusedS} s`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

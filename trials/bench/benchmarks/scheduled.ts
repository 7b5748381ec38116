import type { Db } from '@notify/db/connection';
import { claimMessages, nextDue, overdueAccounts } from '@notify/db/dispatch';
import { acceptMessages } from '@notify/db/messages';
import { beginRounds, takeSample } from '@notify/db/operations';
import { textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { startService } from '../environment/service.ts';
import { emptyTables, type LoadTenant, makeLoadTenant } from '../environment/tenants.ts';
import { wrk } from '../load/wrk.ts';
import { type Figure, ratio } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

const mostMessages = 1_000_000;
/** Where the scheduled messages are: nowhere, where ours are, or in the table of what is due. */
const variants = ['none', 'scheduled', 'in one table'] as const;
type Variant = (typeof variants)[number];

/** What is measured beside accepted sends, in ms. */
const statements = ['claim of 50', 'next due', 'sweep', 'sample', 'vacuum after 5,000 sends'] as const;
type Statement = (typeof statements)[number];

const repeats = 20;
const claimedAtOnce = 50;
const vacuumedAfter = 5_000;

interface Measured {
  readonly perSecond: number[];
  readonly tookMs: Record<Statement, number[]>;
}

/**
 * What 1,000,000 messages that are scheduled for later cost those that leave now: accepted sends a second, and the time of the
 * statements that look at what is due. The baseline has the messages among those that are due, where the vacuum, which runs
 * after every 5,000 sends, reads its way through all of them. No worker runs.
 */
export const scheduled: Benchmark = {
  name: 'scheduled',
  needs: ['wrk'],
  async run(environment, sizes, say) {
    await using service = await startService(environment, { workers: [] });
    const measured = Object.fromEntries(variants.map((one) => [one, emptyMeasured()])) as Record<
      Variant,
      Measured
    >;
    for (let round = 0; round <= sizes.rounds; round += 1) {
      for (const variant of variants) {
        await emptyTables(service.db);
        const tenant = await makeLoadTenant(service.db, environment.secrets, nowhere);
        await schedule(service.db, tenant, variant, Math.min(sizes.rows, mostMessages));
        const { connections, seconds } = sizes;
        const args = [`${variant}${round}`, '0', tenant.key];
        const { perSecond, bad } = await wrk({
          url: service.apiUrl,
          script: 'send',
          args,
          connections,
          seconds,
        });
        if (bad > 0) throw new Error(`${bad} sends were refused`);
        const took = await timeStatements(service.db, tenant);
        say(`${variant}: ${Math.round(perSecond)}/s, ${JSON.stringify(took)}`);
        // The first round warms up.
        if (round === 0) continue;
        measured[variant].perSecond.push(perSecond);
        for (const name of statements) measured[variant].tookMs[name].push(took[name]);
      }
    }
    return figuresOf(measured, sizes);
  },
};

function emptyMeasured(): Measured {
  return {
    perSecond: [],
    tookMs: Object.fromEntries(statements.map((name) => [name, [] as number[]])) as Measured['tookMs'],
  };
}

/** Schedules messages of 1,000 other accounts and of this one, over the next 30 days. Only the rows that wait are made. */
async function schedule(db: Db, tenant: LoadTenant, variant: Variant, count: number): Promise<void> {
  if (variant === 'none') return;
  const table = sql.table(variant === 'scheduled' ? 'scheduled_messages' : 'dispatch_due');
  await sql`
    insert into ${table} (message_id, account_id, tenant_id, bulk, due_at, expires_at)
    select uuidv7(), case n % 2 when 0 then ${tenant.accountId}::uuid else accounts[1 + n % 1000] end,
      ${tenant.tenantId}::uuid, n % 3 > 0, at, at + interval '1 day'
    from (select array_agg(gen_random_uuid()) as accounts from generate_series(1, 1000)) a,
      (select n, now() + interval '1 hour' + random() * interval '29 days' as at
        from generate_series(1, ${count}::int) n) due`.execute(db);
  await sql`vacuum analyze ${table}`.execute(db);
}

async function timeStatements(db: Db, tenant: LoadTenant): Promise<Record<Statement, number>> {
  const wanted = new Map([[tenant.accountId, { limit: claimedAtOnce, singlesSinceBulk: 0 }]]);
  const terms = { lane: 'fast', leaseMs: {} } as const;
  const rounds = beginRounds();
  return {
    'claim of 50': await median(() => claimMessages(db, wanted, terms)),
    'next due': await median(() => nextDue(db, [tenant.accountId])),
    sweep: await median(() => overdueAccounts(db, 2_000)),
    sample: await median(() => takeSample(db, rounds)),
    'vacuum after 5,000 sends': await timeVacuum(db, tenant),
  };
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let turn = 0; turn < repeats; turn += 1) took.push(await timed(work));
  return quantile(took, 0.5);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function timeVacuum(db: Db, { tenantId, keyId, accountId }: LoadTenant): Promise<number> {
  await sql`vacuum dispatch_due`.execute(db);
  const items = Array.from({ length: 500 }, () => textItem({ tenantId, keyId, accountId }, { bulk: true }));
  for (let done = 0; done < vacuumedAfter; done += items.length)
    await acceptMessages(db, items, { idempotencyDays: 7, blockExpiredTrials: false });
  await sql`delete from dispatch_due where due_at <= now()`.execute(db);
  return timed(() => sql`vacuum dispatch_due`.execute(db));
}

function figuresOf(measured: Record<Variant, Measured>, sizes: Sizes): Figure[] {
  const count = Math.min(sizes.rows, mostMessages).toLocaleString('en');
  const accepted = (variant: Variant) => measured[variant].perSecond;
  const beside = `202s/s beside ${count} scheduled`;
  return [
    ratio('scheduled', [beside, accepted('scheduled')], ['beside none', accepted('none')], { atLeast: 0.9 }),
    ratio(
      'scheduled',
      [`${beside} in one table`, accepted('in one table')],
      ['beside none', accepted('none')],
      null,
    ),
    ...statements.flatMap((name) =>
      (['scheduled', 'in one table'] as const).map((variant) =>
        ratio(
          'scheduled',
          [`ms of a ${name}, ${variant}`, measured[variant].tookMs[name]],
          ['beside none', measured.none.tookMs[name]],
          variant === 'scheduled' ? { atMost: 1.25 } : null,
        ),
      ),
    ),
  ];
}

/** Never called, because no worker runs. */
const nowhere = { gatewayUrl: 'http://127.0.0.1:9/send' };

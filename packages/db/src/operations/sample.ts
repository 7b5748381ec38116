import { databaseFault } from '@notify/core';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { pendingMigrations } from '../maintenance/migrate/fit.ts';
import { countedUpTo, type Oldest, type Seen, seeAll, seeSome, toBusy, walkOldest } from './backlog.ts';
import { backlogs } from './backlog-kinds.ts';
import type { BacklogFigures, BacklogKind, Count, SampleFigures } from './figures.ts';
import {
  countAccounts,
  countProcesses,
  countReceipts,
  countScheduledMessages,
  countWebhooks,
  lookAtGroups,
  lookAtPartitions,
  readHeldMs,
} from './stock.ts';

/** The limit of each statement, in ms. */
const statementMs = 2_000;
/** While more than `countedUpTo` items wait, a sample looks at this many accounts, and as many webhooks, one by one. */
const lookedAt = 1_000;

export interface Sample {
  readonly figures: SampleFigures;
  /** The errors of queries that failed, by the query's name. Their part of the figures is null. */
  readonly failures: ReadonlyMap<string, unknown>;
}

/**
 * Where a round through the accounts, or the webhooks, has come to. Each sample goes on from there, and looks again at
 * those whose items were the oldest so far.
 */
interface Round {
  after: string | null;
  ids: readonly string[];
}

/** What one sample leaves for the next. */
export type SampleRounds = Readonly<Record<BacklogKind, Round>>;

export function beginRounds(): SampleRounds {
  return { messages: { after: null, ids: [] }, deliveries: { after: null, ids: [] } };
}

/**
 * Asks for everything that operators see and that needs a query. The queries run one after the other, each in a
 * transaction of its own that ends after about 2 s. One that fails does not stop the others. Rejects if the database
 * is away. While more than 10,000 items of a kind wait, the oldest are looked for among some accounts or webhooks; see
 * `BacklogFigures.lanes`.
 */
export async function takeSample(db: Db, rounds: SampleRounds): Promise<Sample> {
  const clock = await sql<{ now: Date }>`select now()`.execute(db);
  const tookMs: Record<string, number | null> = {};
  const failures = new Map<string, unknown>();
  async function ask<T>(name: string, plan: Plan, query: (trx: Trx) => Promise<T>): Promise<T | null> {
    const began = performance.now();
    try {
      const answer = await bounded(db, plan, query);
      tookMs[name] = Math.round((performance.now() - began) * 10) / 10;
      return answer;
    } catch (error) {
      if (databaseFault(error) === 'away') throw error;
      tookMs[name] = null;
      failures.set(name, error);
      return null;
    }
  }

  const figures = {
    takenAt: clock.rows[0]!.now.toISOString(),
    messages: await lookAtBacklog('messages', rounds.messages, ask),
    deliveries: await lookAtBacklog('deliveries', rounds.deliveries, ask),
    groups: await ask('groups', 'indexes', lookAtGroups),
    accounts: await ask('accounts', 'any', countAccounts),
    webhooks: await ask('webhooks', 'any', countWebhooks),
    receiptsWaiting: await ask('receipts', 'indexes', countReceipts),
    messagesScheduled: await ask('scheduled', 'indexes', countScheduledMessages),
    processes: await ask('processes', 'any', countProcesses),
    migrationsPending: await ask('migrations', 'any', async (trx) => (await pendingMigrations(trx)).length),
    sendsHeldMs: await ask('hold', 'any', readHeldMs),
    partitions: await ask('partitions', 'any', lookAtPartitions),
    tookMs,
  };
  return { figures, failures };
}

/** `indexes`: whatever the planner believes, large tables are read by their indexes. */
type Plan = 'indexes' | 'any';
type Ask = <T>(name: string, plan: Plan, query: (trx: Trx) => Promise<T>) => Promise<T | null>;

/** Runs a query that reads, with plans that do not depend on the pool it comes from. */
async function bounded<T>(db: Db, plan: Plan, query: (trx: Trx) => Promise<T>): Promise<T> {
  const scans = plan === 'indexes' ? 'off' : 'on';
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${String(statementMs)}, true),
        set_config('enable_seqscan', ${scans}, true), set_config('enable_bitmapscan', ${scans}, true),
        set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(
        trx,
      );
      return query(trx);
    });
}

async function lookAtBacklog(kind: BacklogKind, round: Round, ask: Ask): Promise<BacklogFigures | null> {
  const all = await ask(`${kind} all`, 'indexes', (trx) => seeAll(trx, kind));
  if (all === null) return null;
  if (all !== 'many') return figuresOf(kind, all, all.oldest);
  const some = await ask(`${kind} estimate`, 'any', (trx) => seeSome(trx, kind));
  if (some === null) return null;
  const ids = [...new Set([...round.ids, ...some.oldest.ids])];
  const oldest = await ask(`${kind} oldest`, 'indexes', (trx) =>
    walkOldest(trx, kind, { ids, after: round.after, atMost: lookedAt }),
  );
  if (oldest === null) return null;
  round.after = oldest.last;
  round.ids = oldest.ids;
  return figuresOf(kind, some, oldest);
}

function figuresOf(kind: BacklogKind, seen: Seen, oldest: Oldest): BacklogFigures {
  const { scale, subjects, tenants } = seen;
  return {
    waiting: countOf(seen, seen.count, countedUpTo + 1),
    lanes: backlogs[kind].lanes.map((lane) => ({
      lane,
      due: countOf(seen, seen.due[lane] ?? 0, oldest.lanes[lane]?.subjects ?? 0),
      oldestMs: oldest.lanes[lane]?.oldestMs ?? 0,
    })),
    busiest: { subjects: toBusy(subjects, scale), tenants: toBusy(tenants, scale) },
    slowest: { subjects: oldest.subjects, tenants: oldest.tenants },
  };
}

/** A number of rows. The estimate is never below the number that is certain. */
function countOf({ scale }: Seen, seen: number, certain: number): Count {
  if (scale === 1) return { count: seen, isEstimate: false };
  return { count: Math.max(certain, Math.round(seen * scale)), isEstimate: true };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresCluster } from '@notify/testkit';
import pg from 'pg';
import type { Dice } from '../../kit/dice.ts';
import type { Probe } from './probe.ts';
import { type Recovery, recoveryOf } from './recovery.ts';
import type { Way } from './ways.ts';

export interface Round {
  readonly way: string;
  /** Of each api. */
  readonly recoveries: readonly Recovery[];
  /** What the old primary had when it was ended. Null if it had not come back. */
  readonly old: OldPrimary | null;
  /** From the end of the old primary to the moment when commits wait for it again, in ms. */
  readonly rejoinMs: number;
}

/** What an old primary has that counts for nothing. */
export interface OldPrimary {
  /** Commits that wait for a standby that is gone. */
  readonly hanging: number;
  /** Messages that the new primary does not have. Nobody got a 202 for them, or the audit calls them lost. */
  readonly alone: number;
}

export interface RoundOptions {
  readonly cluster: PostgresCluster;
  readonly way: Way;
  readonly apiUrls: readonly string[];
  readonly probes: readonly Probe[];
  readonly dice: Dice;
}

/** The load runs this long with a synchronous standby before the primary ends, in ms. */
const calmMs = [300, 1_300] as const;
/** How long the end of the primary goes unnoticed, and how long after the promotion it comes back, in ms. */
const unnoticedMs = [0, 500] as const;
const awayMs = [0, 1_000] as const;
const lookMs = 20;
/** A round goes on without an answer after so long. */
const answeredWithinMs = 30_000;
/** How long sends are watched after each api has answered, in ms. With two primaries, both run so long. */
const watchedMs = 2_500;

/** Ends the primary, promotes the standby, measures until sends are answered, and makes the old primary a standby again. */
export async function runRound({ cluster, way, apiUrls, probes, dice }: RoundOptions): Promise<Round> {
  await wait(dice.between(...calmMs));
  await way.end(cluster.primary);
  await wait(dice.between(...unnoticedMs));
  await cluster.promote();
  const promotedAt = performance.now();
  const recoveries = (now: number) =>
    apiUrls.map((apiUrl) => recoveryOf(probes, { apiUrl, promotedAt, now }));
  const areAnswered = () => recoveries(Infinity).every(({ answeredMs }) => answeredMs !== null);
  await Promise.all([
    wait(dice.between(...awayMs)).then(() => way.comeBack?.(cluster.standby)),
    untilOrLate(areAnswered, promotedAt + answeredWithinMs),
  ]);
  await wait(watchedMs);
  const watched = recoveries(performance.now());
  const old = way.comeBack === undefined ? null : await lookAtOld(cluster);
  const rejoinAt = performance.now();
  await cluster.rejoin();
  return { way: way.name, recoveries: watched, old, rejoinMs: performance.now() - rejoinAt };
}

async function untilOrLate(holds: () => boolean, deadline: number): Promise<void> {
  while (!holds() && performance.now() < deadline) await wait(lookMs);
}

async function lookAtOld({ primary, standby }: PostgresCluster): Promise<OldPrimary> {
  const [hanging] = await ask<{ count: number }>(
    standby.url,
    `select count(*)::int from pg_stat_activity where wait_event = 'SyncRep'`,
  );
  const ids = (await ask<{ id: string }>(standby.url, 'select id from messages')).map(({ id }) => id);
  const both = await ask(primary.url, 'select from messages where id = any ($1)', [ids]);
  return { hanging: hanging!.count, alone: ids.length - both.length };
}

async function ask<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url, query_timeout: 5_000 });
  await client.connect();
  try {
    return (await client.query<Row>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

import { highestId, lowestId, timeOfId } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { WebhookFailure } from './health.ts';

/** The state of a webhook beyond its own row: its waiting deliveries, its last success and its replay. */
export interface WebhookStanding {
  /** When the first failure after the last success began; null when the last attempt succeeded. */
  readonly failingSince: Date | null;
  /** The latest failed attempt; null when the last attempt succeeded. */
  readonly lastFailure: WebhookFailure | null;
  /** Posts wait until this time. Null without a pause. */
  readonly pausedUntil: Date | null;
  /** Until when the last replaced secret signs. Null when only one secret signs. */
  readonly previousSecretUntil: Date | null;
  /** Waiting deliveries, counted up to 1,000. */
  readonly waiting: number;
  /** When the newest successful delivery ended. Null when none of the newest 5,000 succeeded. */
  readonly lastSuccessAt: Date | null;
  /** The running replay: how far it has come, and where it ends. */
  readonly replay: { readonly reachedAt: Date; readonly until: Date } | null;
}

/** Waiting deliveries are counted up to here. */
const mostWaiting = 1_000;
/** Ended deliveries to read, newest first, to find a successful one. */
const lookedBack = 5_000;

interface Row {
  id: string;
  failing_since: Date | null;
  last_failed_at: Date | null;
  last_failed_status: number | null;
  last_failed_error: string | null;
  paused_until: Date | null;
  previous_secret_until: Date | null;
  replay_after: string | null;
  replay_until: string | null;
  waiting: number;
  last_success_at: Date | null;
}

/** The states of these webhooks, by id. Leaves out webhooks of other tenants. */
export async function webhookStandings(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, WebhookStanding>> {
  const { rows } = await sql<Row>`
    select w.id, w.failing_since, w.replay_after, w.replay_until,
      case when w.failing_since is not null then w.last_failed_at end as last_failed_at,
      w.last_failed_status, w.last_failed_error,
      case when w.paused_until > now() then w.paused_until end as paused_until,
      case when w.previous_secret_until > now() then w.previous_secret_until end as previous_secret_until,
      (
        select count(*)::int
        from (select from delivery_due where webhook_id = w.id order by due_at limit ${mostWaiting}) waiting
      ) as waiting,
      (
        select ended_at
        from (
          select state, ended_at from deliveries
          where (webhook_id, id) between (w.id, ${lowestId}::uuid) and (w.id, ${highestId}::uuid)
          order by webhook_id desc, id desc limit ${lookedBack}
        ) newest
        where state = 'delivered' limit 1
      ) as last_success_at
    from webhooks w
    where w.tenant_id = ${tenantId} and w.id = any (${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, toStanding(row)]));
}

function toStanding(row: Row): WebhookStanding {
  const { replay_after: after, replay_until: until } = row;
  return {
    failingSince: row.failing_since,
    lastFailure:
      row.last_failed_at === null
        ? null
        : { at: row.last_failed_at, status: row.last_failed_status, error: row.last_failed_error },
    pausedUntil: row.paused_until,
    previousSecretUntil: row.previous_secret_until,
    waiting: row.waiting,
    lastSuccessAt: row.last_success_at,
    replay:
      after === null || until === null
        ? null
        : { reachedAt: new Date(timeOfId(after)), until: new Date(timeOfId(until)) },
  };
}

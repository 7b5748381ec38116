import { failuresUntilFailing, timeOfId } from '@notify/core';
import { sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';
import { tenantsWithGroups } from '../groups/due.ts';
import { mayLeave, readHold } from '../holds/hold.ts';
import { partitioned } from '../maintenance/partitions.ts';
import { countedUpTo } from './backlog.ts';
import type { AccountCount, Count, PartitionFigures, WaitingFigures, WebhookState } from './figures.ts';
import { isAlive } from './processes.ts';

/** Accounts that are not removed, by provider and status. */
export async function countAccounts(trx: Trx): Promise<AccountCount[]> {
  const { rows } = await sql<AccountCount>`
    select provider, status, count(*)::int as count,
      (count(*) filter (where blocked or coalesce(paused_until > now(), false)))::int as paused
    from channel_accounts where deleted_at is null group by provider, status order by provider, status`.execute(
    trx,
  );
  return rows;
}

export async function countWebhooks(trx: Trx): Promise<Record<WebhookState, number>> {
  const { rows } = await sql<Record<WebhookState, number>>`
    select (count(*) filter (where is_active and failure_count < ${sql.lit(failuresUntilFailing)}))::int as active,
      (count(*) filter (where is_active and failure_count >= ${sql.lit(failuresUntilFailing)}))::int as failing,
      (count(*) filter (where not is_active))::int as disabled
    from webhooks`.execute(trx);
  return rows[0] ?? { active: 0, failing: 0, disabled: 0 };
}

/** Stored receipts without a message so far. Many are estimated by the planner's statistics. */
export function countReceipts(trx: Trx): Promise<Count> {
  return countRows(trx, 'receipts', 'apply_at');
}

/** Messages that are due in more than about a minute. Many are estimated by the planner's statistics. */
export function countScheduledMessages(trx: Trx): Promise<Count> {
  return countRows(trx, 'scheduled_messages', 'due_at');
}

/** Looks at groups that are planned or due. The oldest due one is always exact: of each tenant, the first is read. */
export async function lookAtGroups(trx: Trx): Promise<WaitingFigures> {
  const waiting = await countRows(trx, 'group_due', 'group_id');
  const { rows } = await sql<{ count: number; oldest_ms: number }>`
    with recursive ${tenantsWithGroups}
    select coalesce(sum(due.count), 0)::float8 as count,
      coalesce(greatest(0, extract(epoch from now() - min(due.oldest)) * 1000), 0)::float8 as oldest_ms
    from waiting w cross join lateral (
      select count(*) as count, min(due_at) as oldest from (
        select due_at from group_due where tenant_id = w.tenant_id and due_at <= now()
        order by due_at limit ${sql.lit(countedUpTo)}
      )
    ) due
    where ${mayLeave}`.execute(trx);
  const { count, oldest_ms: oldestMs } = rows[0]!;
  return { waiting, lanes: [{ lane: 'fast', due: { count, isEstimate: false }, oldestMs }] };
}

/** The rows of a table. `indexed` is a column with an index. */
async function countRows(trx: Trx, table: string, indexed: string): Promise<Count> {
  const { rows } = await sql<{ count: number; estimate: number }>`
    select (
      select count(*)::int from (
        select from ${sql.table(table)} order by ${sql.ref(indexed)} limit ${sql.lit(countedUpTo + 1)}
      )
    ) as count, (select reltuples::float8 from pg_class where oid = ${table}::regclass) as estimate`.execute(
    trx,
  );
  const { count, estimate } = rows[0]!;
  if (count <= countedUpTo) return { count, isEstimate: false };
  return { count: Math.max(count, Math.round(estimate)), isEstimate: true };
}

/** Living processes by name. A name whose processes have all died stays with 0 until their rows are removed. */
export async function countProcesses(trx: Trx): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select name, (count(*) filter (where ${isAlive}))::int as count from processes group by name order by name`.execute(
    trx,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** For how long all sends have been held, in ms; 0 when nothing is held. */
export async function readHeldMs(trx: Trx): Promise<number> {
  const hold = await readHold(trx);
  if (hold === null) return 0;
  const { rows } = await sql<{ now: Date }>`select now()`.execute(trx);
  return Math.max(1, rows[0]!.now.getTime() - hold.since.getTime());
}

/** How far the partitions of each table reach, and whether ids have missed them. */
export async function lookAtPartitions(trx: Trx): Promise<PartitionFigures[]> {
  const bounds = await sql<{ table: string; bound: string; now: Date }>`
    select p.relname as table, pg_get_expr(c.relpartbound, c.oid) as bound, now()
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where i.inhparent = any (${partitioned.map(({ table }) => table)}::regclass[])`.execute(trx);
  const defaults = await sql<{ table: string; rows: boolean }>`
    ${sql.join(
      partitioned.map(
        ({ table }) =>
          sql`select ${sql.lit(table)} as table, exists (select from ${sql.table(`${table}_default`)}) as rows`,
      ),
      sql` union all `,
    )}`.execute(trx);
  const now = bounds.rows[0]?.now.getTime() ?? 0;
  return partitioned.map(({ table }) => ({
    table,
    secondsAhead: secondsCovered(
      bounds.rows.filter((row) => row.table === table).map(({ bound }) => bound),
      now,
    ),
    defaultHasRows: defaults.rows.some((row) => row.table === table && row.rows),
  }));
}

/** Until which moment from now on every id has a partition. Gaps before or after do not count. */
function secondsCovered(bounds: readonly string[], now: number): number {
  const ranges = bounds
    .flatMap((bound) => {
      const [, from, until] = bound.match(/FROM \('([0-9a-f-]+)'\) TO \('([0-9a-f-]+)'\)/) ?? [];
      return from === undefined || until === undefined
        ? []
        : [{ from: timeOfId(from), until: timeOfId(until) }];
    })
    .toSorted((one, other) => one.from - other.from);
  const end = ranges.reduce(
    (reached, { from, until }) => (from <= reached ? Math.max(reached, until) : reached),
    now,
  );
  return (end - now) / 1_000;
}

import { lowestIdAt } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';
import { keptSince } from '../maintenance/partitions.ts';

/** What must hold between tables. A backup whose tables are of different moments breaks it. */
export interface SpotCheck {
  readonly name: SpotCheckName;
  /** Rows that were looked at: some of the newest, and where it says so of the oldest. */
  readonly looked: number;
  readonly broken: number;
  /** The id of a broken row. */
  readonly example: string | null;
}

export const spotCheckNames = [
  'due-message-exists',
  'due-account-exists',
  'queued-message-is-due',
  'key-has-message',
  'event-has-message',
  'due-delivery-has-event',
  'due-delivery-has-webhook',
] as const;
export type SpotCheckName = (typeof spotCheckNames)[number];

/** The rows that one check looks at, from each end. */
const rowsOfEnd = 1_000;
/** The newest messages that must be due while they are queued. */
const newestMessages = 10_000;
/** Idempotency keys have no order by time, so some pages of their table are chosen at random. */
const sampledPages = 50;

/** Runs one check. Reads a bounded number of rows, in one statement, so that it is right while the service runs, too. */
export async function spotCheck(trx: Trx, name: SpotCheckName): Promise<SpotCheck> {
  const { rows } = await sql<Omit<SpotCheck, 'name'>>`
    select count(*)::int as looked, (count(*) filter (where broken))::int as broken,
      min(id::text) filter (where broken) as example
    from (${await queries[name](trx)}) looked`.execute(trx);
  return { name, ...rows[0]! };
}

/** Each yields `id` and `broken` of the rows looked at. Rows of deleted tenants are being removed, and left out. */
const queries: Readonly<Record<SpotCheckName, (trx: Trx) => Promise<RawBuilder<unknown>>>> = {
  'due-message-exists': async () => sql`
    select d.message_id as id, not exists (select from messages m where m.id = d.message_id) as broken
    from (${bothEnds('dispatch_due', 'message_id')}) d where ${isKept('d')}`,
  'due-account-exists': async () => sql`
    select d.message_id as id, not exists (select from channel_accounts a where a.id = d.account_id) as broken
    from (${bothEnds('dispatch_due', 'message_id')}) d where ${isKept('d')}`,
  'queued-message-is-due': async () => sql`
    select m.id, m.status = 'queued' and not message_waits(m.id) as broken
    from (select id, tenant_id, status from messages order by id desc limit ${sql.lit(newestMessages)}) m
    where ${isKept('m')}`,
  'key-has-message': async (trx) => sql`
    select k.message_id as id, not exists (select from messages m where m.id = k.message_id) as broken
    from idempotency_keys k tablesample system (${sql.lit(await shareOf(trx, 'idempotency_keys'))})
    where ${isKept('k')}`,
  'event-has-message': async () => sql`
    select e.id, not exists (select from messages m where m.id = e.message_id) as broken
    from (select id, tenant_id, message_id from events order by id desc limit ${sql.lit(rowsOfEnd)}) e
    where e.message_id is not null and ${isKept('e')}`,
  'due-delivery-has-event': async (trx) => sql`
    select d.id, not exists (select from events e where e.id = d.event_id) as broken
    from (${bothEnds('delivery_due', 'id')}) d
    where d.event_id >= ${lowestIdAt((await keptSince(trx, 'events')) ?? new Date(0))}::uuid and ${isKept('d')}`,
  'due-delivery-has-webhook': async () => sql`
    select d.id, not exists (select from webhooks w where w.id = d.webhook_id) as broken
    from (${bothEnds('delivery_due', 'id')}) d where ${isKept('d')}`,
};

function bothEnds(table: string, key: string): RawBuilder<unknown> {
  const end = (order: 'asc' | 'desc'): RawBuilder<unknown> =>
    sql`(select * from ${sql.table(table)} order by ${sql.ref(key)} ${sql.raw(order)} limit ${sql.lit(rowsOfEnd)})`;
  return sql`${end('asc')} union ${end('desc')}`;
}

function isKept(row: string): RawBuilder<boolean> {
  return sql`not exists (select from tenant_purges p where p.tenant_id = ${sql.ref(`${row}.tenant_id`)})`;
}

/** The percentage of a table's pages that is looked at. */
async function shareOf(trx: Trx, table: string): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select pg_relation_size(${table}::regclass)::float8 / current_setting('block_size')::int as pages`.execute(
    trx,
  );
  return Math.min(100, (100 * sampledPages) / Math.max(1, rows[0]!.pages));
}

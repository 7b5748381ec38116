import { randomUUID } from 'node:crypto';
import { failuresUntilFailing } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { type RawBuilder, sql } from 'kysely';
import {
  int,
  smallint,
  text,
  timestamptz,
  unnestRows,
  uuid,
} from '../../../packages/db/src/connection/rows.ts';

/*
 * A prototype of another form for first attempts of deliveries: they wait in a narrow table with one index and no
 * lease columns, and the lease is on the webhook's turn. So claiming them is a plain read. Retries would stay in
 * `delivery_due`. `benchmarks/delivery-statements.ts` compares its statements with those of today.
 */

/** Creates the tables of the prototype. */
export async function createPrototype(db: Db): Promise<void> {
  await sql`
    create table turn_leases (
      kind text, id uuid, holder uuid not null, until timestamptz not null, primary key (kind, id)
    ) with (fillfactor = 20)`.execute(db);
  await sql`
    create table delivery_new (
      webhook_id uuid, id uuid, event_id uuid not null, tenant_id uuid not null, primary key (webhook_id, id)
    ) with (
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
    )`.execute(db);
}

/** The insertion of deliveries, as `insertEvents` would make it. */
export const insertFirst = (events: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into delivery_new (webhook_id, id, event_id, tenant_id)
  select w.id, uuidv7(), e.id, e.tenant_id from ${events} cross join lateral (
    select id from webhooks where tenant_id = e.tenant_id and is_active and 'message.sent' = any (events) offset 0
  ) w`;

/** A delivery that the holder of its webhook's turn may post. */
export interface FirstDelivery {
  readonly webhookId: string;
  readonly id: string;
  readonly eventId: string;
  readonly body: string;
}

/** Takes or renews the leases of turns. */
export async function leaseTurns(db: Db, ids: readonly string[], holder: string): Promise<void> {
  const turns = unnestRows('t', ids, { id: uuid((id) => id) });
  await sql`
    insert into turn_leases as l (kind, id, holder, until)
    select 'webhooks', id, ${holder}::uuid, now() + interval '8 seconds' from (select * from ${turns}) t order by id
    on conflict (kind, id) do update set holder = excluded.holder, until = excluded.until
    where l.until < now() or l.holder = excluded.holder`.execute(db);
}

interface Row {
  webhook_id: string;
  id: string;
  event_id: string;
  body: string;
  url: string | null;
  secret: string | null;
}

/** Reads the next deliveries of webhooks whose turns this holder has. Writes nothing. */
export async function readFirst(
  db: Db,
  wanted: readonly { readonly id: string; readonly after: string; readonly limit: number }[],
  holder: string,
): Promise<FirstDelivery[]> {
  const ids = wanted.map(({ id }) => id);
  const requests = unnestRows('r', wanted, {
    webhook_id: uuid(({ id }) => id),
    after: uuid(({ after }) => after),
    wanted: int(({ limit }) => limit),
  });
  const { rows } = await sql<Row>`
    with picked as materialized (
      select w.id as webhook_id, w.tenant_id, w.generation, n.id, n.event_id, n.place,
        case n.place when 1 then w.url end as url, case n.place when 1 then w.secret end as secret
      from (select * from ${requests}) r
      join turn_leases l on l.kind = 'webhooks' and l.id = r.webhook_id and l.holder = ${holder}::uuid and l.until > now()
        and l.id = any (${ids}::uuid[])
      join webhooks w on w.id = r.webhook_id and w.id = any (${ids}::uuid[]) and w.is_active and w.lane = 'fast'
        and coalesce(w.paused_until <= now(), true) and w.failure_count < ${failuresUntilFailing}
      cross join lateral (
        select id, event_id, row_number() over (order by id) as place from delivery_new
        where webhook_id = r.webhook_id and id > r.after order by id limit r.wanted
      ) n
    )
    select p.*, e.body from picked p
    left join events e on e.id = p.event_id and e.id = any (array(select event_id from picked))
    order by p.id`.execute(db);
  return rows.map((row) => ({
    webhookId: row.webhook_id,
    id: row.id,
    eventId: row.event_id,
    body: row.body,
  }));
}

/** Settles successes of healthy webhooks in one statement. Returns how many were waiting. */
export async function settleFirst(
  db: Db,
  successes: readonly (FirstDelivery & { readonly beganAt: Date; readonly durationMs: number })[],
): Promise<number> {
  const sorted = successes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const ends = unnestRows('s', sorted, {
    id: uuid((one) => one.id),
    webhook_id: uuid((one) => one.webhookId),
    status: smallint(() => 204),
    answer: text(() => null),
    duration_ms: int((one) => one.durationMs),
    began_at: timestamptz((one) => one.beganAt),
  });
  const ids = sorted.map((one) => one.id);
  const webhooks = [...new Set(sorted.map((one) => one.webhookId))];
  const { rows } = await sql<{ arrived: number }>`
    with settled as materialized (select * from ${ends}),
    ended as (
      delete from delivery_new n using settled s
      where n.webhook_id = s.webhook_id and n.id = s.id
        and n.webhook_id = any (${webhooks}::uuid[]) and n.id = any (${ids}::uuid[])
      returning n.id, n.webhook_id, n.tenant_id, n.event_id
    ),
    moved as (
      insert into deliveries (id, webhook_id, tenant_id, event_id, state, reason, attempts, created_at, ended_at)
      select id, webhook_id, tenant_id, event_id, 'delivered', null, 1, uuid_extract_timestamp(id), now() from ended
    ),
    recorded as (
      insert into delivery_attempts (delivery_id, webhook_id, number, status, error, answer, duration_ms, began_at)
      select id, webhook_id, 1, status, null, answer, duration_ms, began_at from settled
    ),
    triggered as (
      update webhooks w set last_triggered_at = now()
      where w.id = any (${webhooks}::uuid[])
        and coalesce(w.last_triggered_at < now() - interval '1 second', true)
    )
    select count(*)::int as arrived from ended`.execute(db);
  return rows[0]!.arrived;
}

/** A holder of turns. */
export const newHolder = (): string => randomUUID();

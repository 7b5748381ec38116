// Events and their deliveries to webhooks. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {};

export async function up(db: Kysely<never>): Promise<void> {
  // `body` is the JSON that is posted to every webhook and on every retry, byte for byte.
  await sql`
    create table events (
      id uuid primary key,
      tenant_id uuid not null,
      message_id uuid,
      event text not null,
      sequence integer,
      body text not null,
      occurred_at timestamptz not null
    ) partition by range (id)`.execute(db);
  await sql`create index events_tenant on events (tenant_id, id)`.execute(db);

  // Waiting deliveries. A row moves to `deliveries` when it has ended.
  await sql`
    create table delivery_due (
      id uuid primary key,
      webhook_id uuid not null,
      tenant_id uuid not null,
      event_id uuid not null,
      due_at timestamptz not null,
      attempts integer not null default 0,
      claimed_until timestamptz,
      claimed_by uuid,
      created_at timestamptz not null
    ) with (
      fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
      autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
      autovacuum_vacuum_cost_delay = 0
    )`.execute(db);
  await sql`create index delivery_due_turn on delivery_due (webhook_id, due_at)`.execute(db);

  // Ended deliveries.
  await sql`
    create table deliveries (
      id uuid primary key,
      webhook_id uuid not null,
      tenant_id uuid not null,
      event_id uuid not null,
      state text not null check (state in ('delivered', 'failed', 'skipped')),
      attempts integer not null,
      created_at timestamptz not null,
      ended_at timestamptz not null
    ) partition by range (id)`.execute(db);
  await sql`create index deliveries_webhook on deliveries (webhook_id, id)`.execute(db);

  // One row per post. `status` is null without an answer; `error` is the class of the failure.
  await sql`
    create table delivery_attempts (
      id uuid primary key default uuidv7(),
      delivery_id uuid not null,
      webhook_id uuid not null,
      number integer not null,
      status smallint,
      error text,
      answer text,
      duration_ms integer not null,
      began_at timestamptz not null
    ) partition by range (id)`.execute(db);
  await sql`create index delivery_attempts_delivery on delivery_attempts (delivery_id, id)`.execute(db);

  // The JSON that webhooks receive. It is built here because the database's clock sets its times; its shape is the
  // event body of packages/contract. Only failures have `error`.
  await sql`
    create function event_body(
      event_id uuid, event text, sequence integer, occurred_at timestamptz, message_id uuid, tenant_id uuid,
      account_id uuid, provider text, recipient text, type text, status text, external_id text, error text,
      error_code text, possible_duplicate boolean
    ) returns text language sql stable as $$
      select '{"event":' || to_json(event)
        || ',"messageId":' || coalesce(to_json('msg_' || message_id)::text, 'null')
        || case when event = 'message.failed' then ',"error":' || coalesce(to_json(error)::text, 'null') else '' end
        || ',' || substr(row_to_json(rest)::text, 2)
      from (
        select 'evt_' || event_id as "id", 'ten_' || tenant_id as "tenantId", account_id as "channelAccountId",
          provider as "provider", recipient as "to", type as "type", status as "status",
          external_id as "externalId", error_code as "errorCode", possible_duplicate as "possibleDuplicate",
          to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
          sequence as "sequence"
      ) rest
    $$`.execute(db);
}

// Fallback groups: messages of several routes, one after the other. Compatible from version 0.1.0, which begins no next route.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { messages: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // `routes` are all of them with their contents, `message_ids` the messages of those that have begun, in order.
  await sql`
    create table message_groups (
      id uuid primary key,
      tenant_id uuid not null,
      routes json not null,
      message_ids uuid[] not null,
      left_for text[] not null default '{}',
      status text not null default 'pending' check (status in ('pending', 'sent', 'delivered', 'failed')),
      delivered_twice boolean not null default false,
      told text[] not null default '{}',
      quiet boolean not null default false,
      advance_after integer not null,
      route_ends_at timestamptz not null,
      expires_at timestamptz not null,
      scheduled_at timestamptz,
      traceparent text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      ended_at timestamptz
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index message_groups_tenant on message_groups (tenant_id, id)`.execute(db);

  // When to look at a group. Rows are only added and removed: whoever changes a message of a group adds one
  // and waits for nobody. A group that may still begin a route always has one.
  await sql`
    create table group_due (
      id uuid primary key default uuidv7(),
      group_id uuid not null,
      tenant_id uuid not null,
      due_at timestamptz not null default now()
    ) with (
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
      autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
      autovacuum_vacuum_cost_delay = 0
    )`.execute(db);
  await sql`create index group_due_turn on group_due (tenant_id, due_at)`.execute(db);
  await sql`create index group_due_group on group_due (group_id)`.execute(db);

  await sql`
    create function body_in_group(body text, group_id uuid) returns text language sql immutable as $$
      select coalesce(left(body, -1) || ',"groupId":"grp_' || group_id || '"}', body)
    $$`.execute(db);
  await sql`
    create function group_event_body(
      event_id uuid, event text, sequence integer, occurred_at timestamptz, group_id uuid, message_id uuid,
      tenant_id uuid, account_id uuid, provider text, recipient text, type text, status text, error text, error_code text,
      delivered_twice boolean
    ) returns text language sql stable as $$
      select '{"event":"' || event || '","groupId":"grp_' || group_id || '","messageId":"msg_' || message_id
        || case when event = 'group.failed' then '","error":' || coalesce(to_json(error)::text, 'null') || ',"' else '","' end
        || 'id":"evt_' || event_id || '","tenantId":"ten_' || tenant_id
        || '","channelAccountId":' || coalesce('"' || account_id || '"', 'null')
        || ',"provider":' || to_json(provider)::text || ',"to":' || to_json(recipient)::text
        || ',"type":' || to_json(type)::text || ',"status":"' || status
        || '","errorCode":' || coalesce(to_json(error_code)::text, 'null')
        || ',"deliveredTwice":' || delivered_twice::text
        || ',"occurredAt":"' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","sequence":' || sequence || '}'
    $$`.execute(db);

  // Last, because every send waits from here to the end.
  await sql`alter table messages add column group_id uuid`.execute(db);

  // The idempotency key of a group is that of its first message, and outlives the group.
  await sql`
    create or replace function message_waits(message_id uuid) returns boolean language sql stable parallel safe
    return exists (select from dispatch_due d where d.message_id = message_waits.message_id)
      or exists (select from scheduled_messages s where s.message_id = message_waits.message_id)
      or exists (
        select from messages m join message_groups g on g.id = m.group_id
        where m.id = message_waits.message_id and g.ended_at is null
      )`.execute(db);
}

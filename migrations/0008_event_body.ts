// The body of an event at a third of the cost. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {};

export async function up(db: Kysely<never>): Promise<void> {
  // Postgres inlines a function without a `from` into its caller (PostgreSQL, "Function Inlining"); the earlier version
  // ran once per row. Fields with free text are quoted as JSON; ids and our own words need only quotes.
  await sql`
    create or replace function event_body(
      event_id uuid, event text, sequence integer, occurred_at timestamptz, message_id uuid, tenant_id uuid,
      account_id uuid, provider text, recipient text, type text, status text, external_id text, error text,
      error_code text, possible_duplicate boolean
    ) returns text language sql stable as $$
      select '{"event":"' || event
        || '","messageId":' || coalesce('"msg_' || message_id || '"', 'null')
        || case when event = 'message.failed' then ',"error":' || coalesce(to_json(error)::text, 'null') else '' end
        || ',"id":"evt_' || event_id || '","tenantId":"ten_' || tenant_id
        || '","channelAccountId":' || coalesce('"' || account_id || '"', 'null')
        || ',"provider":' || coalesce(to_json(provider)::text, 'null')
        || ',"to":' || coalesce(to_json(recipient)::text, 'null')
        || ',"type":' || coalesce(to_json(type)::text, 'null')
        || ',"status":' || coalesce(to_json(status)::text, 'null')
        || ',"externalId":' || coalesce(to_json(external_id)::text, 'null')
        || ',"errorCode":' || coalesce(to_json(error_code)::text, 'null')
        || ',"possibleDuplicate":' || coalesce(possible_duplicate::text, 'null')
        || ',"occurredAt":"' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","sequence":' || coalesce(sequence::text, 'null') || '}'
    $$`.execute(db);
}

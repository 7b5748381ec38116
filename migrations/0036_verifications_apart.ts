// Verifications of one recipient that may not meet are pending side by side. Compatible from version 0.1.0.
import { type Kysely, type RawBuilder, sql } from 'kysely';

export const transaction = false;
export const compatibleFrom = '0.1.0';
export const locks = { verifications: 'share update exclusive', verification_counts: 'access exclusive' };

interface Tools {
  readonly createIndexConcurrently: (index: {
    readonly name: string;
    readonly table: string;
    readonly on: RawBuilder<unknown>;
    readonly unique: boolean;
  }) => Promise<void>;
}

export async function up(db: Kysely<never>, { createIndexConcurrently }: Tools): Promise<void> {
  // One of the sandbox and a real one, or those of two keys for different accounts. Within the same accounts at most one is
  // pending, whoever races.
  await createIndexConcurrently({
    name: 'verifications_pending_apart',
    table: 'verifications',
    on: sql`(tenant_id, recipient, sandbox, account_ids) where status = 'pending'`,
    unique: true,
  });
  await sql`drop index concurrently if exists verifications_pending`.execute(db);

  // Starts of the sandbox are among the figures, and do not use up what real ones may have.
  await sql`
    alter table verification_counts add column if not exists sandbox_starts int not null default 0`.execute(
    db,
  );

  // As before, with how many were approved. The previous version calls the function without it.
  await sql`
    create or replace function verification_held_body(
      event_id uuid, occurred_at timestamptz, tenant_id uuid, prefix text, starts int, checked int, approved int,
      held_until timestamptz
    ) returns text language sql stable as $$
      select '{"event":"verification.held","messageId":null,"id":"evt_' || event_id || '","tenantId":"ten_' || tenant_id
        || '","channelAccountId":null,"provider":null,"prefix":' || to_json(prefix)::text
        || ',"starts":' || starts || ',"checked":' || checked || ',"approved":' || approved
        || ',"heldUntil":"' || to_char(held_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","occurredAt":"' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","sequence":null}'
    $$`.execute(db);
}

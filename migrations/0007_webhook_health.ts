// The health of webhooks, the reasons of failed deliveries, and replays. Compatible from version 0.1.0.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { webhooks: 'access exclusive', deliveries: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // `at_once` is the limit of posts in flight; `probes` counts the failed probes of a failing webhook. A replay goes
  // through the events after `replay_after` up to `replay_until`.
  await sql`
    alter table webhooks
      add column at_once smallint not null default 8,
      add column probes integer not null default 0,
      add column replay_after uuid,
      add column replay_until uuid`.execute(db);
  await sql`create index webhooks_replay on webhooks (id) where replay_after is not null`.execute(db);

  // Why the delivery failed; null if it was delivered or skipped.
  await sql`
    alter table deliveries
      add column reason text check (reason in ('attempts-exhausted', 'expired'))`.execute(db);
  await sql`create index deliveries_event on deliveries (event_id)`.execute(db);
}

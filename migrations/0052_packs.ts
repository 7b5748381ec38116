// Packs: several events in one post to a webhook. Compatible from version 0.1.0, which posts the events of a pack one by one.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {
  deliveries: 'access exclusive',
  delivery_due: 'access exclusive',
  webhooks: 'access exclusive',
};

export async function up(db: Kysely<never>): Promise<void> {
  // The deliveries of a pack, in the order of their ids. Written by the claim that makes the pack, and never changed.
  await sql`
    create table delivery_packs (
      id uuid primary key,
      webhook_id uuid not null,
      tenant_id uuid not null,
      delivery_ids uuid[] not null
    ) partition by range (id)`.execute(db);

  // The pack in which a delivery is or was posted. Its first delivery stands for it in lists. Null of a delivery that is posted alone,
  // and of one that no claim has packed yet. No index has these columns, so packing writes none.
  await sql`alter table deliveries add column pack_id uuid, add column leads_pack boolean`.execute(db);

  // Last, because every send reads the tables. Null: a post for each event.
  await sql`alter table delivery_due add column pack_id uuid, add column leads_pack boolean`.execute(db);
  await sql`
    alter table webhooks
      add column pack_max_events smallint check (pack_max_events between 1 and 500),
      add column pack_max_wait_ms integer check (pack_max_wait_ms between 0 and 60000),
      add constraint webhooks_packs check ((pack_max_events is null) = (pack_max_wait_ms is null))`.execute(
    db,
  );
}

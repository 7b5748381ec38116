// Partitions of connections for any number of lanes. Compatible from version 0.1.0, which sees those of linked devices through views.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = {
  whatsapp_partitions: 'access exclusive',
  whatsapp_processes: 'access exclusive',
};

export async function up(db: Kysely<never>): Promise<void> {
  // A lease of a partition of the accounts of a lane. Processes of this version and the one before share these rows, so
  // no connection has two owners during an upgrade.
  await sql`alter table whatsapp_partitions rename to owned_partitions`.execute(db);
  await sql`
    alter table owned_partitions add column lane text not null default 'whatsapp-web',
      drop constraint whatsapp_partitions_pkey, add constraint owned_partitions_pkey primary key (lane, partition)`.execute(
    db,
  );
  await sql`alter table owned_partitions alter column lane drop default`.execute(db);
  // The processes that share the partitions of a lane.
  await sql`alter table whatsapp_processes rename to partition_owners`.execute(db);
  await sql`
    alter table partition_owners add column lane text not null default 'whatsapp-web',
      alter column partitions drop default`.execute(db);
  await sql`alter table partition_owners rename constraint whatsapp_processes_pkey to partition_owners_pkey`.execute(
    db,
  );
  await sql`alter table partition_owners alter column lane drop default`.execute(db);

  // What the version before reads and writes.
  await sql`
    create view whatsapp_partitions as
      select lane, partition, owner, epoch, leased_until from owned_partitions where lane = 'whatsapp-web'`.execute(
    db,
  );
  await sql`alter view whatsapp_partitions alter column lane set default 'whatsapp-web'`.execute(db);
  await sql`
    create view whatsapp_processes as
      select lane, id, seen_until, partitions from partition_owners where lane = 'whatsapp-web'`.execute(db);
  await sql`
    alter view whatsapp_processes alter column lane set default 'whatsapp-web',
      alter column partitions set default 16`.execute(db);
}

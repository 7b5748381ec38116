// What the list of events needs besides the events. Compatible from version 0.1.0, which has no list.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { tenants: 'share row exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Signs the events of a tenant's list. Made when it is first asked for.
  await sql`
    create table event_secrets (
      tenant_id uuid primary key references tenants on delete cascade,
      secret text not null,
      created_at timestamptz not null default now()
    )`.execute(db);

  // One row. `epoch` changes when the database was restored to an earlier state; a cursor of another epoch has expired.
  await sql`
    create table event_epoch (
      "only" boolean primary key default true check ("only"),
      epoch uuid not null
    )`.execute(db);
  await sql`insert into event_epoch (epoch) values (uuidv7())`.execute(db);
}

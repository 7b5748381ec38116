// Verifications and groups are listed by tenant. Compatible from version 0.1.0, which removes old verifications without an index.
import { type Kysely, type RawBuilder, sql } from 'kysely';

export const transaction = false;
export const compatibleFrom = '0.1.0';
export const locks = { verifications: 'share update exclusive', message_groups: 'share update exclusive' };

interface Tools {
  readonly createIndexConcurrently: (index: {
    readonly name: string;
    readonly table: string;
    readonly on: RawBuilder<unknown>;
    readonly unique: boolean;
  }) => Promise<void>;
}

/** Each new index takes the place of one, so a write costs what it did. */
export async function up(db: Kysely<never>, { createIndexConcurrently }: Tools): Promise<void> {
  await createIndexConcurrently({
    name: 'verifications_tenant',
    table: 'verifications',
    on: sql`(tenant_id, id)`,
    unique: false,
  });
  // Ids grow with time, so the primary key tells age.
  await sql`drop index concurrently if exists verifications_age`.execute(db);

  // The groups of verifications are `quiet`. They may be many, and a list of groups leaves them out.
  await createIndexConcurrently({
    name: 'message_groups_listed',
    table: 'message_groups',
    on: sql`(tenant_id, quiet, id)`,
    unique: false,
  });
  await sql`drop index concurrently if exists message_groups_tenant`.execute(db);
}

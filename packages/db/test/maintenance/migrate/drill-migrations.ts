import { sql } from 'kysely';
import { knownMigrations } from '../../../src/maintenance/migrate/files.ts';
import type { Migration } from '../../../src/maintenance/migrate/migration.ts';

/** Adds a column to `messages`, as migrations of releases do. */
export const addsColumn: Migration = {
  name: '9001_test_column',
  transaction: true,
  compatibleFrom: '0.1.0',
  locks: { messages: 'access exclusive' },
  async up(db) {
    await sql`alter table messages add column test_note text`.execute(db);
  },
};

/** Makes an index of `messages`, which is partitioned. */
export const addsIndex: Migration = {
  name: '9002_test_index',
  transaction: false,
  compatibleFrom: '0.1.0',
  locks: { messages: 'share' },
  async up(_db, { createIndexConcurrently }) {
    await createIndexConcurrently({
      name: 'messages_test',
      table: 'messages',
      on: sql`(tenant_id, recipient)`,
    });
  },
};

/** Those of this code, and these after them. */
export async function migrationsAnd(...more: readonly Migration[]): Promise<Migration[]> {
  return [...(await knownMigrations()), ...more];
}

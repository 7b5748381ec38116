// Finds the messages that failed with a code. Compatible from version 0.1.0.
import { type Kysely, type RawBuilder, sql } from 'kysely';

export const transaction = false;
export const compatibleFrom = '0.1.0';
export const locks = { messages: 'share' };

interface Tools {
  readonly createIndexConcurrently: (index: {
    readonly name: string;
    readonly table: string;
    readonly on: RawBuilder<unknown>;
  }) => Promise<void>;
}

export async function up(_db: Kysely<never>, { createIndexConcurrently }: Tools): Promise<void> {
  // Only failed messages have a code, so no other one writes an entry. The condition is not about the status: a change of a column
  // that an index uses, or its condition, writes new entries in all indexes of the row, and each message changes its status.
  await createIndexConcurrently({
    name: 'messages_error_code',
    table: 'messages',
    on: sql`(tenant_id, error_code, id) where error_code is not null`,
  });
}

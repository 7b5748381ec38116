// An index of `messages`, made while it is in use. Compatible from version 0.1.0.
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
  await createIndexConcurrently({ name: 'messages_drill', table: 'messages', on: sql`(recipient, id)` });
}

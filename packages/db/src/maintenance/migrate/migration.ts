import type { Kysely } from 'kysely';
import type { ConcurrentIndex } from './index-builder.ts';

/** What Postgres calls its table locks that keep writers or other changes of the table out (PostgreSQL, "Explicit Locking"). */
export type LockMode =
  'share update exclusive' | 'share' | 'share row exclusive' | 'exclusive' | 'access exclusive';

/** What a migration that runs without a transaction can use. */
export interface MigrationTools {
  /** Makes an index while the table is in use. Safe to repeat; see `buildIndex`. */
  readonly createIndexConcurrently: (index: ConcurrentIndex) => Promise<void>;
}

/** A file of `migrations`, by its exports. */
export interface Migration {
  /** The file's name without its ending. */
  readonly name: string;
  /** Without one, `up` must be safe to repeat after it was interrupted anywhere. */
  readonly transaction: boolean;
  /** The first version of the code that works with the schema after this migration. */
  readonly compatibleFrom: string;
  /** The tables that existed before and that it locks, with the strongest lock. */
  readonly locks: Readonly<Record<string, LockMode>>;
  up(db: Kysely<never>, tools: MigrationTools): Promise<void>;
}

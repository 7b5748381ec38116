import type { Session } from '../../connection/sessions.ts';

/** What `migrate` tells of its progress. */
export type MigrationEvent =
  /** Another `migrate` runs. Null: its session is not to be seen. */
  | { readonly kind: 'queued'; readonly behind: Session | null }
  | { readonly kind: 'began'; readonly name: string; readonly number: number; readonly of: number }
  /** Waits for locks that others hold. */
  | { readonly kind: 'waits'; readonly name: string; readonly inTheWay: readonly Session[] }
  | { readonly kind: 'builds'; readonly name: string; readonly build: IndexBuild }
  | { readonly kind: 'applied'; readonly name: string; readonly tookMs: number };

/** How far the build of an index is, by the view `pg_stat_progress_create_index`. */
export interface IndexBuild {
  readonly index: string;
  readonly table: string;
  readonly phase: string;
  /** Blocks or tuples of this phase, whichever Postgres counts. 0 of 0: nothing to count. */
  readonly done: number;
  readonly total: number;
}

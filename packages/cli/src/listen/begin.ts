import { type Option, pastTime } from '../options.ts';
import type { Entry } from './entry.ts';
import type { PositionFile } from './position.ts';
import { findSince, type ListPage } from './since.ts';

/** Where `listen` begins. */
export interface Begin {
  /** Events that come before the stream. */
  readonly entries: readonly Entry[];
  /** Where the stream begins; null is now. */
  readonly cursor: string | null;
  /** When the saved position was saved. Null without one. */
  readonly savedAt: string | null;
  /** The time of `--since`, if it is not now. */
  readonly since: string | null;
}

const time = pastTime('<time>', 'Begin with the events since this time, at most 7 days ago, or "now".');

/** A time, or `now`. */
export const sinceOption: Option<string | undefined> = {
  ...time,
  read: (typed, before) => (typed === 'now' ? typed : time.read(typed, before)),
};

interface Choice {
  readonly since: string | undefined;
  readonly cursor: string | undefined;
}

/** Begins at `--since` or `--cursor`, else at the saved position, else now. */
export async function beginOf(
  { since, cursor }: Choice,
  position: Pick<PositionFile, 'read'>,
  list: ListPage,
): Promise<Begin> {
  const nothing = { entries: [], cursor: null, savedAt: null, since: null };
  if (since === 'now') return nothing;
  if (since !== undefined) return { ...nothing, ...(await findSince(since, list)), since };
  if (cursor !== undefined) return { ...nothing, cursor };
  const saved = await position.read();
  return saved === null ? nothing : { ...nothing, cursor: saved.cursor, savedAt: saved.savedAt };
}

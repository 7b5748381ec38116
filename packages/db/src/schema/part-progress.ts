import type { Cut } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';

/*
 * `dispatch_due.part` counts the parts that went out, and tells the cut that they were counted under. A part of a `readable` text is
 * stored with `readableFrom` added. Processes before that cut store the plain number. If they read a larger one, they fail the
 * message with `settings-changed`, because no text has that many parts, so they never go on in a text that they would cut elsewhere.
 */
const readableFrom = 1_000;

/** How far a message has come. */
export interface PartProgress {
  /** The next part, from 0. */
  readonly part: number;
  /** How its text is cut. */
  readonly cut: Cut;
}

/** What a row says. A message of which nothing went out is cut as today. */
export function progressOf(stored: number): PartProgress {
  return stored === 0 || stored >= readableFrom
    ? { part: stored % readableFrom, cut: 'readable' }
    : { part: stored, cut: 'full' };
}

/** What the row of a message says once a part of it went out, or may have gone out. */
export function storedProgress({ part, cut }: PartProgress): number {
  return cut === 'readable' ? part + readableFrom : part;
}

/** The next part, from 0, in SQL. */
export function partOf(stored: RawBuilder<number>): RawBuilder<number> {
  return sql`${stored} % ${sql.lit(readableFrom)}`;
}

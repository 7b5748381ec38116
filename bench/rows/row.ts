import type { Ground } from '../stand/ground.ts';
import type { Figure } from '../report.ts';

/** How much is measured. */
export interface Sizes {
  /** How long a load lasts, in s. */
  readonly seconds: number;
  /** How often each contender's turn comes. */
  readonly rounds: number;
  /** Messages of one run from end to end. */
  readonly messages: number;
  /** Rows in `messages` for the row about growth. */
  readonly rows: number;
  /** Messages that wait, for the rows about a backlog. */
  readonly backlog: number;
  readonly connections: number;
}

/** One row of the table of issue 6, or several that come out of one measurement. */
export interface Row {
  readonly name: string;
  run(ground: Ground, sizes: Sizes, say: (line: string) => void): Promise<Figure[]>;
}

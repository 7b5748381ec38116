import type { Environment } from '../environment/environment.ts';
import type { NeededProgram } from '../environment/programs.ts';
import type { Figure } from '../report.ts';

/** How much a run measures. */
export interface Sizes {
  /** Duration of a load, in s. */
  readonly seconds: number;
  /** Measured rounds; in each, every variant has its turn. */
  readonly rounds: number;
  /** Messages of one end-to-end pass. */
  readonly messages: number;
  /** Rows in `messages`, for `growth`. */
  readonly rows: number;
  /** Waiting messages, for `neighbours`. */
  readonly backlog: number;
  readonly connections: number;
}

/** A measurement that yields one or more figures of the report. */
export interface Benchmark {
  readonly name: string;
  /** Programs without which it cannot run. */
  readonly needs?: readonly NeededProgram[];
  run(environment: Environment, sizes: Sizes, say: (line: string) => void): Promise<Figure[]>;
}

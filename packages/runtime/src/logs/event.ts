import type { FieldName } from './fields.ts';

/** The levels of log lines, from the finest. */
export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type Level = (typeof levels)[number];

/** One kind of log line. */
export interface LogEvent {
  readonly level: Level;
  /** The sentence of the line. Null if the field `msg` has it. */
  readonly msg: string | null;
  /** What has happened, and what follows from it. */
  readonly means: string;
  /** The fields that each line has. */
  readonly fields: readonly FieldName[];
  /** The fields that a line may have. */
  readonly optional?: readonly FieldName[];
  /** The event belongs to no request, so its lines have no `requestId`. */
  readonly background?: true;
  /** Which lines LOG_SUCCESSES may leave out. */
  readonly successes?: Successes;
}

/** Lines about successes, which can be sampled. */
export interface Successes {
  /** A line is about a success if this field has one of these values, or a number from `least` to below `below`. */
  readonly where: FieldName;
  readonly is: readonly string[] | { readonly least: number; readonly below: number };
  /** The first of these fields that a line has decides, so that lines of one message stay or go together. */
  readonly by: readonly (FieldName | 'requestId')[];
}

/** The events of one component. They keep their exact types, which check every line. */
export function events<const E extends Readonly<Record<string, LogEvent>>>(all: E): E {
  return all;
}

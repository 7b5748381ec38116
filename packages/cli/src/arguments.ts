import type { Kind } from './kinds.ts';

/** A positional argument of a command. */
export interface Argument<T> {
  readonly about: string;
  readonly required: boolean;
  /** The values it can have, if they are few. */
  readonly choices: readonly string[] | null;
  /** What it is the ID of. Null: it is no ID. */
  readonly kind: Kind | null;
  /** Only types use it. */
  readonly type?: T;
}

/** A text that must be there. */
export function argument(about: string): Argument<string> {
  return { about, required: true, choices: null, kind: null };
}

/** A text that may be missing. */
export function optionalArgument(about: string): Argument<string | undefined> {
  return { about, required: false, choices: null, kind: null };
}

/** One of a few words. */
export function choiceArgument<const C extends string>(choices: readonly C[], about: string): Argument<C> {
  return { about, required: true, choices, kind: null };
}

import { UsageFailure } from './failures.ts';
import type { Kind } from './kinds.ts';
import { instantOf } from './time.ts';

/** An option of a command. */
export interface Option<T> {
  readonly about: string;
  /** How help shows its value: `<url>`, or `[status]` if it can be left out. Null: the option is a flag. */
  readonly value: string | null;
  readonly required: boolean;
  /** The values it can have, if they are few. */
  readonly choices: readonly string[] | null;
  /** What an option without its value means, as if it were typed. Null: the value must be there. */
  readonly preset: string | null;
  /** An old name, which help does not show: `event` is `--event`. Null: there is none. */
  readonly alias: string | null;
  /** What it is the ID of. Null: it is no ID. */
  readonly kind: Kind | null;
  /** Turns what was typed into the value. `before` is the value of the same option earlier on the command line. */
  read(typed: string, before: T | undefined): T;
}

const optional = { required: false, choices: null, preset: null, alias: null, kind: null };

/** True if it is on the command line. */
export function flag(about: string): Option<boolean> {
  return { ...optional, about, value: null, read: () => true };
}

/** Any text. */
export function text(value: string, about: string): Option<string | undefined> {
  return { ...optional, about, value, read: (typed) => typed };
}

/** One of a few words. */
export function choice<const C extends string>(
  value: string,
  choices: readonly C[],
  about: string,
): Option<C | undefined> {
  return { ...optional, about, value, choices, read: (typed) => oneOf(choices, typed) };
}

/** A whole number from `min` to `max`. */
export function integer(
  value: string,
  { min, max }: { readonly min: number; readonly max: number },
  about: string,
): Option<number | undefined> {
  return {
    ...optional,
    about,
    value,
    read(typed) {
      const number = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw new UsageFailure(`must be a whole number from ${min} to ${max}`);
    },
  };
}

/** Texts, separated by commas, or the option several times. */
export function list(value: string, about: string): Option<readonly string[] | undefined> {
  return {
    ...optional,
    about: `${about} Several: separated by commas.`,
    value,
    read: (typed, before) => [...(before ?? []), ...wordsOf(typed)],
  };
}

/** Texts, each with the option before it. Commas are part of them. */
export function repeated(value: string, about: string): Option<readonly string[] | undefined> {
  return { ...optional, about, value, read: (typed, before) => [...(before ?? []), typed] };
}

/** Words out of `choices`, separated by commas, or the option several times. */
export function choices<const C extends string>(
  value: string,
  of: readonly C[],
  about: string,
): Option<readonly C[] | undefined> {
  return {
    ...optional,
    about: `${about} Several: separated by commas.`,
    value,
    choices: of,
    read: (typed, before) => [...(before ?? []), ...wordsOf(typed).map((word) => oneOf(of, word))],
  };
}

/** A time: ISO 8601, or how long ago: `30m`, `2h`, `7d`. The value is ISO 8601. */
export function pastTime(value: string, about: string): Option<string | undefined> {
  return {
    ...optional,
    about: `${about} ISO 8601, or 30m, 2h, 7d ago.`,
    value,
    read: (typed) => instantOf(typed, -1),
  };
}

/** A time: ISO 8601, or in how long: `30m`, `2h`, `7d`. The value is ISO 8601. */
export function futureTime(value: string, about: string): Option<string | undefined> {
  return {
    ...optional,
    about: `${about} ISO 8601, or in 30m, 2h, 7d.`,
    value,
    read: (typed) => instantOf(typed, 1),
  };
}

/** A JSON object. */
export function jsonObject(value: string, about: string): Option<Record<string, unknown> | undefined> {
  return { ...optional, about, value, read: objectOf };
}

/** Makes the option required. */
export function required<T>(option: Option<T>): Option<Exclude<T, undefined>> {
  return { ...option, required: true } as Option<Exclude<T, undefined>>;
}

/** Gives the option a value for when it is typed without one. */
export function presetTo<T>(preset: string, option: Option<T>): Option<T> {
  return { ...option, preset };
}

/** Gives the option an old name that still works. */
export function formerly<T>(alias: string, option: Option<T>): Option<T> {
  return { ...option, alias };
}

/** The words of an option that has more than one value. */
function wordsOf(typed: string): string[] {
  const words = typed.split(',').map((word) => word.trim());
  if (words.every((word) => word !== '')) return words;
  throw new UsageFailure('must be texts, separated by commas');
}

function oneOf<C extends string>(choices: readonly C[], typed: string): C {
  const found = choices.find((one) => one === typed);
  if (found !== undefined) return found;
  throw new UsageFailure(`must be one of ${choices.join(', ')}`);
}

function objectOf(typed: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(typed);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // Falls through to the same answer.
  }
  throw new UsageFailure('must be a JSON object');
}

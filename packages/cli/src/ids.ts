import type { Argument } from './arguments.ts';
import { checkedId, type Kind } from './kinds.ts';
import { list, type Option, text } from './options.ts';

/** An argument that is the ID of a thing. */
export function idArgument(kind: Kind, about = `The ${kind.noun} ID: ${formOf(kind)}.`): Argument<string> {
  return { about, required: true, choices: null, kind };
}

/** An option that is the ID of a thing. */
export function idOption(kind: Kind, about: string): Option<string | undefined> {
  return { ...text('<id>', about), kind, read: (typed) => checkedId(kind, typed) };
}

/** IDs of things, separated by commas, or the option several times. */
export function idsOption(kind: Kind, about: string): Option<readonly string[] | undefined> {
  const words = list('<ids>', about);
  return {
    ...words,
    read: (typed, before) => words.read(typed, before)?.map((id) => checkedId(kind, id)),
  };
}

function formOf({ prefix, orPrefix }: Kind): string {
  if (prefix === null) return 'a UUID';
  return orPrefix === undefined ? `${prefix}…` : `${prefix}…, or ${orPrefix}… for a pack`;
}

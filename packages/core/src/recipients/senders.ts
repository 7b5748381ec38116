import { spellingsOfDigits } from './number-spellings.ts';

/** A sender for the numbers that begin with a prefix, such as `+49` or `+1415`. */
export interface PrefixSender {
  /** The beginning of a number in E.164 format, with its plus. */
  readonly prefix: string;
  readonly from: string;
}

/** The sender of a message, and why: the prefix that its recipient's number begins with, or null for the default. */
export interface ChosenSender<From extends string | undefined> {
  readonly from: From;
  readonly prefix: string | null;
}

/**
 * The sender for a number in E.164 format: that of the longest prefix that the number begins with in any of its spellings,
 * otherwise `from`.
 */
export function chooseSender<From extends string | undefined>(
  { from, senders = [] }: { readonly from: From; readonly senders?: readonly PrefixSender[] },
  to: string,
): ChosenSender<From | string> {
  if (senders.length === 0 || !to.startsWith('+')) return { from, prefix: null };
  const spellings = spellingsOfDigits(to.slice(1));
  const longest = senders
    .filter(({ prefix }) => spellings.some((digits) => digits.startsWith(prefix.slice(1))))
    .reduce<PrefixSender | null>(
      (best, one) => (best === null || one.prefix.length > best.prefix.length ? one : best),
      null,
    );
  return longest ?? { from, prefix: null };
}

import { RE2JS } from 're2js';

/**
 * The limits on a tenant's patterns: their length, the characters of a text they are tried on, and the instructions
 * that all patterns of an account compile to. The most expensive patterns within these limits took 60 ms per answer
 * when measured.
 */
export const maxPatternLength = 300;
export const maxInstructions = 500;
const maxSubjectLength = 2_048;

/** The number of instructions a pattern compiles to, or a problem if it is not valid. */
export function weigh(pattern: string): { readonly instructions: number } | { readonly problem: string } {
  try {
    return { instructions: RE2JS.compile(pattern).programSize() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    return { problem: `is not a regular expression RE2 takes (${reason})` };
  }
}

/**
 * Whether a text contains a match of a tenant's pattern. The time is linear in both for every pattern (see the README).
 */
export function isFound(pattern: string, text: string): boolean {
  return RE2JS.compile(pattern).test(text.slice(0, maxSubjectLength));
}

/** The first group of the first match, or the whole match if the pattern has no groups; null without a match. */
export function firstGroup(pattern: string, text: string): string | null {
  const matcher = RE2JS.compile(pattern).matcher(text.slice(0, maxSubjectLength));
  if (!matcher.find()) return null;
  return matcher.group(matcher.groupCount() > 0 ? 1 : 0);
}

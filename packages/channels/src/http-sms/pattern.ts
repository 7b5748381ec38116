import { RE2JS } from 're2js';

/**
 * What bounds the cost of a tenant's patterns: their length, the characters of a text they are tried on, and the
 * instructions that all patterns of an account compile to. The worst that fits was measured at 60 ms an answer.
 */
export const maxPatternLength = 300;
export const maxInstructions = 500;
const maxSubjectLength = 2_048;

/** How many instructions a pattern compiles to, or what is wrong with it. */
export function weigh(pattern: string): { readonly instructions: number } | { readonly problem: string } {
  try {
    return { instructions: RE2JS.compile(pattern).programSize() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    return { problem: `is not a regular expression RE2 takes (${reason})` };
  }
}

/** Whether a tenant's pattern is found in a text, in time linear in both, whatever they are (see the README). */
export function isFound(pattern: string, text: string): boolean {
  return RE2JS.compile(pattern).test(text.slice(0, maxSubjectLength));
}

/** The first group of the first match, or the whole match where there are no groups; null when nothing matches. */
export function firstGroup(pattern: string, text: string): string | null {
  const matcher = RE2JS.compile(pattern).matcher(text.slice(0, maxSubjectLength));
  if (!matcher.find()) return null;
  return matcher.group(matcher.groupCount() > 0 ? 1 : 0);
}

import { RE2JS } from 're2js';

/** Longest pattern a tenant may give, and how much of a text it is tried on, in characters: both bound its cost. */
export const maxPatternLength = 300;
const maxSubjectLength = 4_096;

/** What is wrong with a pattern, or null. */
export function patternProblem(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return `is not a regular expression RE2 takes (${error instanceof Error ? error.message : 'unreadable'})`;
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

import type { CodeVerification } from '@notify/sdk';

/** How often a code was entered, and while it can be entered, how often it still can: `2 attempts, 3 left`. */
export function attemptsInWords({
  status,
  attempts,
  attemptsLeft,
}: Pick<CodeVerification, 'status' | 'attempts' | 'attemptsLeft'>): string {
  const made = attempts === 0 ? 'No attempts' : attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return status === 'pending' ? `${made}, ${attemptsLeft} left` : made;
}

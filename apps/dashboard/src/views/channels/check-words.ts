import type { Verification } from '@notify/sdk';
import { networkTrouble } from './network-trouble.ts';

/** What the result of a check means. `unclear`: nobody knows whether the settings work. */
export interface CheckWords {
  readonly tone: 'good' | 'unclear' | 'bad';
  readonly title: string;
  /** What to do. Null if there is nothing. */
  readonly advice: string | null;
}

/** The words for a result. A provider that was not reached has rejected nothing. */
export function checkWords(
  { ok, refused, detail }: Verification,
  provider: { readonly id: string; readonly name: string },
): CheckWords {
  if (ok) return { tone: 'good', title: 'The settings work', advice: null };
  const trouble = networkTrouble(detail, provider.id);
  if (trouble !== null)
    return {
      tone: refused ? 'bad' : 'unclear',
      title: `Could not reach ${provider.name}`,
      advice: `${trouble.what} ${trouble.cure} Messages wait and are retried until they expire.`,
    };
  if (refused)
    return {
      tone: 'bad',
      title: `${provider.name} rejected these settings`,
      advice: 'Fix them under “Settings”, then verify again.',
    };
  return {
    tone: 'unclear',
    title: 'Not verified',
    advice: 'Nobody knows yet whether the settings work. Verify again.',
  };
}

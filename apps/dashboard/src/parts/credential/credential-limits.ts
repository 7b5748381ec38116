import { readMoment } from '../time/moment-text.ts';

/** The fields of a form that keys and tokens share: when the credential ends, and where it works from. */
export interface LimitValues {
  /** One of `ends`. */
  ends: string;
  /** The time of the end as somebody typed it. Only `byTime` uses it. */
  expiresAt: string;
  allowedIps: string[];
}

/** No end, every address. */
export const noLimits: Readonly<LimitValues> = { ends: 'never', expiresAt: '', allowedIps: [] };

/** The end at a time that somebody types. */
export const byTime = 'at';

/** The ends that a form offers. The others are a number of days. */
export const ends = [
  { value: noLimits.ends, label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: byTime, label: 'At a date and time' },
] as const;

/** The most addresses that the api takes. */
export const mostAddresses = 20;

const dayMs = 86_400_000;

/** What is wrong with the limits before the api sees them, by the name of the input. */
export function limitFaults({ ends: chosen, expiresAt, allowedIps }: LimitValues): Record<string, string> {
  const faults: Record<string, string> = {};
  if (chosen === byTime && readMoment(expiresAt) === null) faults.expiresAt = 'Enter a date and a time.';
  // An address keeps its place in the body, so that the api's errors find its input.
  for (const [index, address] of allowedIps.entries())
    if (address.trim() === '') faults[`allowedIps.${index}`] = 'Enter an address, or remove this line.';
  return faults;
}

/** The limits as the api takes them. `now` is in ms since 1970. */
export function limitsOf(
  { ends: chosen, expiresAt, allowedIps }: LimitValues,
  now: number,
): { expiresAt?: string; allowedIps?: string[] } {
  const end = endOf(chosen, expiresAt, now);
  return {
    ...(end === null ? {} : { expiresAt: end.toISOString() }),
    ...(allowedIps.length === 0 ? {} : { allowedIps: allowedIps.map((one) => one.trim()) }),
  };
}

function endOf(chosen: string, typed: string, now: number): Date | null {
  if (chosen === noLimits.ends) return null;
  return chosen === byTime ? readMoment(typed) : new Date(now + Number(chosen) * dayMs);
}

/**
 * The names of all inputs that may show an error of the limits. They do not depend on what is chosen now: an error of a
 * line that was removed since is gone with it.
 */
export const limitInputs: readonly string[] = [
  'expiresAt',
  'allowedIps',
  ...Array.from({ length: mostAddresses }, (_, index) => `allowedIps.${index}`),
];

/** Several addresses in one text, as they are pasted from a list: lines, commas or spaces are between them. */
export function addressesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== '');
}

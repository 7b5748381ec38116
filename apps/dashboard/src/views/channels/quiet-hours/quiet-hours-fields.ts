import type { Field } from '../settings/fields.ts';
import type { Settings } from '../settings/values.ts';

/** The name of the setting. */
export const quietHours = 'quietHours';

/** What is read again with new hours. */
export const accountReads = ['get /v1/channel-accounts', 'get /v1/channel-accounts/{id}'] as const;

/** All settings but the quiet hours, which have their own section. */
export function withoutQuietHours(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ name }) => name !== quietHours);
}

/** The quiet hours alone. A form that asks for nothing else must be filled in. */
export function onlyQuietHours(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ name }) => name === quietHours).map((field) => ({ ...field, required: true }));
}

interface Hours {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string | { readonly fallback: string };
}

/** Stored quiet hours in words; null if there are none. */
export function quietHoursText(settings: Settings): string | null {
  const hours = settings[quietHours] as Hours | undefined;
  if (hours === undefined) return null;
  const { from, to, timeZone } = hours;
  const span = `From ${from} to ${to}${to < from ? ' on the next day' : ''}`;
  return typeof timeZone === 'string'
    ? `${span}, by the clock of ${timeZone}.`
    : `${span}, by each recipient’s own clock. Where the phone number does not show the country, by that of ${timeZone.fallback}.`;
}

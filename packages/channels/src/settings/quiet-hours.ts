import { isTimeZone, type QuietHours } from '@notify/core';
import Type from 'typebox';

const Time = (title: string, description: string, example: string) =>
  Type.String({
    title,
    description,
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    examples: [example],
    clock: true,
  });

const Zone = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] });

/** Part of the settings of every provider that reaches people: the hours in which the account does not disturb them. */
export const quietHoursSetting = {
  quietHours: Type.Optional(
    Type.Object(
      {
        from: Time('From', 'When sending stops.', '22:00'),
        to: Time('To', 'When sending resumes. If earlier than From, on the next day.', '08:00'),
        timeZone: Type.Union(
          [
            Zone('The name of a time zone in the IANA database, such as Europe/Berlin.'),
            Type.Object(
              {
                recipient: Type.Literal(true),
                fallback: Zone(
                  'The time zone of recipients whose number does not show their country, and of everyone on Telegram.',
                ),
              },
              {
                description:
                  'The time zone of each recipient, from the country or area code of their phone number.',
                additionalProperties: false,
              },
            ),
          ],
          { title: 'Time zone' },
        ),
      },
      {
        title: 'Quiet hours',
        description:
          'Messages that are due in these hours wait, and are sent when the hours end. Messages marked as urgent, one-time codes and fallback groups are sent even in quiet hours.',
        additionalProperties: false,
      },
    ),
  ),
};

interface QuietSettings {
  readonly quietHours?: QuietHours;
}

/** The quiet hours of an account. Null if it has none. */
export function quietHoursOf(settings: unknown): QuietHours | null {
  return (settings as QuietSettings | null)?.quietHours ?? null;
}

/** Quiet hours without a length, and zones that do not exist. */
export function quietHoursFaults(settings: unknown): { readonly at: string; readonly message: string }[] {
  const hours = quietHoursOf(settings);
  if (hours === null) return [];
  const { from, to, timeZone } = hours;
  const at = '/quietHours';
  const [zoneAt, zone] =
    typeof timeZone === 'string'
      ? [`${at}/timeZone`, timeZone]
      : [`${at}/timeZone/fallback`, timeZone.fallback];
  return [
    ...(from === to ? [{ at: `${at}/to`, message: 'must not be the same time as from' }] : []),
    ...(isTimeZone(zone)
      ? []
      : [{ at: zoneAt, message: 'must be a time zone of the IANA database, such as Europe/Berlin' }]),
  ];
}

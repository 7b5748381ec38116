import { isTimeZone, type QuietHours } from '@notify/core';
import Type from 'typebox';

const Time = (title: string, description: string) =>
  Type.String({ title, description, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:00'] });

const Zone = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] });

/** Part of the settings of every provider that reaches people: the hours in which the account does not disturb them. */
export const quietHoursSetting = {
  quietHours: Type.Optional(
    Type.Object(
      {
        from: Time('From', 'The first quiet minute, as HH:MM.'),
        to: Time(
          'To',
          'The first minute that is no longer quiet, as HH:MM. The next day if it is before the other.',
        ),
        timeZone: Type.Union(
          [
            Zone('A name of the IANA time zone database.'),
            Type.Object(
              {
                recipient: Type.Literal(true),
                fallback: Zone('The zone where the number does not tell.'),
              },
              {
                description: 'The zone of the recipient, as the phone number tells it.',
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
          'Messages that would be sent in these hours are sent at their end. Urgent messages are sent all the same.',
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

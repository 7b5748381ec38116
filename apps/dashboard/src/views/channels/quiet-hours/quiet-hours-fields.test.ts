import { quietHoursText } from './quiet-hours-fields.ts';

test('quiet hours are told in words', () => {
  const text = (hours: object) => quietHoursText({ quietHours: hours });
  expect(text({ from: '22:00', to: '08:00', timeZone: 'Europe/Berlin' })).toBe(
    'From 22:00 to 08:00 on the next day, by the clock of Europe/Berlin.',
  );
  expect(text({ from: '00:30', to: '08:00', timeZone: { recipient: true, fallback: 'UTC' } })).toBe(
    'From 00:30 to 08:00, by each recipient’s own clock. Where the phone number does not show the country, by that of UTC.',
  );
  expect(quietHoursText({})).toBeNull();
});

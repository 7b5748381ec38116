import { checkSettings } from '../settings/settings.ts';
import { careOf } from './settings.ts';
import { whatsappWeb } from './whatsapp-web.ts';

test('an account without settings sends every 3 to 6 s, to 20 new contacts a day, warmed up over 10 days', () => {
  expect(checkSettings(whatsappWeb, {})).toEqual([]);
  expect(careOf({})).toEqual({
    minIntervalMs: 3_000,
    maxIntervalMs: 6_000,
    newContactsPerDay: 20,
    warmUpDays: 10,
  });
});

test('a minimum wait above 6 s is also the maximum, unless that is set', () => {
  expect(careOf({ minIntervalSeconds: 30 }).maxIntervalMs).toBe(30_000);
});

test('refuses a maximum wait below the minimum', () => {
  expect(checkSettings(whatsappWeb, { minIntervalSeconds: 5, maxIntervalSeconds: 4 })).toEqual([
    { at: '/maxIntervalSeconds', message: 'must not be below minIntervalSeconds' },
  ]);
});

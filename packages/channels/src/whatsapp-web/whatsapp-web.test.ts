import { checkSettings } from '../settings.ts';
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

test('a shortest wait above 6 s is the longest too where nothing is said of that', () => {
  expect(careOf({ minIntervalSeconds: 30 }).maxIntervalMs).toBe(30_000);
});

test('the longest wait may not be below the shortest', () => {
  expect(checkSettings(whatsappWeb, { minIntervalSeconds: 5, maxIntervalSeconds: 4 })).toEqual([
    { at: '/maxIntervalSeconds', message: 'must not be below minIntervalSeconds' },
  ]);
});

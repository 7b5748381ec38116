import { adapters } from '../registry.ts';
import { quietHoursFaults, quietHoursOf } from './quiet-hours.ts';
import { checkSettings } from './settings.ts';

const night = { from: '22:00', to: '08:00', timeZone: 'Europe/Berlin' };

test('an account without them has none, nor has one without settings', () => {
  expect(quietHoursOf({ quietHours: night })).toEqual(night);
  expect(quietHoursOf({})).toBeNull();
  expect(quietHoursOf(null)).toBeNull();
  expect(quietHoursFaults({})).toEqual([]);
});

test('every provider but the sandbox has them', () => {
  const without = [...adapters.values()].filter((adapter) =>
    checkSettings(adapter, { quietHours: night }).some(({ at }) => at.startsWith('/quietHours')),
  );
  expect(without.map(({ id }) => id)).toEqual(['sandbox']);
});

test('both faults are named at once', () => {
  expect(quietHoursFaults({ quietHours: { from: '08:00', to: '08:00', timeZone: 'Nowhere' } })).toEqual([
    { at: '/quietHours/to', message: 'must not be the same time as from' },
    { at: '/quietHours/timeZone', message: expect.stringContaining('Europe/Berlin') },
  ]);
});

import { toBody, toValues } from './limit-values.ts';

const limits = {
  startsPerHour: 1_000,
  prefixes: [
    { prefix: '+49', startsPerHour: 5, guarded: true, heldUntil: null },
    { prefix: '+44', startsPerHour: null, guarded: false, heldUntil: '2026-01-31T13:00:00.000Z' },
  ],
};

test('what was not changed is sent as it was', () => {
  expect(toBody(toValues(limits))).toEqual({
    startsPerHour: 1_000,
    prefixes: [
      { prefix: '+49', startsPerHour: 5, guarded: true },
      { prefix: '+44', startsPerHour: null, guarded: false },
    ],
  });
});

test('a release concerns its prefix only, and an empty limit is the default', () => {
  const values = { ...toValues(limits), startsPerHour: '' };
  expect(toBody(values, '+44')).toEqual({
    prefixes: [
      { prefix: '+49', startsPerHour: 5, guarded: true },
      { prefix: '+44', startsPerHour: null, guarded: false, held: false },
    ],
  });
});

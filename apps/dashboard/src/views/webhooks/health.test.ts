import { type Health, healthAdvice } from './health.ts';

const well: Health = {
  isActive: true,
  state: 'healthy',
  failureCount: 0,
  lastTriggeredAt: '2026-01-31T09:30:00.000Z',
  disabledReason: null,
};

test('gives no advice about a healthy webhook', () => {
  expect(healthAdvice(well)).toBeNull();
});

test.each([
  ['Not used yet', { lastTriggeredAt: null }],
  ['Retrying', { failureCount: 2 }],
  ['Failing', { state: 'failing', failureCount: 5 }],
  ['Disabled', { isActive: false, state: 'disabled' }],
  [
    'Disabled by Notify',
    { isActive: false, state: 'disabled', disabledReason: 'It responded with 410 Gone.' },
  ],
] as const)('says “%s”', (title, change) => {
  expect(healthAdvice({ ...well, ...change })).toMatchObject({ title });
});

test('counts the failures, and gives the service’s own reason', () => {
  expect(healthAdvice({ ...well, failureCount: 1 })?.text).toMatch(/^The last attempt failed/);
  expect(healthAdvice({ ...well, state: 'failing', failureCount: 7 })?.text).toMatch(/^The last 7 attempts/);
  const disabled = { ...well, isActive: false, disabledReason: 'It responded with 410 Gone.' };
  expect(healthAdvice(disabled)?.text).toMatch(/^It responded with 410 Gone\. Fix/);
});

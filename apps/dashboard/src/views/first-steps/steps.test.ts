import { accountToTry, stepsFor } from './steps.ts';

const sandbox = { provider: 'sandbox', channel: 'sms', isDefault: true } as const;
const twilio = { provider: 'twilio', channel: 'sms', isDefault: true } as const;
const names = (accounts: Parameters<typeof stepsFor>[0]) => stepsFor(accounts).map(({ name }) => name);
const aboutSending = (accounts: Parameters<typeof stepsFor>[0]) =>
  stepsFor(accounts).find(({ name }) => name === 'send')?.about;

test('with the sandbox one sends first and connects a channel last; without any account the other way round', () => {
  expect(names([sandbox])).toEqual(['key', 'send', 'webhook', 'connect']);
  expect(names([])).toEqual(['connect', 'key', 'send', 'webhook']);
});

test('only a message of a real account is said to arrive', () => {
  expect(aboutSending([sandbox])).toContain('nothing reaches a phone');
  expect(aboutSending([{ ...sandbox, isDefault: false }, twilio])).toContain('your own number');
});

test('the sample sends from the default for SMS', () => {
  expect(accountToTry([{ ...sandbox, isDefault: false }, twilio])).toBe(twilio);
  expect(accountToTry([])).toBeNull();
});

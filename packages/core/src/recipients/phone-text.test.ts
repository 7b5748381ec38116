import { plainPhone } from './phone-text.ts';

test.each([
  ['+1 (415) 555-0123', '+14155550123'],
  [' +14155550123 ', '+14155550123'],
  ['1 415.555.0123', '14155550123'],
  ['+49 (0)170 / 123 45-67', '+491701234567'],
  ['0049 170 1234567', '+491701234567'],
  ['(415) 555\u20110123', '4155550123'],
  ['+44\u00a020\u00a07946\u00a00018', '+442079460018'],
])('%j is the number %s', (typed, plain) => {
  expect(plainPhone(typed)).toBe(plain);
});

test.each(['-1001234567890', '@my_channel', '123456', 'ACME 24/7', '1-2', '', '+'])(
  '%j is left as it is',
  (typed) => {
    expect(plainPhone(typed)).toBe(typed);
  },
);

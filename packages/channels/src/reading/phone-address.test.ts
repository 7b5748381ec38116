import { phoneAddress, uncertainPhoneAddress } from './phone-address.ts';

test.each([
  ['+4915112345678', '+4915112345678'],
  ['4915112345678', '+4915112345678'],
  ['004915112345678', '+4915112345678'],
  [' +49 (151) 123-45678 ', '+4915112345678'],
  ['015112345678', '015112345678'],
  ['12345', '12345'],
  ['My Shop', 'My Shop'],
  ['1'.repeat(16), '1'.repeat(16)],
  ['', ''],
])('%j is %j', (written, address) => {
  expect(phoneAddress(written)).toBe(address);
});

test.each([
  ['+4915112345678', '+4915112345678'],
  ['004915112345678', '+4915112345678'],
  [' +49 (151) 123-45678 ', '+4915112345678'],
  ['(+49) 151 12345678', '+4915112345678'],
  ['1512345678', 'local:1512345678'],
  [' 151 234-5678', 'local:1512345678'],
  ['015112345678', '015112345678'],
  ['12345', '12345'],
  ['My Shop', 'My Shop'],
])('if its country is uncertain, %j is %j', (written, address) => {
  expect(uncertainPhoneAddress(written)).toBe(address);
});

import { weaknessOf } from './weak-password.ts';

const owner = { name: 'Grace Hopper', email: 'ghopper1906@example.com' };

test.each([
  'password',
  'PassWord',
  ' password ',
  'Password123!',
  'ｐａｓｓｗｏｒｄ',
  '12345678',
  'qwertyuiop',
  '00000000',
])('%j is a common password', (password) => {
  expect(weaknessOf(password, owner)).toBe('must not be a common password');
});

test.each([' '.repeat(8), '\t\n \u00a0\u2003\u3000  ', '\u200b'.repeat(8)])('%j is blank', (password) => {
  expect(weaknessOf(password, owner)).toBe('must not be blank');
});

test.each(['Grace Hopper', 'grace hopper', 'ghopper1906', 'GHopper1906@Example.com'])(
  '%j is told by the name or the email address',
  (password) => {
    expect(weaknessOf(password, owner)).toBe('must not be the name or the email address');
  },
);

test.each(['correct horse battery', 'password of mine', '        x', 'x'.repeat(72), 'grace hopper 1906'])(
  '%j may be a password',
  (password) => {
    expect(weaknessOf(password, owner)).toBeNull();
  },
);

test('a name that is blank makes no other password weak', () => {
  expect(weaknessOf('correct horse', { name: ' ', email: '@' })).toBeNull();
});

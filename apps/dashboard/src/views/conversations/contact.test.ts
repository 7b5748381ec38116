import { contactAddress, contactName, writerName } from './contact.ts';

const to = '+4915112345678';

test('a contact is shown by name, else by username, else by address', () => {
  expect(contactName({ to, contact: { name: 'Mia', username: 'mia' } })).toBe('Mia');
  expect(contactName({ to, contact: { name: ' ', username: 'mia' } })).toBe('@mia');
  expect(contactName({ to, contact: {} })).toBe(to);
  expect(contactName({ to, contact: null })).toBe(to);
});

test('the address is shown beside a name only', () => {
  expect(contactAddress({ to, contact: { name: 'Mia' } })).toBe(to);
  expect(contactAddress({ to, contact: null })).toBeNull();
});

test('in a group each message names its writer', () => {
  const group = { to: '-1001', contact: { name: 'Bakery' } };
  expect(writerName({ contact: { name: 'Jonas' }, from: '-1001' }, group)).toBe('Jonas');
  expect(writerName({ contact: null, from: '-1001' }, group)).toBe('Bakery');
});

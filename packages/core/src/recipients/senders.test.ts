import { chooseSender } from './senders.ts';

const settings = {
  from: 'Shop',
  senders: [
    { prefix: '+1', from: '+14155550123' },
    { prefix: '+49', from: 'Laden' },
    { prefix: '+1787', from: '+17875550123' },
    { prefix: '+5411', from: 'Tienda' },
  ],
};

test.each([
  ['+4915112345678', 'Laden', '+49'],
  ['+14155550199', '+14155550123', '+1'],
  ['+17875550199', '+17875550123', '+1787'],
  ['+447700900123', 'Shop', null],
  // Both spellings of a mobile number in Buenos Aires.
  ['+5491123456789', 'Tienda', '+5411'],
  ['+541123456789', 'Tienda', '+5411'],
  ['1415', 'Shop', null],
])('%s gets its text from %s, by %s', (to, from, prefix) => {
  expect(chooseSender(settings, to)).toMatchObject({ from, prefix });
});

test('the order of the prefixes does not matter', () => {
  const reversed = { ...settings, senders: settings.senders.toReversed() };
  expect(chooseSender(reversed, '+17875550199')).toMatchObject({ prefix: '+1787' });
});

test('without prefixes the default is the sender, if there is one', () => {
  expect(chooseSender({ from: 'Shop' }, '+4915112345678')).toEqual({ from: 'Shop', prefix: null });
  expect(chooseSender({ from: undefined, senders: [] }, '+4915112345678')).toEqual({
    from: undefined,
    prefix: null,
  });
});

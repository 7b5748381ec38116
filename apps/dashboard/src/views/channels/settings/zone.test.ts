import { readZone, writeZone } from './zone.ts';

test.each([
  ['Europe/Berlin', { byRecipient: false, name: 'Europe/Berlin' }],
  [
    { recipient: true, fallback: 'Asia/Tokyo' },
    { byRecipient: true, name: 'Asia/Tokyo' },
  ],
])('the zone %j is shown, and sent back as it was', (stored, choice) => {
  const value = writeZone(stored);
  expect(readZone(value)).toEqual({ choice, setting: stored });
});

test('without a zone there is no setting', () => {
  expect(writeZone(undefined)).toBe('');
  expect(readZone('').setting).toBeUndefined();
  expect(readZone(writeZone({ recipient: true, fallback: '' }))).toEqual({
    choice: { byRecipient: true, name: '' },
    setting: undefined,
  });
});

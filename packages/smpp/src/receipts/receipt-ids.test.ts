import { findReceiptIds, idKey, keyOfReceipt, keysOfReceipt } from './receipt-ids.ts';

test('ids that differ in case, spaces and leading zeros are the same', () => {
  expect(['00A1b', ' a1B', 'a1b'].map(idKey)).toEqual(['a1b', 'a1b', 'a1b']);
  expect(['0', '000', '', '16FD-8baf'].map(idKey)).toEqual(['0', '0', '', '16fd-8baf']);
});

test.each([
  ['hex-to-dec', '0000000511', '1ff'],
  ['dec-to-hex', '000001FF', '511'],
  ['same', '000001FF', '1ff'],
  ['hex-to-dec', '1ff', null],
  ['dec-to-hex', '16fd2706-8baf', null],
  ['hex-to-dec', '340282366920938463463374607431768211455', 'f'.repeat(32)],
  ['dec-to-hex', 'f'.repeat(32), '340282366920938463463374607431768211455'],
] as const)('%s finds %s as %s', (rule, id, key) => {
  expect(keyOfReceipt(id, rule)).toBe(key);
});

test('the keys of a receipt, each once', () => {
  expect(keysOfReceipt('0511')).toEqual([
    { key: '511', rules: ['same'] },
    { key: '1ff', rules: ['hex-to-dec'] },
    { key: '1297', rules: ['dec-to-hex'] },
  ]);
  expect(keysOfReceipt('7')).toEqual([{ key: '7', rules: ['same', 'hex-to-dec', 'dec-to-hex'] }]);
  expect(keysOfReceipt('x-7')).toEqual([{ key: 'x-7', rules: ['same'] }]);
});

test('an account whose answers are hexadecimal and whose receipts are decimal is found out by three receipts', () => {
  const sent = new Set([0xa1f, 0xa20, 0xa21].map((id) => idKey(id.toString(16).padStart(8, '0'))));
  const receipts = [0xa1f, 0xa20, 0xa21].map((id) =>
    keysOfReceipt(String(id))
      .filter(({ key }) => sent.has(key))
      .flatMap(({ rules }) => rules),
  );
  expect(receipts).toEqual([['hex-to-dec'], ['hex-to-dec'], ['hex-to-dec']]);
  expect(findReceiptIds(receipts)).toBe('hex-to-dec');
});

test.each([
  ['two of three', [['dec-to-hex'], [], ['dec-to-hex']], 'dec-to-hex'],
  ['two receipts', [['same'], ['same']], null],
  ['one of three', [['same'], [], []], null],
  ['three that differ', [['same'], ['hex-to-dec'], ['dec-to-hex']], null],
  ['ids of one digit', Array(3).fill(['same', 'hex-to-dec', 'dec-to-hex']), null],
  ['one by accident', [['same', 'hex-to-dec'], ['hex-to-dec'], ['same', 'hex-to-dec']], 'hex-to-dec'],
  [
    'a change, once two follow it',
    [['same'], ['same'], ['same'], ['hex-to-dec'], ['hex-to-dec']],
    'hex-to-dec',
  ],
] as const)('found out by %s', (_, receipts, rule) => {
  expect(findReceiptIds(receipts)).toBe(rule);
});

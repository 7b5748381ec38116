import { outcomeOfAck } from './ack.ts';

test('an answer without error is an acceptance', () => {
  expect(outcomeOfAck({ error: null }, '3EB0', 1)).toEqual({ kind: 'accepted', externalId: '3EB0' });
});

test('463 is final at once', () => {
  expect(outcomeOfAck({ error: '463' }, '3EB0', 1)).toMatchObject({
    kind: 'rejected',
    errorCode: 'account-restricted',
    providerCode: '463',
  });
});

test('479 and unknown errors are tried once more, then final', () => {
  expect(outcomeOfAck({ error: '479' }, '3EB0', 1)).toMatchObject({ kind: 'retry', afterMs: 5_000 });
  expect(outcomeOfAck({ error: '499' }, '3EB0', 1)).toMatchObject({ kind: 'retry' });
  expect(outcomeOfAck({ error: '499' }, '3EB0', 2)).toMatchObject({ kind: 'rejected', providerCode: '499' });
});

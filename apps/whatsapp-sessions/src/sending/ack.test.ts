import { outcomeOfAck, outcomeOfQuery, queryErrorOf } from './ack.ts';

test('an answer without an error means that the message was accepted', () => {
  expect(outcomeOfAck({ error: null }, '3EB0', 1)).toEqual({ kind: 'accepted', externalId: '3EB0' });
});

test('463 is final at once', () => {
  expect(outcomeOfAck({ error: '463' }, '3EB0', 1)).toMatchObject({
    kind: 'rejected',
    errorCode: 'account-restricted',
    providerCode: '463',
  });
});

test('479 is retried once with a fresh device list, then final', () => {
  expect(outcomeOfAck({ error: '479' }, '3EB0', 1)).toMatchObject({ kind: 'retry', afterMs: 5_000 });
  expect(outcomeOfAck({ error: '479' }, '3EB0', 2)).toMatchObject({ kind: 'rejected', providerCode: '479' });
});

test.each(['429', '500', '502', '503', '552'])('%s holds the account, however often it comes', (error) => {
  for (const attempt of [1, 2, 100])
    expect(outcomeOfAck({ error }, '3EB0', attempt)).toMatchObject({ kind: 'throttled', scope: 'account' });
  expect(outcomeOfQuery(Number(error), 100)).toMatchObject({ kind: 'throttled', scope: 'account' });
});

test.each(['400', '406', '487', '491', '550'])(
  '%s is final: the same stanza would be refused again',
  (error) => {
    expect(outcomeOfAck({ error }, '3EB0', 1)).toMatchObject({ kind: 'rejected', providerCode: error });
  },
);

test.each(['404', '477', 'what'])('%s, an unknown code, is tried five times with growing waits', (error) => {
  const waits = [1, 2, 3, 4].map((attempt) => outcomeOfAck({ error }, '3EB0', attempt));
  expect(waits).toMatchObject(
    [10_000, 20_000, 40_000, 80_000].map((afterMs) => ({ kind: 'retry', afterMs })),
  );
  expect(outcomeOfAck({ error }, '3EB0', 5)).toMatchObject({ kind: 'rejected', providerCode: error });
});

test('a query that is refused for an unknown reason is tried five times', () => {
  expect(outcomeOfQuery(400, 4)).toMatchObject({ kind: 'retry' });
  expect(outcomeOfQuery(400, 5)).toMatchObject({ kind: 'rejected', providerCode: '400' });
});

test('reads the code of a refused query from the error that Baileys throws, and none from other errors', () => {
  expect(queryErrorOf(Object.assign(new Error('rate-overlimit'), { data: 429 }))).toBe(429);
  expect(queryErrorOf(Object.assign(new Error('Timed Out'), { data: { stack: '' } }))).toBeNull();
  expect(queryErrorOf(undefined)).toBeNull();
});

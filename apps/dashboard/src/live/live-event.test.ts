import { isSameAddress, readLiveEvent } from './live-event.ts';

test('reads the body of an event, which is a text', () => {
  const body = {
    event: 'contact.paired',
    messageId: null,
    channelAccountId: '0190d5a4-0000-7000-8000-000000000000',
    to: '5821',
    reference: 'order-7',
  };
  expect(readLiveEvent(JSON.stringify({ headers: {}, body: JSON.stringify(body) }))).toEqual({
    name: 'contact.paired',
    messageId: null,
    accountId: '0190d5a4-0000-7000-8000-000000000000',
    from: null,
    to: '5821',
    reference: 'order-7',
  });
});

test('anything else is no event', () => {
  for (const data of ['', '1', 'null', '{}', '{"body":"{"}', '{"body":"{}"}'])
    expect(readLiveEvent(data)).toBeNull();
});

test('a number is the same with and without its plus', () => {
  expect(isSameAddress('+49 151 (1)', '491511')).toBe(true);
  expect(isSameAddress('491511', '491512')).toBe(false);
  expect(isSameAddress(null, null)).toBe(false);
});

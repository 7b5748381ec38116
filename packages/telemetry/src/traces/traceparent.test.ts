import { partsOf, readTraceparent, writeTraceparent } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test.each([
  ['sampled', `00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`],
  ['not sampled', `00-${traceId}-${spanId}-00`, `00-${traceId}-${spanId}-00`],
  ['with another flag', `00-${traceId}-${spanId}-03`, `00-${traceId}-${spanId}-01`],
  ['of a later version', `cc-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`],
  ['of a later version with more', `cc-${traceId}-${spanId}-01-what`, `00-${traceId}-${spanId}-01`],
])('a traceparent is taken: %s', (_, header, stored) => {
  expect(readTraceparent(header)).toBe(stored);
});

test.each([
  ['empty', ''],
  ['a later version without a dash', `cc-${traceId}-${spanId}-01what`],
  ['version ff', `ff-${traceId}-${spanId}-01`],
  ['more than version 00 has', `00-${traceId}-${spanId}-01-what`],
  ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['no trace', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['no parent', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['a short trace', `00-${traceId.slice(1)}-${spanId}-01`],
  ['a short parent', `00-${traceId}-${spanId.slice(1)}-01`],
  ['no flags', `00-${traceId}-${spanId}`],
  ['one digit of flags', `00-${traceId}-${spanId}-1`],
  ['two headers', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ['a line more', `00-${traceId}-${spanId}-01\n`],
  ['another form', `${traceId}:${spanId}:0:1`],
])('a traceparent is ignored: %s', (_, header) => {
  expect(readTraceparent(header)).toBeNull();
});

/** The trace id of a message from so many days ago. */
function messageTrace(daysAgo: number): string {
  const ms = Date.now() - daysAgo * 86_400_000;
  return `${ms.toString(16).padStart(12, '0')}7345b6789abcdef01234`;
}

test('nobody writes into the trace of a message by its id', () => {
  for (const daysAgo of [0, 1, 300, -0.5])
    expect(readTraceparent(`00-${messageTrace(daysAgo)}-${spanId}-01`)).toBeNull();
  // Ids of other systems may have the same form, but seldom the same time.
  for (const daysAgo of [800, -3]) {
    const header = `00-${messageTrace(daysAgo)}-${spanId}-01`;
    expect(readTraceparent(header)).toBe(header);
  }
});

test('a request without the header has none', () => {
  expect(readTraceparent(undefined)).toBeNull();
});

test('the parts of a traceparent are those it was written from', () => {
  for (const sampled of [true, false])
    expect(partsOf(writeTraceparent({ traceId, spanId }, sampled))).toEqual({ traceId, spanId, sampled });
});

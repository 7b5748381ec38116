import { randomBytes } from 'node:crypto';
import { originOf } from './origin.ts';
import { state } from './state.ts';
import { traceOfMessage } from './trace.ts';

afterEach(() => {
  state.ratio = 0;
  state.record = null;
});

/** A UUID of version 7, whose last 62 bits are random (RFC 9562, 5.7). */
function newId(): string {
  const hex = randomBytes(16).toString('hex');
  return `019abcde-f012-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}

test('the trace of a message follows from its id alone', () => {
  state.ratio = 1;
  expect(traceOfMessage('019abcde-f012-7345-8678-9abcdef01234', null)).toEqual({
    id: '019abcdef012734586789abcdef01234',
    rootId: '86789abcdef01234',
    sampled: true,
  });
});

test("with the sender's traceparent it is the sender's trace, and the sender decides", () => {
  const id = newId();
  const trace = 'a'.repeat(32);
  state.ratio = 0;
  expect(traceOfMessage(id, `00-${trace}-${'b'.repeat(16)}-01`)).toMatchObject({ id: trace, sampled: true });
  state.ratio = 1;
  expect(traceOfMessage(id, `00-${trace}-${'b'.repeat(16)}-00`)).toMatchObject({ id: trace, sampled: false });
});

test.each([
  [0, 0, 0],
  [0.01, 700, 1_300],
  [0.5, 49_000, 51_000],
  [1, 100_000, 100_000],
])('a ratio of %d samples its share of messages', (ratio, atLeast, atMost) => {
  state.ratio = ratio;
  const sampled = Array.from({ length: 100_000 }, newId).filter((id) => traceOfMessage(id, null).sampled);
  expect(sampled.length).toBeGreaterThanOrEqual(atLeast);
  expect(sampled.length).toBeLessThanOrEqual(atMost);
});

test('a request that makes nothing sampled is not recorded, whatever its sender wishes', () => {
  const recorded: unknown[] = [];
  state.record = (span) => recorded.push(span);
  state.ratio = 0;
  const refused = originOf(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
  refused.end('request', { beganAt: 0 });
  const unsampled = originOf(undefined);
  unsampled.adopt([traceOfMessage(newId(), null)]);
  unsampled.end('request', { beganAt: 0 });
  expect(recorded).toEqual([]);
  expect([refused.traceId, unsampled.traceId]).toEqual([null, null]);
});

import { type AttemptContext, decide, decideWithoutReceipt, type UnknownRules } from './decide.ts';
import type { Outcome } from './outcome.ts';

const first: AttemptContext = { attempts: 1, resends: 0, part: 0, parts: 1, msToExpiry: 3_600_000 };
const plain: UnknownRules = {
  repeatIsSafe: false,
  reportsBack: false,
  policy: 'at-least-once',
  receiptWaitMs: 120_000,
};
const most = (): number => 1 - Number.EPSILON;

const outcome = (
  outcomeOf: Outcome,
  context: Partial<AttemptContext> = {},
  rules: Partial<UnknownRules> = {},
) => decide(outcomeOf, { ...first, ...context }, { ...plain, ...rules }, most);

const accepted: Outcome = { kind: 'accepted', externalId: 'x' };
const retry: Outcome = { kind: 'retry', errorCode: 'provider-error', text: '500' };
const unknown: Outcome = { kind: 'unknown', text: 'timeout' };

test('an accepted message is sent once its last part is accepted', () => {
  expect(outcome(accepted)).toEqual({ kind: 'sent' });
  expect(outcome(accepted, { part: 0, parts: 3 })).toEqual({ kind: 'next-part' });
  expect(outcome(accepted, { part: 2, parts: 3 })).toEqual({ kind: 'sent' });
});

test('rejected fails at once with its code', () => {
  const rejected: Outcome = { kind: 'rejected', errorCode: 'invalid-recipient', text: 'no such number' };
  expect(outcome(rejected)).toEqual({
    kind: 'failed',
    errorCode: 'invalid-recipient',
    text: 'no such number',
  });
});

test.each([
  [1, 2_000],
  [2, 8_000],
  [3, 32_000],
  [5, 512_000],
  [6, 600_000],
  [50, 600_000],
])('attempt %i is tried again within %i ms', (attempts, ceiling) => {
  expect(outcome(retry, { attempts })).toEqual({ kind: 'retry', afterMs: ceiling });
});

test("the provider's wish is honoured, up to an hour", () => {
  expect(outcome({ ...retry, afterMs: 90_000 })).toEqual({ kind: 'retry', afterMs: 90_000 });
  const long = outcome({ ...retry, afterMs: 10 ** 12 });
  expect(long).toEqual({ kind: 'retry', afterMs: 3_600_000 });
});

test('no wait after an answer is shorter than a second', () => {
  const never = { ...retry, afterMs: 0 };
  expect(decide(never, first, plain, () => 0)).toEqual({ kind: 'retry', afterMs: 1_000 });
  expect(decide(retry, first, plain, () => 0)).toEqual({ kind: 'retry', afterMs: 1_000 });
  for (const scope of ['account', 'recipient'] as const)
    expect(outcome({ kind: 'throttled', afterMs: 0, scope, text: 'slow down' })).toMatchObject({
      afterMs: 1_000,
    });
});

test('a throttle pauses the account, or only the recipient', () => {
  const text = 'slow down';
  expect(outcome({ kind: 'throttled', afterMs: 3_000, scope: 'account', text })).toEqual({
    kind: 'pause-account',
    afterMs: 3_000,
    text,
  });
  expect(outcome({ kind: 'throttled', afterMs: 3_000, scope: 'recipient', text })).toEqual({
    kind: 'pause-recipient',
    afterMs: 3_000,
  });
});

test('a broken connection breaks the account', () => {
  expect(outcome({ kind: 'connection-broken', text: 'revoked' })).toEqual({
    kind: 'break-account',
    text: 'revoked',
  });
});

test('an unknown outcome is repeated if that is safe, and is then not marked as a possible duplicate', () => {
  expect(outcome(unknown, {}, { repeatIsSafe: true })).toMatchObject({
    kind: 'resend',
    possibleDuplicate: false,
  });
});

test('an unknown outcome waits for a receipt if one may come', () => {
  expect(outcome(unknown, {}, { reportsBack: true })).toEqual({ kind: 'await-receipt', afterMs: 120_000 });
});

test('without a receipt the policy decides: sent once more and marked, or failed', () => {
  expect(outcome(unknown)).toEqual({ kind: 'resend', afterMs: 0, possibleDuplicate: true });
  expect(outcome(unknown, { resends: 1 })).toMatchObject({ kind: 'failed', errorCode: 'outcome-unknown' });
  expect(outcome(unknown, {}, { policy: 'at-most-once' })).toMatchObject({ errorCode: 'outcome-unknown' });
  expect(decideWithoutReceipt({ ...first, msToExpiry: 0 }, plain)).toMatchObject({
    errorCode: 'outcome-unknown',
  });
});

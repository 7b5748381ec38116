import type { ObjectFailure } from './object-failure.ts';
import { createSilenceGuard } from './silence-guard.ts';

const silent: ObjectFailure = { failure: 'away', silent: true, text: 'nothing came' };
const refused: ObjectFailure = { failure: 'away', text: 'it answered 503 SlowDown' };

/** A guard that rests for 10 s, with a clock of the test and requests that end when the test says so. */
function setting() {
  let nowMs = 0;
  const guard = createSilenceGuard(10_000, () => nowMs);
  const asked: ((failure: ObjectFailure | null) => void)[] = [];
  return {
    asked,
    pass: (ms: number) => void (nowMs += ms),
    ask: () => guard(() => new Promise((resolve) => void asked.push(resolve))),
  };
}

test('while the store answers, all requests go at once', async () => {
  const { ask, asked } = setting();
  const all = [ask(), ask(), ask()];
  expect(asked).toHaveLength(3);
  asked[0]!(null);
  asked[1]!(refused);
  asked[2]!({ failure: 'missing', text: 'it answered 404' });
  expect(await Promise.all(all)).toMatchObject([null, refused, { failure: 'missing' }]);
  void ask();
  expect(asked).toHaveLength(4);
});

test('after silence nothing is asked for a while, and then one request at a time', async () => {
  const { ask, asked, pass } = setting();
  const first = ask();
  asked[0]!(silent);
  expect(await first).toBe(silent);
  pass(9_999);
  expect(await ask()).toMatchObject({ failure: 'away', silent: true });
  pass(1);
  const trial = ask();
  expect(await ask()).toMatchObject({ failure: 'away', silent: true });
  expect(asked).toHaveLength(2);
  asked[1]!(silent);
  await trial;
  expect(await ask()).toMatchObject({ silent: true });
  pass(10_000);
  const another = ask();
  asked[2]!(refused);
  expect(await another).toBe(refused);
  void ask();
  void ask();
  expect(asked).toHaveLength(5);
});

test('a request that throws while it tries makes room for the next', async () => {
  let nowMs = 0;
  const guard = createSilenceGuard(10_000, () => nowMs);
  await guard(async () => silent);
  nowMs += 10_000;
  await expect(guard(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
  expect(await guard(async () => null)).toBeNull();
});

import { ApiProblem, Unreachable } from './failure.ts';
import { createQueryClient } from './query-client.ts';
import { waitMs } from './retry.ts';

const busy = (retryAfterSeconds: number | null): ApiProblem =>
  new ApiProblem(
    { type: '/problems/unavailable', title: 'Busy', status: 503, code: 'unavailable', requestId: 'r1' },
    retryAfterSeconds,
  );

test('the waits double up to 15 s', () => {
  expect([0, 1, 2, 3, 4, 60].map((failures) => waitMs(failures, new Unreachable()))).toEqual([
    1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
  ]);
});

test('a call is not repeated before the time that Retry-After names, but within an hour', () => {
  expect([null, 2, 30, 1e9].map((seconds) => waitMs(1, busy(seconds)))).toEqual([
    2_000, 2_000, 30_000, 3_600_000,
  ]);
});

test('a read is repeated for ever while the service is away or overloaded, and not once it is refused', () => {
  const retry = createQueryClient().getDefaultOptions().queries?.retry as (
    failures: number,
    error: Error,
  ) => boolean;
  const refused = new ApiProblem({
    type: '/problems/not-found',
    title: 'Not found',
    status: 404,
    code: 'not-found',
    requestId: 'r1',
  });
  expect([busy(1), new Unreachable(), refused].map((error) => retry(1_000, error))).toEqual([
    true,
    true,
    false,
  ]);
});

import { ApiProblem, Unreachable } from '../api/failure.ts';
import { outageInWords } from './outage-words.ts';

const problem = { type: '/problems/unavailable', title: 'Temporarily unavailable', requestId: 'r1' };

test('says what is known: no answer, the status of a proxy, or the words of the api and how long it asks to wait', () => {
  const busy = new ApiProblem({ ...problem, status: 503, code: 'unavailable' }, 12);
  const fast = new ApiProblem({ ...problem, status: 429, code: 'rate-limited', title: 'Too many requests' });
  expect(
    ['unanswered' as const, new Unreachable(), new Unreachable(null, 502), busy, fast].map(outageInWords),
  ).toEqual([
    'Notify has not answered yet. Still waiting…',
    'Cannot reach Notify. Retrying…',
    'Cannot reach Notify. The proxy in front of it answers 502. Retrying…',
    'Notify cannot answer now: Temporarily unavailable. Notify asks to wait 12 s. Then this page retries.',
    'Too many requests. Retrying…',
  ]);
});

import type { Problem } from '@notify/sdk';
import { ApiProblem, failureOf, fieldErrors, isPassing, Unreachable } from './failure.ts';

const problem: Problem = {
  type: '/problems/invalid-request',
  title: 'The request is not valid',
  status: 422,
  code: 'invalid-request',
  requestId: 'r1',
  errors: [
    { at: 'body/name', message: 'is required' },
    { at: 'body/settings/pass~1word', message: 'is too short' },
    { at: 'body/name', message: 'is something else' },
    { at: 'query/limit', message: 'is no field of a form' },
  ],
};

test('lists the first error of each field of the body', () => {
  expect(fieldErrors(new ApiProblem(problem))).toEqual({
    name: 'Is required',
    'settings.pass/word': 'Is too short',
  });
  expect(fieldErrors(new Unreachable())).toEqual({});
});

test('errors stand in the order of the api, and the first of a field counts', () => {
  const errors = ['body/to', 'body/name', 'body/to'].map((at, place) => ({ at, message: `error ${place}` }));
  expect(Object.entries(fieldErrors(new ApiProblem({ ...problem, errors })))).toEqual([
    ['to', 'Error 0'],
    ['name', 'Error 1'],
  ]);
});

test('errors can be told by other names', () => {
  const moved = new ApiProblem(
    { ...problem, errors: [{ at: 'body/to', message: 'is wrong' }] },
    7,
  ).withErrorsAt((at) => `${at}/0`);
  expect(fieldErrors(moved)).toEqual({ 'to.0': 'Is wrong' });
  expect(moved).toMatchObject({ code: 'invalid-request', retryAfterSeconds: 7, requestId: 'r1' });
});

test('a problem shows its detail rather than its title', () => {
  expect(new ApiProblem(problem).message).toBe('The request is not valid');
  expect(new ApiProblem({ ...problem, detail: 'The name is taken.' }).message).toBe('The name is taken.');
});

test('a refusal by the api becomes a problem, with its Retry-After', async () => {
  const body = JSON.stringify({ ...problem, status: 429, code: 'rate-limited' });
  const failure = await failureOf(new Response(body, { status: 429, headers: { 'Retry-After': '7' } }));
  expect(failure).toBeInstanceOf(ApiProblem);
  expect(failure).toMatchObject({ status: 429, code: 'rate-limited', retryAfterSeconds: 7, requestId: 'r1' });
  expect(isPassing(failure)).toBe(true);
});

test.each([
  ['1.5', 2],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['', null],
  ['1,5', null],
  ['0x10', null],
  ['Jan 1 2030', null],
])('Retry-After %p is a wait of %p s', async (value, seconds) => {
  const failure = await failureOf(Response.json(problem, { status: 429, headers: { 'Retry-After': value } }));
  expect(failure).toMatchObject({ retryAfterSeconds: seconds });
});

test("a proxy's page, half an answer and a foreign JSON count as no answer", async () => {
  for (const body of ['<h1>Bad gateway</h1>', '{"code":', 'null', '{"error":"x"}']) {
    expect(await failureOf(new Response(body, { status: 502 }))).toBeInstanceOf(Unreachable);
  }
});

test('an error of the caller does not pass by itself', () => {
  expect(isPassing(new ApiProblem(problem))).toBe(false);
  expect(isPassing(new Error('a bug'))).toBe(false);
  expect(isPassing(new Unreachable())).toBe(true);
});

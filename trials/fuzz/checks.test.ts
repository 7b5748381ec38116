import type { Api, Operation } from './api.ts';
import { faultsOf } from './checks.ts';
import { toAnswer } from './client.ts';
import { processFaults } from './logs.ts';
import type { HttpPlan } from './plans/plan.ts';

const operation: Operation = {
  id: 'getThing',
  method: 'GET',
  path: '/things/{id}',
  credential: 'bearer',
  takesTokens: false,
  parameters: [],
  body: null,
};
const plan: HttpPlan = {
  what: 'valid',
  operation,
  method: 'GET',
  path: '/things/1',
  headers: [],
  body: null,
};
const api: Api = {
  operations: [operation],
  faultOf: () => null,
  problemFault: (json) => (typeof json === 'object' ? null : 'no proper problem document'),
};
const rules = { api, markers: ['msg_of_another'] };

const problem = (status: number, changes: object = {}) => ({ status, code: 'x', requestId: 'r', ...changes });
const answer = (
  status: number,
  body: unknown,
  type = status < 400 ? 'application/json' : 'application/problem+json',
) => toAnswer(status, { 'content-type': type, 'x-request-id': 'r' }, Buffer.from(JSON.stringify(body)));

test('what the contract allows is no finding', () => {
  expect(faultsOf(plan, answer(200, { id: 1 }), '', rules)).toEqual([]);
  expect(faultsOf(plan, answer(404, problem(404)), '', rules)).toEqual([]);
});

test.each([
  ['a 500', answer(500, problem(500)), 'answered 500'],
  ['an error that is no problem', answer(400, {}, 'text/html'), 'a 400 of type text/html'],
  ['a problem of another status', answer(404, problem(422)), 'its status is 404 and says 422'],
  [
    'a problem of another request',
    answer(404, problem(404, { requestId: 'q' })),
    'X-Request-Id is not the requestId',
  ],
  ['a stack', answer(404, problem(404, { detail: 'in file.ts:3' })), 'shows the inside: .ts:3'],
  ['SQL', answer(404, problem(404, { detail: 'select 1 from x' })), 'shows the inside: select 1 from'],
  [
    'what is another tenant’s',
    answer(200, { id: 'msg_of_another' }),
    "shows another tenant's msg_of_another",
  ],
])('%s is found', (_what, seen, fault) => {
  expect(faultsOf(plan, seen, '', rules)).toEqual([fault]);
});

test('what the request itself said may come back', () => {
  expect(faultsOf(plan, answer(200, { id: 'msg_of_another' }), 'GET /msg_of_another', rules)).toEqual([]);
});

test('where a 401 or a 404 must come, nothing else will do, but a send may refuse the account with 422', () => {
  const foreign = { ...plan, mustBe: 404 } as const;
  expect(faultsOf(foreign, answer(200, {}), '', rules)).toEqual(['answered 200 in place of 404']);
  const send = { ...foreign, method: 'POST', path: '/v1/notify/sms/text' } as const;
  expect(faultsOf(send, answer(422, problem(422)), '', rules)).toEqual([]);
});

test('the death of a process, an error, a secret and a stray line in its log are found', () => {
  const lines = [
    '{"level":"info","msg":"fine"}',
    '{"level":"error","msg":"x"}',
    '{"level":"info","msg":"hunter2"}',
    'Error: x',
  ];
  const faults = processFaults([{ name: 'api', pid: 1, lines, isAlive: () => false }], ['hunter2']);
  expect(faults.map((fault) => fault.split(': ').slice(0, 2).join(': '))).toEqual([
    expect.stringContaining('api (pid 1) has died'),
    'log of api: an error',
    'log of api: a secret',
    'log of api: a line that is no log line',
  ]);
});

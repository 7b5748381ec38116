import { routes } from '../routes.ts';
import { classOf } from './work-class.ts';

const operations = new Map(routes.map((route) => [route.operationId, classOf(route)]));

test.each([
  ['messages.sendText', 'send'],
  ['messages.sendBulk', 'send'],
  ['tenantMessages.send', 'send'],
  ['messages.get', 'look-up'],
  ['messages.list', 'list'],
  ['tenantMessages.list', 'list'],
  ['usage.get', 'list'],
  ['messages.cancel', 'change'],
  ['tenantMessages.getMedia', 'change'],
  ['auth.login', 'sign-in'],
  ['auth.logout', null],
  ['auth.endSession', null],
])('%s is of the class %s', (operationId, work) => {
  expect(operations.get(operationId)).toBe(work);
});

test('every operation that may be refused has a class', () => {
  const always = [...operations].filter(([, work]) => work === null).map(([operationId]) => operationId);
  expect(always.toSorted()).toEqual(['auth.endSession', 'auth.logout']);
});

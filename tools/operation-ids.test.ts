import { routes } from '@notify/api/routes';
import { keyScopes, tokenScopes } from '@notify/contract';
import { type CheckedOperation, idFaults, newLines, readFrozen, scopeFaults } from './operation-ids.ts';

const list: CheckedOperation = {
  operationId: 'messages.list',
  method: 'get',
  path: '/v1/notify/messages',
  credential: 'api-key',
  scope: 'list',
};
const frozen = ['messages.list get /v1/notify/messages'];

test('the operations of the service are those of the list', async () => {
  const published = await readFrozen();
  expect(idFaults(routes, published)).toEqual([]);
  expect(newLines(routes, published)).toEqual([]);
});

test('an operation that stays where it was published has no fault', () => {
  expect(idFaults([list], frozen)).toEqual([]);
  expect(newLines([list], frozen)).toEqual([]);
});

test.each([
  ['renamed', [{ ...list, operationId: 'messages.find' }]],
  ['removed', []],
  ['moved to another path', [{ ...list, path: '/v1/notify/list' }]],
  ['moved to another method', [{ ...list, method: 'post' }]],
])('an operation that was published cannot be %s', (_, operations) => {
  expect(idFaults(operations, frozen)).toEqual([
    'messages.list get /v1/notify/messages: published ids never change, and neither do their method and path',
  ]);
});

test('a new operation is found, so that its id is added on purpose', () => {
  const cancel = { ...list, operationId: 'messages.cancel', method: 'post', path: '/v1/notify/x' };
  expect(newLines([list, cancel], frozen)).toEqual(['messages.cancel post /v1/notify/x']);
});

test.each(['messages', 'messages.list.all', 'Messages.list', 'messages.list_all'])(
  'the id %s is no method of a group',
  (operationId) => {
    expect(idFaults([{ ...list, operationId }], [])).toEqual([
      `${operationId}: an id is a group and a verb, such as messages.sendText`,
    ]);
  },
);

test('two operations cannot have one id', () => {
  expect(idFaults([list, { ...list, path: '/v1/other' }], [])).toEqual([
    'messages.list: two operations have this id',
  ]);
});

/** An operation for each scope that exists. */
const complete: readonly CheckedOperation[] = [
  ...keyScopes.map((scope) => ({ ...list, scope })),
  ...tokenScopes.map((scope) => ({ ...list, credential: 'bearer' as const, scope })),
];

test('operations that together need every scope have no fault', () => {
  expect(scopeFaults(complete)).toEqual([]);
});

test.each([
  ['api-key', null, 'names no scope of the credential api-key'],
  ['bearer', null, 'names no scope of the credential bearer'],
  ['bearer', 'send', 'names no scope of the credential bearer'],
  ['api-key', 'messages:read', 'names no scope of the credential api-key'],
  ['session', 'messages:read', 'the credential session has no scopes'],
  ['none', 'send', 'the credential none has no scopes'],
] as const)('the credential %s with the scope %s is a fault', (credential, scope, fault) => {
  const operation = { ...list, operationId: 'group.verb', credential, scope };
  expect(scopeFaults([...complete, operation])).toEqual([`group.verb: ${fault}`]);
});

test('a scope that no operation needs is a fault', () => {
  const without = complete.filter(({ scope }) => scope !== 'consent:write');
  expect(scopeFaults(without)).toEqual([
    'consent:write: no operation needs this scope of the credential bearer',
  ]);
});

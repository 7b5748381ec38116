import { ApiProblem, fieldErrors } from '../../api/failure.ts';
import { atGroups } from '../../parts/form/at-groups.ts';
import { keyBody, keyFaults, keyInputs, newKey } from './key-values.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const account = '0198c0de-0000-7000-8000-000000000001';

test('a key without choices sends and retrieves, from every account and address, without an end', () => {
  expect(keyBody({ ...newKey, name: 'shop' }, now)).toEqual({ name: 'shop', scopes: ['send', 'read'] });
});

test('a narrowed key names all that narrows it', () => {
  const values = {
    ...newKey,
    name: 'shop',
    accounts: 'some' as const,
    channelAccountIds: [account],
    rateLimitOverride: 120,
    ends: '90',
    allowedIps: ['203.0.113.0/24'],
  };
  expect(keyBody(values, now)).toEqual({
    name: 'shop',
    scopes: ['send', 'read'],
    channelAccountIds: [account],
    rateLimitOverride: 120,
    expiresAt: '2026-05-30T12:00:00.000Z',
    allowedIps: ['203.0.113.0/24'],
  });
  // Chosen accounts stay in the form while all are wanted.
  expect(keyBody({ ...values, accounts: 'all' }, now)).not.toHaveProperty('channelAccountIds');
});

test('a name, a scope and one of some accounts are asked for, in the order of the form', () => {
  const values = { ...newKey, scopes: [], accounts: 'some' as const, allowedIps: [''] };
  expect(Object.keys(keyFaults(values))).toEqual(['name', 'scopes', 'channelAccountIds', 'allowedIps.0']);
  expect(keyFaults({ ...newKey, name: 'shop' })).toEqual({});
});

test('an error of one account is shown at the accounts, and that of an address at the address', () => {
  const problem = new ApiProblem({
    type: '',
    title: '',
    status: 422,
    code: 'invalid-request',
    requestId: 'req_1',
    errors: [
      { at: 'body/channelAccountIds/1', message: 'no such account' },
      { at: 'body/allowedIps/0', message: 'no address' },
    ],
  });
  const errors = fieldErrors(atGroups(problem));
  expect(errors).toEqual({ channelAccountIds: 'No such account', 'allowedIps.0': 'No address' });
  expect(keyInputs).toEqual(expect.arrayContaining(Object.keys(errors)));
});

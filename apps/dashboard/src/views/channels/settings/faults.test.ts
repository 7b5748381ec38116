import { faultsOf } from './faults.ts';
import { fieldsOf } from './fields.ts';

const fields = fieldsOf({
  properties: {
    accountSid: { type: 'string', title: 'Account SID', examples: ['AC01'] },
    authToken: { type: 'string', title: 'Auth token' },
    from: { type: 'string', title: 'Sender' },
    rate: { type: 'number' },
    senders: {
      type: 'array',
      title: 'Senders',
      items: { properties: { prefix: { type: 'string' }, from: { type: 'string', title: 'Sender' } } },
    },
    headers: { type: 'object', title: 'Headers', patternProperties: { '^.*$': { type: 'string' } } },
    body: { type: 'object', properties: { type: { enum: ['json'] }, template: { type: 'string' } } },
  },
});
const said = (at: string, message: string) => faultsOf(fields, [{ at: `body/settings${at}`, message }]);

test('shows a fault at its field, beginning with its label', () => {
  expect(said('/authToken', 'is required')).toEqual({ '/authToken': 'Auth token is required.' });
});

test('names other fields by their labels', () => {
  expect(said('/from', 'is required, or accountSid, but not both')).toEqual({
    '/from': 'Sender is required, or “Account SID”, but not both.',
  });
});

test.each([
  ['/accountSid', 'must match pattern "^AC$"', 'Account SID has an invalid format. Example: AC01.'],
  ['/authToken', 'must match pattern "^x$"', 'Auth token has an invalid format.'],
  ['/from', 'must NOT have more than 100 characters', 'Sender has more than 100 characters.'],
  ['/rate', 'must be >= 1', 'Rate must be 1 or more.'],
])('at %s, “%s” is said plainly', (at, message, words) => {
  expect(said(at, message)).toEqual({ [at]: words });
});

test('a fault inside a map names its entry', () => {
  expect(said('/headers/X Y', 'is not a valid header name')).toEqual({
    '/headers': 'Headers (X Y) is not a valid header name.',
  });
});

test('a fault in a row names the row and its input', () => {
  expect(said('/senders/1/prefix', 'is the same as in entry 1 of the list')).toEqual({
    '/senders': 'Senders, entry 2: Prefix is the same as in entry 1 of the list.',
  });
  expect(said('/senders/0/from', 'must match pattern "^x$"')).toEqual({
    '/senders': 'Senders, entry 1: Sender has an invalid format.',
  });
});

test('a secret that must be entered again is said at its input, and each entry of a map', () => {
  const message = 'must be entered again, because these settings send it to another address';
  const errors = ['/authToken', '/headers/a', '/headers/b', '/authToken'].map((at) => ({
    at: `body/settings${at}`,
    message,
  }));
  expect(faultsOf(fields, errors)).toEqual({
    '/authToken': `Auth token ${message}.`,
    '/headers': `Headers (a) ${message}. Headers (b) ${message}.`,
  });
});

test('a fault of a whole group is shown in it', () => {
  expect(said('/body', 'must contain {{to}}')).toEqual({
    '/body/template': 'Template must contain {{to}}.',
  });
});

test('returns faults without a field, and ignores errors outside the settings', () => {
  expect(said('/wrong', 'is not a known field')).toEqual({ '': 'wrong is not a known field.' });
  expect(faultsOf(fields, [{ at: 'body/name', message: 'is required' }])).toEqual({});
});

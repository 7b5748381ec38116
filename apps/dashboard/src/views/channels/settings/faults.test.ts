import { faultsOf } from './faults.ts';
import { fieldsOf } from './fields.ts';

const fields = fieldsOf({
  properties: {
    accountSid: { type: 'string', title: 'Account SID', examples: ['AC01'] },
    authToken: { type: 'string', title: 'Auth token' },
    from: { type: 'string', title: 'Sender' },
    rate: { type: 'number' },
    headers: { type: 'object', title: 'Headers', patternProperties: { '^.*$': { type: 'string' } } },
    body: { type: 'object', properties: { type: { enum: ['json'] }, template: { type: 'string' } } },
  },
});
const said = (at: string, message: string) => faultsOf(fields, [{ at: `body/settings${at}`, message }]);

test('a fault lands on its field and begins with its label', () => {
  expect(said('/authToken', 'is required')).toEqual({ '/authToken': 'Auth token is required.' });
});

test('other fields are named as the reader knows them', () => {
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

test('a fault inside a map says where', () => {
  expect(said('/headers/X Y', 'is not a valid header name')).toEqual({
    '/headers': 'Headers (X Y) is not a valid header name.',
  });
});

test('a fault of a whole group is shown in it', () => {
  expect(said('/body', 'must contain {{to}}')).toEqual({
    '/body/template': 'Template must contain {{to}}.',
  });
});

test('what has no field is told all the same, and what is not about the settings is left to others', () => {
  expect(said('/wrong', 'is not a known field')).toEqual({ '': 'wrong is not a known field.' });
  expect(faultsOf(fields, [{ at: 'body/name', message: 'is required' }])).toEqual({});
});

import { fieldsOf } from './fields.ts';
import { layoutOf, shownFields } from './layout.ts';

const gateway = fieldsOf({
  properties: {
    profile: { enum: ['kannel', 'telnyx', 'smsgate'] },
    url: { type: 'string' },
    from: { type: 'string' },
    username: { type: 'string' },
    apiKey: { type: 'string' },
    publicKey: { type: 'string' },
    callbackSignature: {
      type: 'object',
      properties: {
        type: { enum: ['hmac', 'basic'] },
        header: { type: 'string' },
        secret: { type: 'string' },
        password: { type: 'string' },
      },
    },
    method: { enum: ['GET', 'POST'], default: 'POST' },
    body: {
      type: 'object',
      properties: {
        type: { enum: ['query', 'json'] },
        fields: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
        template: { type: 'string' },
      },
    },
    errors: { type: 'array', items: { type: 'object' } },
  },
});
const names = (values: Record<string, string>) =>
  shownFields('http-sms', gateway, values).flatMap(({ name, input }) =>
    input.kind === 'group' ? [name, ...input.fields.map((field) => `${name}.${field.name}`)] : [name],
  );

test('a gateway with a profile hides the fields that the profile sets', () => {
  expect(names({ '/profile': 'kannel' })).toEqual([
    'profile',
    'url',
    'from',
    'username',
    'callbackSignature',
    'callbackSignature.type',
  ]);
  expect(names({ '/profile': 'telnyx' })).toEqual(['profile', 'url', 'from', 'apiKey', 'publicKey']);
  expect(names({ '/profile': 'smsgate' })).toEqual(['profile', 'url', 'username']);
});

test('a signature of callbacks shows what goes with its kind', () => {
  const ofSignature = (type: string) =>
    names({ '/callbackSignature/type': type }).filter((name) => name.startsWith('callbackSignature.'));
  expect(ofSignature('')).toEqual(['callbackSignature.type']);
  expect(ofSignature('hmac')).toEqual([
    'callbackSignature.type',
    'callbackSignature.header',
    'callbackSignature.secret',
  ]);
  expect(ofSignature('basic')).toEqual(['callbackSignature.type', 'callbackSignature.password']);
});

test('a gateway by template shows the body fields for its type', () => {
  expect(names({})).toEqual([
    'profile',
    'url',
    'from',
    'callbackSignature',
    'callbackSignature.type',
    'method',
    'body',
    'body.type',
    'errors',
  ]);
  expect(names({ '/body/type': 'json' })).toContain('body.template');
  expect(names({ '/body/type': 'query' })).toContain('body.fields');
});

test('puts settings with a default, and groups, behind more settings', () => {
  const fields = fieldsOf({
    required: ['token'],
    properties: { token: { type: 'string' }, rate: { type: 'number', default: 1 }, rules: { type: 'array' } },
  });
  const { main, more } = layoutOf('anything', fields);
  expect([main, more].map((list) => list.map(({ name }) => name))).toEqual([['token'], ['rate', 'rules']]);
  expect(layoutOf('http-sms', gateway).more.map(({ name }) => name)).toEqual(['callbackSignature', 'errors']);
});

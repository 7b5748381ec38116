import { createRouter } from './router.ts';

const handle = () => Promise.resolve();
const router = createRouter([
  {
    methods: ['POST'],
    path: '/v1/notify/:channel/text',
    exists: ({ channel }) => channel !== 'fax',
    handle,
  },
  { methods: ['GET', 'HEAD'], path: '/v1/notify/messages/:id', handle },
  { methods: ['GET', 'POST'], path: '/callbacks/:provider/:id', handle },
  { methods: ['GET', 'POST'], path: '/callbacks/:provider/:id/:secret', handle },
]);

test.each([
  ['POST', '/v1/notify/sms/text', '/v1/notify/:channel/text', { channel: 'sms' }],
  ['POST', '/v1/notify/sms/text/', '/v1/notify/:channel/text', { channel: 'sms' }],
  ['POST', '/V1/Notify/SMS/TEXT', '/v1/notify/:channel/text', { channel: 'SMS' }],
  ['POST', '/v1/notify/s%6ds/text', '/v1/notify/:channel/text', { channel: 'sms' }],
  ['POST', '/v1/notify/a%2Fb%25/text', '/v1/notify/:channel/text', { channel: 'a/b%' }],
  ['POST', '/v1/notify/%c3%a9/text', '/v1/notify/:channel/text', { channel: 'é' }],
  ['GET', '/v1/notify/messages/text', '/v1/notify/messages/:id', { id: 'text' }],
  ['HEAD', '/v1/notify/messages/a;b=c', '/v1/notify/messages/:id', { id: 'a;b=c' }],
  ['GET', '/callbacks/twilio/0190-a', '/callbacks/:provider/:id', { provider: 'twilio', id: '0190-a' }],
  [
    'GET',
    '/callbacks/twilio/0190-a/s_-1',
    '/callbacks/:provider/:id/:secret',
    { provider: 'twilio', id: '0190-a', secret: 's_-1' },
  ],
])('%s %s leads to %s', (method, path, pattern, params) => {
  const found = router.find(method, path);
  expect(found?.endpoint.path).toBe(pattern);
  expect({ ...found?.params }).toEqual(params);
});

test('a part of the path may be as long as a request line', () => {
  const id = 'x'.repeat(16_000);
  expect(router.find('GET', `/v1/notify/messages/${id}`)?.params.id).toBe(id);
});

test.each([
  ['GET', '/v1/notify/sms/text'],
  ['POST', '/v1/notify/messages/text'],
  ['HEAD', '/callbacks/twilio/0190/s'],
  ['NOTHING', '/v1/notify/sms/text'],
  ['POST', '/v1/notify/sms/text//'],
  ['POST', '/v1/notify//text'],
  ['POST', '/v1/notify/sms//text'],
  ['POST', '//v1/notify/sms/text'],
  ['POST', '/%761/notify/sms/text'],
  ['POST', '/v1/notify/sms/te%78t'],
  ['POST', '/v1/notify/sms%2Ftext'],
  ['POST', '/v1/notify/%/text'],
  ['POST', '/v1/notify/%E0%A4%A/text'],
  ['GET', '/v1/notify/messages/'],
  ['GET', '/v1/notify/messages//'],
  ['GET', '/callbacks/twilio/0190/s/t'],
  ['GET', '*'],
  ['GET', ''],
  ['GET', '/'],
])('%s %s leads nowhere', (method, path) => {
  expect(router.find(method, path)).toBeNull();
});

test.each([
  ['/v1/notify/sms/text', ['POST']],
  ['/V1/notify/sms/text/', ['POST']],
  ['/v1/notify/messages/one', ['GET', 'HEAD']],
  ['/v1/notify/messages/text', ['GET', 'HEAD']],
  ['/callbacks/twilio/0190/s', ['GET', 'POST']],
  ['/v1/notify/sms/text//', []],
  ['/v1/notify', []],
  ['/v1/notify/fax/text', []],
  ['/v1/notify/%/text', []],
])('%s takes %j', (path, methods) => {
  expect([...router.at(path).keys()]).toEqual(methods);
});

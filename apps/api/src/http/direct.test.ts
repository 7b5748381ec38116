import { direct } from './direct.ts';

/** Which way a request goes, and the parameters it has there. */
function wayOf(method: string, url: string): unknown {
  let way: unknown;
  const handle = () => Promise.resolve();
  const listener = direct(
    [
      { methods: ['POST'], path: '/v1/notify/:channel/text', handle },
      { methods: ['GET', 'POST'], path: '/callbacks/:provider/:id/:secret', readsQuery: true, handle },
    ],
    ({ params, route, originalUrl }) => void (way = { params, route, originalUrl }),
    () => void (way = 'the other way'),
  );
  listener({ method, url } as never, {} as never);
  return way;
}

test('what is written like a route goes straight to it, with its parameters', () => {
  expect(wayOf('POST', '/v1/notify/sms/text')).toEqual({
    params: { channel: 'sms' },
    route: { path: '/v1/notify/:channel/text' },
    originalUrl: '/v1/notify/sms/text',
  });
  expect(wayOf('GET', '/callbacks/twilio/0190-a/s_-1?status=%00')).toEqual({
    params: { provider: 'twilio', id: '0190-a', secret: 's_-1' },
    route: { path: '/callbacks/:provider/:id/:secret' },
    originalUrl: '/callbacks/twilio/0190-a/s_-1?status=%00',
  });
});

test.each([
  ['GET', '/v1/notify/sms/text'],
  ['POST', '/v1/notify/sms/text/'],
  ['POST', '/v1/notify/sms//text'],
  ['POST', '/v1/notify//text'],
  ['POST', '/V1/notify/sms/text'],
  ['POST', '/v1/notify/s%6ds/text'],
  ['POST', '/v1/notify/sms/text?a=1'],
  ['POST', '/v1/notify/sms/text#a'],
  ['POST', 'http://host/v1/notify/sms/text'],
  ['POST', '*'],
  ['HEAD', '/callbacks/twilio/0190/s'],
  ['GET', '/callbacks/twilio/0190'],
])('%s %s goes the other way', (method, url) => {
  expect(wayOf(method, url)).toBe('the other way');
});

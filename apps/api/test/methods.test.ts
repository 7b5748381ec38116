import { once } from 'node:events';
import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { type HttpServer, listen } from '../src/server.ts';
import { routes } from '../src/routes.ts';
import { testApi, type TestApi } from './test-api.ts';

/** What each path says to OPTIONS and to methods that it does not take. */

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const id = '01912d68-783e-7a52-9d3a-6c4f2b1e8a90';

let api: TestApi;
let server: HttpServer;
beforeAll(async () => {
  api = await testApi();
  server = await listen(api.app, '127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await api[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly allow: string | undefined;
  readonly type: string | undefined;
  readonly text: string;
  readonly cors: readonly string[];
}

async function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const asked = send({ host: '127.0.0.1', port: server.port, method, path, headers, agent: false }).end();
  const [response] = await once(asked, 'response');
  return {
    status: response.statusCode,
    allow: response.headers.allow,
    type: response.headers['content-type'],
    text: await text(response),
    cors: Object.keys(response.headers).filter((name) => name.startsWith('access-control-')),
  };
}

/** A path of the pattern that exists. */
function filled(pattern: string): string {
  return pattern.replace(':channel', 'sms').replaceAll(/:\w+/g, id);
}

/** The methods of each path of the reference, HEAD where GET is. */
const documented = [...Map.groupBy(routes, ({ path }) => path)].map(([path, own]) => {
  const taken = own.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  return [filled(path), taken.toSorted().join(', ')] as const;
});

const others: readonly (readonly [string, string])[] = [
  [`/callbacks/http-sms/${id}`, 'GET, HEAD, POST'],
  [`/callbacks/twilio/${id.toUpperCase()}/secret`, 'GET, HEAD, POST'],
  ['/docs', 'GET, HEAD'],
  ['/docs/style.css', 'GET, HEAD'],
  ['/docs/guides', 'GET, HEAD'],
  ['/openapi.json', 'GET, HEAD'],
  ['/problems', 'GET, HEAD'],
  ['/problems/method-not-allowed', 'GET, HEAD'],
  ['/', 'GET, HEAD'],
  ['/login', 'GET, HEAD'],
  ['/messages/msg_1', 'GET, HEAD'],
  ['/healthz', 'GET, HEAD'],
  ['/readyz', 'GET, HEAD'],
  // The last slash is optional, and literal parts are not case-sensitive.
  ['/v1/webhooks/', 'GET, HEAD, POST'],
  ['/V1/Notify/sms/text?x=1', 'POST'],
  // Two patterns match. The one with the literal segment wins.
  ['/v1/notify/messages/text', 'GET, HEAD'],
];

test.each([...documented, ...others])('%s takes %s', async (path, allow) => {
  expect(await ask('OPTIONS', path)).toMatchObject({ status: 204, allow, text: '' });
  const wrong = methods.filter((method) => !allow.split(', ').includes(method));
  for (const method of [...wrong, 'PROPFIND']) {
    const answer = await ask(method, path);
    const said = { status: 405, allow, type: 'application/problem+json; charset=utf-8' };
    expect({ method, ...answer }).toMatchObject({ method, ...said });
    const code = answer.text === '' ? null : (JSON.parse(answer.text) as { code: string }).code;
    expect(code).toBe(method === 'HEAD' ? null : 'method-not-allowed');
  }
});

test.each([
  '/nothing',
  '/v1',
  '/v1/nothing',
  '/v1/notify/sms/text//',
  '/v1/notify/messages/cancel/x',
  '/callbacks',
  `/callbacks/nobody/${id}`,
  '/callbacks/http-sms/x',
  `/callbacks/http-sms/${id}/s/t`,
  '/docs/nothing',
  '/docs/guides/nothing',
  '/problems/nothing',
  '/assets/nothing.js',
  '/nothing.txt',
  '/%E0%A4%A',
])('%s exists for no method', async (path) => {
  for (const method of ['OPTIONS', ...methods, 'PROPFIND']) {
    const answer = await ask(method, path);
    expect({ method, ...answer }).toMatchObject({ method, status: 404, allow: undefined });
  }
});

test('a path whose parts cannot be is no path', async () => {
  for (const method of ['OPTIONS', 'GET', 'DELETE'])
    expect(await ask(method, '/v1/notify/fax/text')).toMatchObject({ status: 404, allow: undefined });
});

test('OPTIONS of the server as a whole names every method', async () => {
  const allow = 'DELETE, GET, HEAD, PATCH, POST, PUT';
  expect(await ask('OPTIONS', '*')).toMatchObject({ status: 204, allow, text: '' });
  expect((await ask('GET', '*')).status).toBe(404);
});

test('a preflight is told the methods, and allowed nothing', async () => {
  const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  expect(await ask('OPTIONS', '/v1/notify/sms/text', preflight)).toMatchObject({
    status: 204,
    allow: 'POST',
    cors: [],
  });
});

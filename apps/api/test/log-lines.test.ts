import { prepareQueue } from '@notify/queue';
import {
  type RunningProcesses,
  startProcesses,
  type TestDatabase,
  testDatabase,
  until,
} from '@notify/testkit';
import request from 'supertest';

let database: TestDatabase;
let processes: RunningProcesses;
let token: string;
let key: string;

beforeAll(async () => {
  database = await testDatabase();
  await prepareQueue({ databaseUrl: database.url, redisUrl: null });
  processes = await startProcesses({
    databaseUrl: database.url,
    redisUrl: null,
    env: { LOG_LEVEL: 'info,accept=debug', BCRYPT_COST: '4' },
  });
  const registered = await call('post', '/auth/register', {
    name: 'Ada',
    email,
    password: 'kept out of logs',
  });
  token = `Bearer ${registered.body.data.accessToken}`;
  const settings = {
    url: 'http://127.0.0.1:1/send',
    profile: 'kannel',
    username: 'u',
    password: 'p',
    from: 'S',
  };
  const account = { provider: 'http-sms', name: 'gateway', settings };
  await manage('post', '/v1/channel-accounts', account);
  key = (await manage('post', '/tenant/api-keys', { name: 'k' })).body.key;
});
afterAll(async () => {
  await processes?.stop();
  await database?.[Symbol.asyncDispose]();
});

const email = 'ada@example.com';
const api = () => processes.api[0]!;
const call = (method: 'get' | 'post', path: string, body?: object, id = 'setup') =>
  request(api().url)[method](path).set('X-Request-Id', id).send(body);
const manage = (method: 'get' | 'post', path: string, body: object) =>
  call(method, path, body).set('Authorization', token).expect(201);
const send = (path: string, body: object, id: string) =>
  call('post', `/v1/notify/sms/${path}`, body, id).set('X-Api-Key', key).expect(202);

type Line = Readonly<Record<string, unknown>>;

/** The lines of a request, once the line of its end is there. */
async function linesOf(requestId: string): Promise<readonly Line[]> {
  const own = (): Line[] =>
    api()
      .lines.map((line) => JSON.parse(line) as Line)
      .filter((line) => line['requestId'] === requestId);
  await until(() => Promise.resolve(own().some((line) => line['event'] === 'request')));
  return own();
}

test('the line of a send names its message, and the workers name it too', async () => {
  const { body, headers } = await send('text', { to: '+15550012345', text: 'private' }, 'order-7');
  expect(headers['x-request-id']).toBe('order-7');
  const messageId = body.id.replace('msg_', '');
  expect(await linesOf('order-7')).toMatchObject([
    { component: 'api', event: 'request', route: '/v1/notify/:channel/text', status: 202, messageId },
  ]);
  const attempts = () => processes.dispatch[0]!.lines.filter((line) => line.includes(messageId));
  await until(() => Promise.resolve(attempts().some((line) => line.includes('"event":"attempt"'))));
});

test('the line of a bulk call tells how many messages it has, and a debug line which', async () => {
  const messages = [1, 2, 3].map((number) => ({ to: `+1555001234${number}`, text: 'private' }));
  const { body } = await send('bulk', { messages }, 'orders-8');
  const messageIds = body.map(({ id }: { id: string }) => id.replace('msg_', ''));
  expect(await linesOf('orders-8')).toMatchObject([
    { level: 'debug', event: 'messages-accepted', messageIds },
    { event: 'request', messages: 3 },
  ]);
});

test('lines of work that goes on after the answer have the id of the request', async () => {
  await call('post', '/auth/password/forgot', { email }, 'forgotten-9').expect(202);
  await until(async () => (await linesOf('forgotten-9')).length === 2);
  expect((await linesOf('forgotten-9')).map((line) => String(line['event'])).toSorted()).toEqual([
    'password-forgotten',
    'request',
  ]);
});

test('errors of a request and their problem have its id', async () => {
  await database.db.schema.alterTable('tenants').renameTo('tenants_away').execute();
  const { body } = await call('post', '/auth/login', { email, password: 'x' }, 'broken-10').expect(500);
  await database.db.schema.alterTable('tenants_away').renameTo('tenants').execute();
  expect(body.requestId).toBe('broken-10');
  expect(await linesOf('broken-10')).toMatchObject([
    { level: 'error', event: 'request-failed', err: { message: expect.any(String) }, route: '/auth/login' },
    { event: 'request', status: 500 },
  ]);
});

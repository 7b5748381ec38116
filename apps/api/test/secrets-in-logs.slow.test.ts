import { randomBytes } from 'node:crypto';
import { prepareQueue } from '@notify/queue';
import {
  patient,
  type Receiver,
  type RunningProcesses,
  startProcesses,
  startReceiver,
  testDatabase,
  type TestDatabase,
} from '@notify/testkit';
import { sql } from 'kysely';
import request, { type Test } from 'supertest';
import { refreshCookie } from './test-api.ts';

/** Everything that may stand in no log, by what it is. */
const secrets = new Map<string, string>();
function secret(what: string, text = randomBytes(18).toString('base64url')): string {
  secrets.set(what, text);
  return text;
}

const masterKey = secret('master key', randomBytes(32).toString('base64'));
const jwtSecret = secret('JWT secret', randomBytes(32).toString('base64'));
const email = 'ada@example.com';
const password = secret('password');
const text = secret('text of a message');
let database: TestDatabase;
let processes: RunningProcesses;
/** Takes webhooks and is an SMS gateway; its answers quote what it was asked. */
let receiver: Receiver;
let token: string;

beforeAll(async () => {
  database = await testDatabase();
  await prepareQueue({ databaseUrl: database.url, redisUrl: null });
  receiver = await startReceiver();
  receiver.behave(({ url, headers, body }) => ({
    status: 500,
    body: `${url} ${JSON.stringify(headers)} ${body.toString()}`,
  }));
  processes = await startProcesses({
    databaseUrl: database.url,
    redisUrl: null,
    env: {
      LOG_LEVEL: 'trace',
      BCRYPT_COST: '4',
      MASTER_KEYS: `1:${masterKey}`,
      JWT_SECRETS: `a:${jwtSecret}`,
      PUBLIC_URL: 'https://notify.example.com',
      PROVIDER_URLS: 'telegram-bot=http://127.0.0.1:1',
    },
  });
});
afterAll(async () => {
  await processes?.stop();
  await receiver?.close();
  await database?.[Symbol.asyncDispose]();
});

const call = (method: 'get' | 'post', path: string): Test =>
  patient(request(processes.api[0]!.url)[method](path));
const manage = (method: 'get' | 'post', path: string): Test =>
  call(method, path).set('Authorization', `Bearer ${token}`);

test('no secret and no text of a message stands in any log, whatever fails', async () => {
  await enter();
  const key = await useKeys();
  await useProviders(key);
  await useWebhooks();
  await breakTheDatabase();
  await processes.stop();
  const { api, dispatch, webhook } = processes;
  const lines = [...api, ...dispatch, ...webhook].flatMap((one) => one.lines);
  // What goes wrong was logged, by every process: else the search would prove nothing.
  for (const told of ['request failed', '"msg":"attempt"', 'delivery attempt', '"msg":"shut down"'])
    expect(lines.filter((line) => line.includes(told)).length).toBeGreaterThan(0);
  const found = [...secrets].filter(([, one]) =>
    lines.some((line) =>
      [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)].some((form) => line.includes(form)),
    ),
  );
  expect(found.map(([what]) => what)).toEqual([]);
});

/** Sessions, with everything about them done wrong too. */
async function enter(): Promise<void> {
  const registered = await call('post', '/auth/register').send({ name: 'Ada', email, password }).expect(200);
  token = secret('access token', registered.body.data.accessToken);
  const cookie = secret('refresh token', refreshCookie(registered)!);
  await call('post', '/auth/login')
    .send({ email, password: secret('wrong password') })
    .expect(401);
  const cut = `{"email":"${email}","password":"${secret('password in a body that is cut off')}`;
  await call('post', '/auth/login').type('application/json').send(cut).expect(400);
  await call('post', '/auth/login')
    .send({ email, passwort: secret('mistyped field') })
    .expect(422);
  await call('post', '/auth/refresh')
    .send({ refreshToken: `rt_${secret('unknown refresh token')}` })
    .expect(401);
  const refreshed = await call('post', '/auth/refresh').set('Cookie', `svc_refresh=${cookie}`).expect(200);
  secret('next access token', refreshed.body.accessToken);
  secret('next refresh token', refreshCookie(refreshed)!);
  await call('get', '/auth/me')
    .set('Authorization', `Basic ${secret('basic credentials')}`)
    .expect(401);
  await call('get', `/auth/me?token=${secret('token in a query')}`).expect(401);
  await call('get', `/auth/${secret('secret in a path')}`).expect(404);
}

async function useKeys(): Promise<string> {
  const made = await manage('post', '/tenant/api-keys').send({ name: 'k' }).expect(201);
  const key = secret('API key', made.body.key);
  const mistyped = secret('mistyped API key', `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`);
  await call('get', '/v1/notify/messages/x').set('X-Api-Key', mistyped).expect(401);
  const alerts = (authorization: string): Test =>
    call('post', `/v1/notify/sms/alertmanager?to=${secret('recipient in a query', '%2B491701234567')}`)
      .set('Authorization', authorization)
      .send({ groupKey: secret('key of a group of alerts') });
  const basic = (password: string): string =>
    secret(`Basic ${password}`, Buffer.from(`notify:${password}`).toString('base64'));
  await alerts(`Bearer ${key}`).expect(422);
  await alerts(`Bearer ${mistyped}`).expect(401);
  await alerts(`Basic ${basic(key)}`).expect(422);
  await alerts(`Basic ${basic(mistyped)}`).expect(401);
  const tokens = await manage('post', '/tenant/service-tokens')
    .send({ name: 't', scopes: ['keys:write', 'events:read'] })
    .expect(201);
  const serviceToken = secret('service token', tokens.body.token);
  const byToken = (method: 'get' | 'post', path: string, token = serviceToken): Test =>
    call(method, path).set('Authorization', `Bearer ${token}`);
  const rotated = await byToken('post', `/tenant/api-keys/${made.body.id}/rotate`)
    .send({ overlapSeconds: 600 })
    .expect(201);
  secret('rotated API key', rotated.body.key);
  await byToken('get', '/auth/me').expect(401);
  await byToken('get', '/v1/webhooks').expect(403);
  await byToken('get', `/v1/events?cursor=${serviceToken}`).expect(422);
  const wrong = secret(
    'mistyped service token',
    `${serviceToken.slice(0, -1)}${serviceToken.endsWith('0') ? '1' : '0'}`,
  );
  await byToken('get', '/v1/events', wrong).expect(401);
  await call('get', `/tenant/api-keys/${serviceToken}`).expect(405);
  return key;
}

/** A gateway that answers 500 and quotes its credentials, and a provider that cannot be reached with its token in the path. */
async function useProviders(key: string): Promise<void> {
  const gateway = await manage('post', '/v1/channel-accounts').send({
    provider: 'http-sms',
    name: 'gateway',
    settings: {
      profile: 'kannel',
      url: `${receiver.url}/sendsms`,
      username: 'user',
      password: secret('password of the gateway'),
      from: 'Shop',
    },
  });
  const bot = await manage('post', '/v1/channel-accounts').send({
    provider: 'telegram-bot',
    name: 'bot',
    settings: { botToken: secret('bot token', `123456789:${randomBytes(26).toString('base64url')}`) },
  });
  expect([gateway.status, bot.status]).toEqual([201, 201]);
  const callback = new URL(gateway.body.callbackUrl).pathname;
  secret('secret of the callback', callback.split('/').at(-1));
  await call('get', `${callback}?type=8&smsid=1`);
  await call(
    'post',
    `${callback.slice(0, callback.lastIndexOf('/'))}/${secret('wrong callback secret')}`,
  ).expect(404);
  for (const [channel, account, to] of [
    ['sms', gateway, '+14155550100'],
    ['telegram', bot, '12345'],
  ] as const) {
    await manage('post', `/v1/channel-accounts/${account.body.id}/verify`).expect(200);
    const sent = await call('post', `/v1/notify/${channel}/text`)
      .set('X-Api-Key', key)
      .send({ to, text })
      .expect(202);
    await untilAttempted(sent.body.id);
  }
}

/** Until the outcome of its first attempt is recorded. */
async function untilAttempted(messageId: string): Promise<void> {
  const id = messageId.replace('msg_', '');
  for (;;) {
    const attempts = await database.db
      .selectFrom('attempts')
      .select('outcome')
      .where('message_id', '=', id)
      .execute();
    if (attempts.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function useWebhooks(): Promise<void> {
  const url = `${receiver.url}/hook?token=${secret('token in the URL of a webhook')}`;
  const made = await manage('post', '/v1/webhooks').send({ url }).expect(201);
  secret('webhook secret', made.body.secret);
  const rotated = await manage('post', `/v1/webhooks/${made.body.id}/rotate-secret`).expect(200);
  secret('rotated webhook secret', rotated.body.secret);
  await manage('post', `/v1/webhooks/${made.body.id}/test`).expect(202);
  const { headers } = await receiver.next(({ url: path }) => path.startsWith('/hook'));
  secret('signature', String(headers['webhook-signature']));
}

/** Statements that fail carry their parameters: hashes, sealed values, names. */
async function breakTheDatabase(): Promise<void> {
  const { db } = database;
  await sql`alter table api_keys add constraint no_more check (name <> 'breaks') not valid`.execute(db);
  await sql`alter table webhooks rename to webhooks_gone`.execute(db);
  await manage('post', '/tenant/api-keys').send({ name: 'breaks' }).expect(500);
  const broken = `https://example.com/${secret('path of a webhook that could not be stored')}`;
  await manage('post', '/v1/webhooks').send({ url: broken }).expect(500);
}

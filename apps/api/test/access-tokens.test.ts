import {
  createHmac,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { parseId } from '@notify/core';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { register, type Registered, testApi, type TestApi } from './test-api.ts';

let api: TestApi;
let tenant: Registered;
let other: Registered;
let secret: KeyObject;
let kid: string;
beforeAll(async () => {
  api = await testApi();
  tenant = await register(api.app);
  other = await register(api.app);
  [{ secret, kid }] = api.parts.settings.jwtSecrets as [{ secret: KeyObject; kid: string }];
});
afterAll(() => api[Symbol.asyncDispose]());

const encode = (part: unknown) =>
  Buffer.isBuffer(part)
    ? part.toString('base64url')
    : Buffer.from(JSON.stringify(part)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

interface Made {
  readonly header?: object;
  readonly claims?: object | string;
  /** Makes the signature of `header.claims`; ours unless given. */
  readonly signature?: (input: string) => Buffer;
}

const hmac =
  (key: Buffer | KeyObject | string, hash = 'sha256') =>
  (input: string) =>
    createHmac(hash, key).update(input).digest();

/** A token made by hand, for no library makes the wrong ones; a good one of the tenant but for what is given. */
function token({ header = {}, claims = {}, signature = hmac(secret) }: Made = {}): string {
  const head = { alg: 'HS256', typ: 'JWT', kid, ...header };
  const body = typeof claims === 'object' ? { ...claimsOf(tenant.accessToken), ...claims } : claims;
  const input = `${encode(head)}.${encode(body)}`;
  return `${input}.${encode(signature(input))}`;
}

const statusOf = async (bearer: string) =>
  (await request(api.app).get('/auth/me').set('Authorization', `Bearer ${bearer}`)).status;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const unsigned = () => Buffer.alloc(0);

test('one made by hand as ours are is taken, so that it is the difference which the others are refused for', async () => {
  expect(await statusOf(token())).toBe(200);
  expect(await statusOf(token({ claims: { exp: now() + 60, nbf: now() - 60 } }))).toBe(200);
});

test.each<[string, () => Made]>([
  ['names no algorithm and has no signature', () => ({ header: { alg: 'none' }, signature: unsigned })],
  ['names none in another case', () => ({ header: { alg: 'nOnE' }, signature: unsigned })],
  ['names none, though it is signed', () => ({ header: { alg: 'none' } })],
  ['names no algorithm at all', () => ({ header: { alg: undefined } })],
  [
    'is signed by another algorithm of ours, HS512',
    () => ({ header: { alg: 'HS512' }, signature: hmac(secret, 'sha512') }),
  ],
  ['is signed by HS384', () => ({ header: { alg: 'HS384' }, signature: hmac(secret, 'sha384') })],
  ['names RS256 and is signed with our secret', () => ({ header: { alg: 'RS256' } })],
  ['names ES256 and is signed with our secret', () => ({ header: { alg: 'ES256' } })],
  [
    'brings its own key',
    () => ({
      header: { alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) },
      signature: (input: string) => sign('sha256', Buffer.from(input), rsa.privateKey),
    }),
  ],
  [
    'says where its key is',
    () => ({
      header: { jku: 'https://evil.example/jwks', x5u: 'https://evil.example/x' },
      signature: hmac('x'),
    }),
  ],
  ['names a key that we do not have', () => ({ header: { kid: 'other' } })],
  ['names no key', () => ({ header: { kid: undefined } })],
  [
    'names a file as its key, and is signed with its content',
    () => ({ header: { kid: '../../../../dev/null' }, signature: hmac('') }),
  ],
  ['names its key by SQL', () => ({ header: { kid: `${kid}' or '1'='1` } })],
  ['names what every object has', () => ({ header: { kid: '__proto__' }, signature: hmac('') })],
  ['names a list of keys', () => ({ header: { kid: [kid] } })],
  ['names what we must understand', () => ({ header: { crit: ['b64'], b64: true } })],
  ['names in a wrong way what we must understand', () => ({ header: { crit: [] } })],
  ['is signed with another secret', () => ({ signature: hmac(randomBytes(32)) })],
  ['is signed with the name of the key', () => ({ signature: hmac(kid) })],
  ['is signed with nothing', () => ({ signature: hmac('') })],
  ['has no signature', () => ({ signature: unsigned })],
  ['has half a signature', () => ({ signature: (input: string) => hmac(secret)(input).subarray(0, 16) })],
  ['is over', () => ({ claims: { exp: now() - 1 } })],
  ['has not begun', () => ({ claims: { nbf: now() + 60 } })],
  ['never ends, by its own word', () => ({ claims: { exp: 'never' } })],
  ['names no tenant', () => ({ claims: { sub: undefined } })],
  ['names no session', () => ({ claims: { sid: undefined } })],
  ['names a tenant that is no id', () => ({ claims: { sub: "' or true --" } })],
  ['names a list of tenants', () => ({ claims: { sub: [parseId('ten', tenant.id)] } })],
  ['names another tenant', () => ({ claims: { sub: parseId('ten', other.id) } })],
  ["names another tenant's session", () => ({ claims: { sid: claimsOf(other.accessToken).sid } })],
  ['names a session that is none', () => ({ claims: { sid: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90' } })],
  ['says a text', () => ({ claims: 'text' })],
])('one that %s is refused', async (_what, make) => {
  expect(await statusOf(token(make()))).toBe(401);
});

test('one that was changed, cut or added to after it was signed is refused', async () => {
  const [header, claims, signature] = token().split('.') as [string, string, string];
  const foreign = encode({ ...claimsOf(tenant.accessToken), sub: parseId('ten', other.id)! });
  const changed = [
    `${header}.${foreign}.${signature}`,
    `${header}.${claims}`,
    `${header}.${claims}.`,
    `.${claims}.${signature}`,
    `${header}.${claims}.${signature}.${signature}`,
    `${header}.${claims}.${signature}A`,
    `${header}.e30.${signature}`,
    `${header}.-.${signature}`,
    ...[null, 5, 'x', []].map((header) => `${encode(header)}.${claims}.${signature}`),
    'x.y.z',
    'A'.repeat(10_000),
  ];
  for (const one of changed)
    expect([one.slice(0, 200), await statusOf(one)]).toEqual([one.slice(0, 200), 401]);
});

test('a second secret of the list verifies, and one that was taken from the list does not', async () => {
  const before = { kid: 'before', secret: createSecretKey(randomBytes(32)) };
  const withBefore = (jwtSecrets: { kid: string; secret: KeyObject }[]) =>
    createApp({ ...api.parts, settings: { ...api.parts.settings, jwtSecrets } });
  const old = token({ header: { kid: before.kid }, signature: hmac(before.secret) });
  const ask = (app: TestApi['app']) => request(app).get('/auth/me').set('Authorization', `Bearer ${old}`);
  expect((await ask(withBefore([{ kid, secret }, before]))).status).toBe(200);
  expect((await ask(withBefore([{ kid, secret }]))).status).toBe(401);
});

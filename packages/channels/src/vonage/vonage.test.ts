import { generateKeyPairSync } from 'node:crypto';
import type { HttpRequest, HttpResult } from '@notify/egress';
import jwt from 'jsonwebtoken';
import { noStream, sendRequest } from '../../test/conformance/conformance.ts';
import type { SendRequest } from '../adapter/channel.ts';
import { checkSettings } from '../settings/settings.ts';
import type { VonageSettings } from './settings.ts';
import { vonage } from './vonage.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const settings: VonageSettings = {
  applicationId: '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e',
  privateKey,
  signatureSecret: 'signature-secret',
  from: '+447700900001',
};
const signal = new AbortController().signal;
const id = sendRequest().messageId;

/** Sends with a prepared answer. Returns the request and its outcome. */
async function send(
  changes: Partial<SendRequest> = {},
  status = 202,
  body: unknown = { message_uuid: 'u' },
  headers = {},
) {
  const asked: HttpRequest[] = [];
  const http = {
    request: async (request: HttpRequest): Promise<HttpResult> => {
      asked.push(request);
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      return { ok: true, status, headers, body: bytes, truncated: false, durationMs: 1 };
    },
    stream: noStream,
    close: async () => undefined,
  };
  const context = { settings, http, baseUrl: 'https://api.nexmo.com', signal };
  const outcome = await vonage.send(sendRequest(changes), context);
  const verified = await vonage.verify(context);
  const [request] = asked;
  if (typeof request?.body !== 'string') throw new Error('no message was sent');
  return { request, message: JSON.parse(request.body) as unknown, outcome, verified };
}

describe('the request', () => {
  test('sends a text, numbers without their plus, our id and the address for receipts', async () => {
    const { request, message } = await send();
    expect([request.method, request.url]).toEqual(['POST', 'https://api.nexmo.com/v1/messages']);
    expect(request.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(message).toEqual({
      message_type: 'text',
      channel: 'sms',
      to: '4915112345678',
      from: '447700900001',
      text: 'Grüße & 100 % für "Ω" {{to}} 😀',
      client_ref: id,
      ttl: 86_400,
      webhook_url: 'https://notify.example/callbacks/p/a/s',
      webhook_version: 'v1',
    });
  });

  test('names the part and sends its text, and asks for no receipts without a public address', async () => {
    const { message } = await send({ part: 2, parts: 3, text: 'third', callbackUrl: null });
    expect(message).toMatchObject({ text: 'third', client_ref: `${id}.2` });
    expect(message).not.toHaveProperty('webhook_url');
  });

  test('makes a new token for each request, signed with its own key', async () => {
    const tokens = await Promise.all([send(), send()]);
    const claims = tokens.map(({ request }) => {
      const token = request.headers?.['authorization']?.replace(/^Bearer /, '') ?? '';
      return jwt.verify(token, publicKey, { algorithms: ['RS256'] }) as jwt.JwtPayload;
    });
    const [first, second] = claims;
    expect(first).toMatchObject({ application_id: settings.applicationId });
    expect((first?.exp ?? 0) - (first?.iat ?? 0)).toBe(300);
    expect(first?.jti).not.toBe(second?.jti);
  });
});

describe('the answer', () => {
  const problem = (fragment: string) => ({
    type: `https://developer.vonage.com/api-errors#${fragment}`,
    title: 'Its title',
    detail: 'Its detail',
  });
  const rejected = (errorCode: string) => ({ kind: 'rejected', errorCode });
  const account = { kind: 'connection-broken' };

  test.each([
    [401, 'unauthorized', account],
    [402, 'low-balance', account],
    [402, 'other', account],
    [403, 'other', account],
    [422, '1070', account],
    [422, '1040', rejected('recipient-rejected')],
    [422, '1120', rejected('sender-rejected')],
    [422, '1090', rejected('content-rejected')],
    [422, '1020', rejected('provider-rejected')],
    [404, 'not-found', rejected('provider-rejected')],
    [429, 'throttled', { kind: 'throttled', afterMs: 4_000 }],
    [429, 'other', { kind: 'throttled', afterMs: 4_000 }],
    [422, '1000', { kind: 'throttled', afterMs: 4_000 }],
    [500, 'internal', { kind: 'retry' }],
    [422, '1030', { kind: 'retry' }],
    [503, '1100', { kind: 'retry' }],
  ])('%d %s', async (status, fragment, expected) => {
    const { outcome } = await send({ throttles: 2 }, status, problem(fragment));
    expect(outcome).toMatchObject({ ...expected, text: 'Its title: Its detail' });
    const codes =
      'providerCode' in outcome ? [outcome.providerCode].filter((code) => code !== undefined) : [];
    expect(codes).toEqual(outcome.kind === 'throttled' ? [] : [fragment]);
  });

  test('an answer may begin with a byte order mark, and its id may be a number', async () => {
    const { outcome } = await send({}, 202, '\ufeff{"message_uuid":12345678901234567890}');
    expect(outcome).toEqual({ kind: 'accepted', externalId: '12345678901234567890' });
  });

  test('a title may be a number, and an answer may ask for a wait', async () => {
    const body = {
      type: 'https://developer.vonage.com/api-errors/messages#1000',
      title: 1000,
      detail: 'Throttled',
    };
    const { outcome } = await send({}, 429, body, { 'retry-after': '3' });
    expect(outcome).toEqual({ kind: 'throttled', scope: 'account', afterMs: 3_000, text: '1000: Throttled' });
  });

  test.each([
    [422, true],
    [202, false],
    [401, false],
    [500, false],
  ])('an empty message answered %d: connected is %s', async (status, ok) => {
    expect((await send({}, status, problem('x'))).verified.ok).toBe(ok);
  });
});

test('cuts a long text at 1000 and counts its segments', () => {
  const split = vonage.split?.('a'.repeat(2_001), settings, 'readable');
  expect(split?.texts.map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
  expect(split?.segments).toBe(15);
});

test.each<[string, Record<string, unknown>, readonly string[]]>([
  ['a number', {}, []],
  ['a name', { from: 'My Shop' }, []],
  ['a name that is too long', { from: 'abcdefghijkl' }, ['/from']],
  ['no key', { privateKey: 'x' }, ['/privateKey']],
  ['a public key', { privateKey: publicKey }, ['/privateKey']],
  ['no signature secret', { signatureSecret: undefined }, ['']],
])('settings: %s', (_, changes, faults) => {
  const given = JSON.parse(JSON.stringify({ ...settings, ...changes })) as unknown;
  expect(checkSettings(vonage, given).map(({ at }) => at.replace('/signatureSecret', ''))).toEqual(faults);
});

test('thirty messages a second, unless the sender may do less', () => {
  expect(vonage.pace?.(settings)).toEqual({ perSecond: 30 });
  expect(vonage.pace?.({ ...settings, ratePerSecond: 1 })).toEqual({ perSecond: 1 });
});

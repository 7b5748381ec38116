import { createHash } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { sendRequest } from '../../test/conformance/conformance.ts';
import type { CallbackRequest } from '../adapter/channel.ts';
import type { VonageSettings } from './settings.ts';
import { vonage } from './vonage.ts';

const settings: VonageSettings = {
  applicationId: '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e',
  privateKey: 'unused',
  signatureSecret: 'signature-secret',
  from: 'Notify',
};
const id = sendRequest().messageId;
const now = () => Math.floor(Date.now() / 1_000);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Changes {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly secret?: string;
  readonly algorithm?: jwt.Algorithm;
  readonly header?: object;
}

function signed(
  body: string,
  { claims, secret = settings.signatureSecret, algorithm = 'HS256', header }: Changes = {},
) {
  const payload = {
    iss: 'Vonage',
    api_key: 'a1b2c3d4',
    application_id: settings.applicationId,
    payload_hash: sha256(body),
    iat: now(),
    ...claims,
  };
  return callback(body, {
    authorization: `Bearer ${jwt.sign(payload, secret, { algorithm, header: { alg: algorithm, ...header } })}`,
  });
}

function callback(body: string, headers: Readonly<Record<string, string>>): CallbackRequest {
  return {
    method: 'POST',
    url: '/',
    publicUrl: null,
    query: new URLSearchParams(),
    headers,
    body: Buffer.from(body),
    secretMatches: true,
    address: '192.0.2.1',
  };
}

const read = (request: CallbackRequest) => vonage.parseCallback?.(request, settings);
const report = (status: string, more: object = {}) =>
  JSON.stringify({ message_uuid: 'uuid-1', client_ref: id, channel: 'sms', status, ...more });

describe('delivery receipts', () => {
  const receipt = { messageId: id, part: null, externalId: 'uuid-1' };

  test.each([
    ['submitted', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'read'],
  ])('%s', (status, expected) => {
    expect(read(signed(report(status)))).toEqual({
      kind: 'receipts',
      receipts: [{ ...receipt, status: expected }],
    });
  });

  test.each([
    ['rejected', '1180', 'recipient-unreachable'],
    ['rejected', '1050', 'recipient-rejected'],
    ['rejected', '1120', 'sender-rejected'],
    ['rejected', '1240', 'recipient-opted-out'],
    ['undeliverable', '1100', 'undelivered'],
  ])('%s with %s', (status, code, errorCode) => {
    const error = {
      type: `https://developer.vonage.com/api-errors/messages#${code}`,
      title: Number(code),
      detail: 'Why',
    };
    expect(read(signed(report(status, { error })))).toEqual({
      kind: 'receipts',
      receipts: [{ ...receipt, status: 'failed', errorCode, providerCode: code, text: `${code}: Why` }],
    });
  });

  test('a part, and one without our id', () => {
    expect(read(signed(report('delivered', { client_ref: `${id}.1` })))).toMatchObject({
      receipts: [{ messageId: id, part: 1 }],
    });
    expect(read(signed(report('delivered', { client_ref: 'theirs' })))).toMatchObject({
      receipts: [{ messageId: null, externalId: 'uuid-1' }],
    });
    expect(read(signed('{"status":"delivered"}'))).toMatchObject({ kind: 'malformed' });
  });

  test.each(['{"message_type":"text","text":"STOP"}', report('constructor'), '[]', 'null', 'x', ''])(
    'nothing in %s',
    (body) => {
      expect(read(signed(body))).toEqual({ kind: 'receipts', receipts: [] });
    },
  );

  test.each([
    ['an hour late', { iat: now() - 3_600 }],
    ['by a clock that is ahead', { iat: now() + 200 }],
    ['of no application', { application_id: undefined }],
  ])('%s', (_, claims) => {
    expect(read(signed(report('read'), { claims }))).toMatchObject({ receipts: [{ status: 'read' }] });
  });
});

describe('not from Vonage', () => {
  const body = report('delivered');
  const bearer = signed(body).headers['authorization'] ?? '';
  const [head = '', payload = ''] = bearer.split('.');
  const none = `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;

  test.each<[string, CallbackRequest]>([
    ['no token', callback(body, {})],
    ['no bearer', callback(body, { authorization: 'Basic abc' })],
    ['a token without a signature', callback(body, { authorization: `${head}.${payload}.` })],
    ['algorithm none', callback(body, { authorization: none })],
    ['another algorithm', signed(body, { algorithm: 'HS512' })],
    ['an extension that must be understood', signed(body, { header: { crit: ['exp'] } })],
    ['another secret', signed(body, { secret: 'another' })],
    ['another body', callback(report('read'), { authorization: bearer })],
    ['a space more', callback(`${body} `, { authorization: bearer })],
    ['no hash of the body', signed(body, { claims: { payload_hash: undefined } })],
    [
      'another application',
      signed(body, { claims: { application_id: settings.applicationId.replace('0', '1') } }),
    ],
    ['two days old', signed(body, { claims: { iat: now() - 172_800 } })],
    ['from the future', signed(body, { claims: { iat: now() + 3_600 } })],
    ['expired', signed(body, { claims: { exp: now() - 10 } })],
  ])('%s', (_, request) => {
    expect(read(request)).toEqual({ kind: 'forged' });
  });
});

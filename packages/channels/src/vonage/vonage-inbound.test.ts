import { createHash, createHmac } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { CallbackRequest } from '../adapter/channel.ts';
import type { Inbound } from '../adapter/inbound.ts';
import type { VonageSettings } from './settings.ts';
import { vonage } from './vonage.ts';

const settings: VonageSettings = {
  applicationId: '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e',
  privateKey: 'unused',
  signatureSecret: 'signature-secret',
  from: '15005550006',
};
const now = () => Math.floor(Date.now() / 1_000);

const request = (changes: Partial<CallbackRequest>): CallbackRequest => ({
  method: 'POST',
  url: '/callbacks/vonage/a/s',
  publicUrl: null,
  query: new URLSearchParams(),
  headers: {},
  body: Buffer.alloc(0),
  secretMatches: true,
  address: '192.0.2.1',
  ...changes,
});
const read = (changes: Partial<CallbackRequest>) => vonage.parseCallback?.(request(changes), settings);

const message: Inbound = {
  externalId: '0A0000000123ABCD1',
  from: '+447700900001',
  to: '+447700900000',
  sentAt: new Date('2026-01-31T12:00:00Z'),
  type: 'text',
  body: { text: 'Hello there' },
  contact: null,
  replyTo: null,
  file: null,
};

describe('in the form of the Messages API', () => {
  const document = {
    to: '447700900000',
    from: '447700900001',
    channel: 'sms',
    message_uuid: message.externalId,
    timestamp: '2026-01-31T12:00:00Z',
    message_type: 'text',
    text: 'Hello there',
    sms: { num_messages: '2', keyword: 'HELLO' },
    usage: { price: '0.0333', currency: 'EUR' },
  };
  const signed = (fields: object, secret = settings.signatureSecret) => {
    const body = Buffer.from(JSON.stringify(fields));
    const claims = { iat: now(), payload_hash: createHash('sha256').update(body).digest('hex') };
    return { body, headers: { authorization: `Bearer ${jwt.sign(claims, secret)}` } };
  };

  test.each<[string, object, Partial<Inbound>]>([
    ['a text', {}, {}],
    [
      'a message that is no text',
      { message_type: 'image', text: undefined },
      { type: 'unsupported', body: { kind: 'image' } },
    ],
    ['no time', { timestamp: undefined }, { sentAt: null }],
  ])('%s', (_, changes, expected) => {
    const inbound = [{ ...message, ...expected }];
    expect(read(signed({ ...document, ...changes }))).toEqual({ kind: 'receipts', receipts: [], inbound });
  });

  test('a body that was changed, or signed with another secret, is forged', () => {
    const good = signed(document);
    expect(read({ ...good, body: Buffer.from(good.body.toString().replace('there', 'you')) })).toEqual({
      kind: 'forged',
    });
    expect(read(signed(document, 'another'))).toEqual({ kind: 'forged' });
  });

  test('the token of a body proves nothing about a query', () => {
    const { headers } = signed({});
    const query = new URLSearchParams({ msisdn: '447700900001', messageId: '1', text: 'x' });
    expect(read({ method: 'GET', query, headers })).toEqual({ kind: 'forged' });
  });
});

describe('in the form of the SMS API', () => {
  const sms = {
    msisdn: '447700900001',
    to: '447700900000',
    messageId: message.externalId,
    text: 'Hello there',
    type: 'text',
    keyword: 'HELLO',
    'api-key': 'abcd1234',
    'message-timestamp': '2026-01-31 12:00:00',
  };
  type Fields = Readonly<Record<string, string>>;
  const toSign = (fields: Fields) =>
    Object.keys(fields)
      .sort()
      .map((name) => `&${name}=${fields[name]!.replace(/[&=]/g, '_')}`)
      .join('');
  const md5 = (fields: Fields, secret = settings.signatureSecret) =>
    createHash('md5')
      .update(toSign(fields) + secret)
      .digest('hex');
  const hmac = (algorithm: string) => (fields: Fields) =>
    createHmac(algorithm, settings.signatureSecret).update(toSign(fields)).digest('hex').toUpperCase();

  function signedPairs(changes: object = {}, sign: (fields: Fields) => string = md5): URLSearchParams {
    const all = { ...sms, nonce: 'n', timestamp: String(now()), ...changes };
    return new URLSearchParams({ ...all, sig: sign(all) });
  }
  const byGet = (pairs: URLSearchParams) => read({ method: 'GET', query: pairs });

  test.each<[string, (fields: Fields) => string]>([
    ['MD5', md5],
    ['MD5 HMAC', hmac('md5')],
    ['SHA-1 HMAC', hmac('sha1')],
    ['SHA-256 HMAC', hmac('sha256')],
    ['SHA-512 HMAC', hmac('sha512')],
  ])('signed by %s, as query, form and JSON', (_, sign) => {
    const pairs = signedPairs({}, sign);
    const expected = { kind: 'receipts', receipts: [], inbound: [message] };
    const json = { 'content-type': 'application/json' };
    expect(byGet(pairs)).toEqual(expected);
    expect(read({ body: Buffer.from(pairs.toString()) })).toEqual(expected);
    expect(read({ body: Buffer.from(JSON.stringify(Object.fromEntries(pairs))), headers: json })).toEqual(
      expected,
    );
  });

  const part = { concat: 'true', 'concat-ref': '17', 'concat-total': '3', 'concat-part': '2' };
  test.each<[string, object, Partial<Inbound>]>([
    ['unicode', { type: 'unicode', text: 'Привет & = 😀' }, { body: { text: 'Привет & = 😀' } }],
    ['an empty text', { text: '' }, { body: { text: '' } }],
    [
      'bytes',
      { type: 'binary', data: '00ff', udh: '0605', text: undefined },
      { type: 'unsupported', body: { kind: 'binary' } },
    ],
    ['a part', part, { piece: { reference: '+447700900001 447700900000 17', index: 2, total: 3 } }],
    ['part 4 of 3', { ...part, 'concat-part': '4' }, {}],
    ['part 0', { ...part, 'concat-part': '0' }, {}],
    ['the only part', { ...part, 'concat-part': '1', 'concat-total': '1' }, {}],
    ['a part of nothing', { ...part, 'concat-ref': '' }, {}],
    ['no time', { 'message-timestamp': 'now' }, { sentAt: null }],
  ])('%s', (_, changes, expected) => {
    const known = Object.entries({ ...sms, nonce: 'n', timestamp: String(now()), ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    const fields = Object.fromEntries(known) as Fields;
    const pairs = new URLSearchParams({ ...fields, sig: md5(fields) });
    expect(byGet(pairs)).toEqual({ kind: 'receipts', receipts: [], inbound: [{ ...message, ...expected }] });
  });

  test('a call of nothing changes nothing', () => {
    expect(byGet(signedPairs({ msisdn: '' }))).toEqual({ kind: 'receipts', receipts: [] });
    expect(byGet(signedPairs({ messageId: '' }))).toEqual({ kind: 'receipts', receipts: [] });
  });

  test.each<[string, () => URLSearchParams]>([
    ['without a signature', () => new URLSearchParams(sms)],
    ['with another secret', () => signedPairs({}, (fields) => md5(fields, 'another'))],
    ['from the day before yesterday', () => signedPairs({ timestamp: String(now() - 172_800) })],
    ['without a time', () => signedPairs({ timestamp: '' })],
    ['with a field more', () => new URLSearchParams([...signedPairs(), ['x', '1']])],
    ['with a sender more', () => new URLSearchParams([...signedPairs(), ['msisdn', '1']])],
  ])('%s it is forged', (_, pairs) => {
    expect(byGet(pairs())).toEqual({ kind: 'forged' });
  });
});

import { createHmac } from 'node:crypto';
import { callbackRequest } from '../../../test/conformance/conformance.ts';
import type { CallbackRequest } from '../../adapter/channel.ts';
import { checkSettings } from '../../settings/settings.ts';
import { gatewayOf } from '../gateways/profiles.ts';
import { httpSms } from '../http-sms.ts';
import type { CallbackSignature } from '../settings/signature-settings.ts';
import { hasSignature } from './callback-signature.ts';

const nowSeconds = 1_769_860_800;
const accepts = (by: CallbackSignature, changes: Partial<CallbackRequest>, now = nowSeconds) =>
  hasSignature(callbackRequest(changes), by, now * 1_000);

const hex = (text: string) => Buffer.from(text, 'hex');
const base64 = (text: string) => hex(text).toString('base64');

describe('Ed25519', () => {
  /** RFC 8032, section 7.1: the public key, the message and its signature of TEST 1, 2 and 3. */
  const vectors = [
    [
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ] as const;

  test.each(vectors)('the fixed vector of the key %s', (publicKey, message, signature) => {
    const by: CallbackSignature = { type: 'ed25519', header: 'X-Signature', publicKey };
    const signed = { body: hex(message), headers: { 'x-signature': base64(signature) } };
    expect(accepts(by, signed)).toBe(true);
    expect(accepts({ ...by, publicKey: base64(publicKey) }, signed)).toBe(true);
    expect(accepts({ ...by, encoding: 'hex' }, { ...signed, headers: { 'x-signature': signature } })).toBe(
      true,
    );
    expect(accepts(by, { ...signed, body: Buffer.concat([signed.body, hex('00')]) })).toBe(false);
    const [other] = vectors.find(([key]) => key !== publicKey)!;
    expect(accepts({ ...by, publicKey: other }, signed)).toBe(false);
    for (const at of [0, 31, 32, 63]) {
      const flipped = hex(signature);
      flipped[at]! ^= 1;
      expect(accepts(by, { ...signed, headers: { 'x-signature': flipped.toString('base64') } })).toBe(false);
    }
  });

  describe('of Telnyx', () => {
    const settings = {
      profile: 'telnyx' as const,
      apiKey: 'KEY',
      publicKey: base64(vectors[2][0]),
    };
    const { signature: by } = gatewayOf(settings);
    const timestamp = String(nowSeconds);
    const body = Buffer.from('{"data":{"event_type":"message.finalized"}}');
    /** Made with OpenSSL by the secret key of TEST 3, over `timestamp|body`. */
    const signature =
      'N4fUyypziPsGpFvWCek4BXzIikI6vDvPNaHSgJufuehRSOY4joqbyl+svGEhexoe/fVmsavMcq1REXQN5bKaDA==';
    const headers = { 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': timestamp };

    test('the fixed vector is taken for five minutes', () => {
      for (const late of [-300, 0, 300])
        expect(accepts(by!, { body, headers }, nowSeconds + late)).toBe(true);
      for (const late of [-301, 301]) expect(accepts(by!, { body, headers }, nowSeconds + late)).toBe(false);
    });

    test('another time, body, header or separator is refused', () => {
      const later = { ...headers, 'telnyx-timestamp': String(nowSeconds + 1) };
      expect(accepts(by!, { body, headers: later })).toBe(false);
      expect(accepts(by!, { body: Buffer.concat([body, Buffer.from('\n')]), headers })).toBe(false);
      expect(accepts(by!, { body, headers: { 'telnyx-signature-ed25519': signature } })).toBe(false);
      expect(accepts(by!, { body, headers: { 'telnyx-timestamp': timestamp } })).toBe(false);
      const shifted = { ...headers, 'telnyx-timestamp': `${timestamp}|` };
      expect(accepts(by!, { body, headers: shifted })).toBe(false);
    });

    test('without a public key callbacks are not checked', () => {
      const { publicKey: _, ...unsigned } = settings;
      expect(gatewayOf(unsigned).signature).toBeUndefined();
    });
  });

  test('a signature that is none is refused, whatever it is', () => {
    const by: CallbackSignature = { type: 'ed25519', header: 'X-Signature', publicKey: vectors[0][0] };
    const others = [
      '',
      'x',
      '=',
      'AAAA',
      'A'.repeat(88),
      'é'.repeat(64),
      `${base64(vectors[0][2])}AAAA`,
      '0'.repeat(1_000),
    ];
    for (const other of others) expect(accepts(by, { headers: { 'x-signature': other } })).toBe(false);
    expect(accepts(by, {})).toBe(false);
  });
});

describe('HMAC', () => {
  const header = 'X-Signature';
  /** RFC 2202, section 3, and RFC 4231, section 4.3: test case 2 with the key `Jefe`. */
  test.each([
    ['sha1', 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'],
    ['sha256', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
    [
      'sha512',
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    ],
  ] as const)('the fixed vector of %s', (algorithm, mac) => {
    const by: CallbackSignature = { type: 'hmac', header, secret: 'Jefe', algorithm };
    const signed = { body: Buffer.from('what do ya want for nothing?'), headers: { 'x-signature': mac } };
    expect(accepts(by, signed)).toBe(true);
    expect(accepts(by, { ...signed, headers: { 'x-signature': mac.toUpperCase() } })).toBe(true);
    expect(
      accepts({ ...by, encoding: 'base64' }, { ...signed, headers: { 'x-signature': base64(mac) } }),
    ).toBe(true);
    const prefixed = { ...signed, headers: { 'x-signature': `v1=${mac}` } };
    expect(accepts({ ...by, prefix: 'v1=' }, prefixed)).toBe(true);
    expect(accepts(by, prefixed)).toBe(false);
    expect(accepts({ ...by, prefix: 'v1=' }, signed)).toBe(false);
    expect(accepts({ ...by, secret: 'jefe' }, signed)).toBe(false);
    expect(accepts(by, { ...signed, body: Buffer.from('what do ya want for nothing!') })).toBe(false);
    for (const other of ['', mac.slice(2), `${mac}00`, mac.slice(1), `${mac.slice(0, -1)}x`])
      expect(accepts(by, { ...signed, headers: { 'x-signature': other } })).toBe(false);
  });

  test('the fixed vector of Sinch', () => {
    // Of the tests of Sinch's own SDK for .NET.
    const body =
      '{"app_id":"","accepted_time":"2021-10-18T17:49:13.813615Z","project_id":"e2df3a34-a71b-4448-9db5-a8d2baad28e4","contact_create_notification":{"contact":{"id":"01FJA8B466Y0R2GNXD78MD9SM1","channel_identities":[{"channel":"SMS","identity":"48123456789","app_id":""}],"display_name":"New Test Contact","email":"new.contact@email.com","external_id":"","metadata":"","language":"EN_US"}},"message_metadata":""}';
    const headers = {
      'x-sinch-webhook-signature': '6bpJoRmFoXVjfJIVglMoJzYXxnoxRujzR4k2GOXewOE=',
      'x-sinch-webhook-signature-nonce': '01FJA8B4A7BM43YGWSG9GBV067',
      'x-sinch-webhook-signature-timestamp': '1634579353',
    };
    const { signature: by } = gatewayOf({ profile: 'sinch', signingKey: 'foo_secret1234' });
    expect(accepts(by!, { body: Buffer.from(body), headers }, 1_634_579_353)).toBe(true);
    expect(accepts(by!, { body: Buffer.from(`${body} `), headers }, 1_634_579_353)).toBe(false);
  });

  const timed: CallbackSignature = {
    type: 'hmac',
    header,
    secret: 'key',
    signed: '{{timestamp}}.{{body}}',
    timestampHeader: 'X-Timestamp',
  };
  const at = (timestamp: string, body = '{"a":1}') => ({
    body: Buffer.from(body),
    headers: {
      'x-timestamp': timestamp,
      'x-signature': createHmac('sha256', 'key').update(`${timestamp}.${body}`).digest('hex'),
    },
  });

  test.each([
    ['in seconds', String(nowSeconds), true],
    ['in milliseconds', String(nowSeconds * 1_000), true],
    ['as a date', new Date(nowSeconds * 1_000).toISOString(), true],
    ['five minutes ago', String(nowSeconds - 300), true],
    ['more than five minutes ago', String(nowSeconds - 301), false],
    ['in five minutes', String(nowSeconds + 300), true],
    ['later than in five minutes', String(nowSeconds + 301), false],
    ['none', '', false],
    ['a word', 'now', false],
    ['a negative number', '-1', false],
    ['an endless number', '1'.repeat(100), false],
  ])('with the time %s', (_, timestamp, expected) => {
    expect(accepts(timed, at(timestamp))).toBe(expected);
  });

  test('another time under the same signature is refused, and so is none', () => {
    const { body, headers } = at(String(nowSeconds - 400));
    expect(accepts(timed, { body, headers: { ...headers, 'x-timestamp': String(nowSeconds) } })).toBe(false);
    expect(accepts(timed, { body, headers: { 'x-signature': headers['x-signature'] } })).toBe(false);
    expect(accepts({ ...timed, toleranceSeconds: 400 }, { body, headers })).toBe(true);
  });

  test('over the address and a header, as the provider knows them', () => {
    const by: CallbackSignature = {
      type: 'hmac',
      header,
      secret: 'k',
      signed: '{{url}} {{base_url}}{{header.X-Nonce}}',
    };
    const publicUrl = 'https://notify.example/callbacks/p/a/s?notify_id=1';
    const text = `${publicUrl} https://notify.example/callbacks/p/a/s77`;
    const signature = createHmac('sha256', 'k').update(text).digest('hex');
    const headers = { 'x-signature': signature, 'x-nonce': '77' };
    expect(accepts(by, { publicUrl, headers })).toBe(true);
    expect(accepts(by, { publicUrl: `${publicUrl}0`, headers })).toBe(false);
    expect(accepts(by, { publicUrl, headers: { ...headers, 'x-nonce': '78' } })).toBe(false);
    expect(accepts(by, { publicUrl, headers: { 'x-signature': signature } })).toBe(false);
    expect(accepts(by, { publicUrl: null, headers })).toBe(false);
  });

  test('covers the bytes, not the text that they may be', () => {
    const body = Buffer.from([0xff, 0x00, 0xfe]);
    const signature = createHmac('sha256', 'k').update(body).digest('hex');
    const by: CallbackSignature = { type: 'hmac', header, secret: 'k' };
    expect(accepts(by, { body, headers: { 'x-signature': signature } })).toBe(true);
    const sameText = Buffer.from(body.toString('utf8'));
    expect(accepts(by, { body: sameText, headers: { 'x-signature': signature } })).toBe(false);
  });
});

describe('a user name and a password', () => {
  const by: CallbackSignature = { type: 'basic', username: 'gate', password: 'pä:ss' };
  const basic = (text: string, scheme = 'Basic') => ({
    headers: { authorization: `${scheme} ${Buffer.from(text).toString('base64')}` },
  });

  test('are taken', () => {
    expect(accepts(by, basic('gate:pä:ss'))).toBe(true);
    expect(accepts(by, basic('gate:pä:ss', 'basic'))).toBe(true);
  });

  test.each([
    basic('gate:pä:s'),
    basic('gate:pä:sss'),
    basic('Gate:pä:ss'),
    basic('gate'),
    basic(''),
    basic('gate:pä:ss', 'Bearer'),
    { headers: { authorization: 'gate:pä:ss' } },
    { headers: {} },
  ])('are refused: %j', (changes) => {
    expect(accepts(by, changes)).toBe(false);
  });
});

describe('addresses', () => {
  const by: CallbackSignature = { type: 'addresses', addresses: ['203.0.113.0/28', '2001:db8::7'] };
  test.each([
    ['203.0.113.15', true],
    ['::ffff:203.0.113.1', true],
    ['2001:db8:0::7', true],
    ['203.0.113.16', false],
    ['2001:db8::8', false],
    ['', false],
    ['unknown', false],
  ])('%s', (address, expected) => {
    expect(accepts(by, { address })).toBe(expected);
  });
});

describe('settings', () => {
  const url = 'https://gw.example/send';
  const body = { type: 'form', fields: { to: '{{to}}', text: '{{text}}' } };
  const faults = (callbackSignature: object, of: object = { url, body }) =>
    checkSettings(httpSms, { ...of, callbackSignature });
  const hmac = { type: 'hmac', header: 'X-Signature', secret: 's' };
  const publicKey = base64('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025');

  test.each([
    hmac,
    { ...hmac, algorithm: 'sha1', encoding: 'base64', prefix: 'sha1=', signed: '{{url}}{{body}}' },
    { ...hmac, signed: '{{body}}{{timestamp}}', timestampHeader: 'X-Timestamp', toleranceSeconds: 60 },
    { type: 'ed25519', header: 'X-Signature', publicKey },
    { type: 'basic', username: 'u', password: 'p' },
    { type: 'addresses', addresses: ['203.0.113.7', '2001:db8::/32'] },
  ])('%j', (signature) => {
    expect(faults(signature)).toEqual([]);
    expect(faults(signature, { profile: 'kannel', url, username: 'u', password: 'p' })).toEqual([]);
  });

  test.each([
    [{ type: 'hmac', header: 'X' }, 'secret', 'is required with type hmac'],
    [{ type: 'hmac', secret: 's' }, 'header', 'is required with type hmac'],
    [{ ...hmac, publicKey }, 'publicKey', 'is not allowed with type hmac'],
    [{ ...hmac, username: 'u' }, 'username', 'is not allowed with type hmac'],
    [
      { ...hmac, signed: '{{timestamp}}{{body}}' },
      'timestampHeader',
      'is required, because {{timestamp}} is signed',
    ],
    [{ ...hmac, timestampHeader: 'X-T' }, 'signed', 'must contain {{timestamp}}'],
    [{ ...hmac, signed: '{{header.X-Nonce}}' }, 'signed', 'must contain {{body}}'],
    [{ ...hmac, signed: '{{body}}{{text}}' }, 'signed', 'may have only {{body}}'],
    [{ ...hmac, signed: '{{body}}{{' }, 'signed', 'may have only {{body}}'],
    [{ ...hmac, toleranceSeconds: 60 }, 'toleranceSeconds', 'has no effect'],
    [{ type: 'ed25519', header: 'X' }, 'publicKey', 'is required with type ed25519'],
    [{ type: 'ed25519', header: 'X', publicKey: 'x'.repeat(44) }, 'publicKey', 'must be 32 bytes'],
    [{ type: 'basic', username: 'a:b', password: 'p' }, 'username', 'must not contain a colon'],
    [{ type: 'addresses' }, 'addresses', 'is required with type addresses'],
    [{ type: 'addresses', addresses: ['203.0.113.7', 'gw.example'] }, 'addresses/1', 'must be an address'],
    [{ type: 'addresses', addresses: ['203.0.113.7/33'] }, 'addresses/0', 'must be an address'],
    [{}, 'type', 'is required'],
    [{ ...hmac, header: 'X Y' }, 'header', 'must match pattern'],
  ])('%j: %s %s', (signature, at, message) => {
    expect(faults(signature)).toContainEqual({
      at: `/callbackSignature/${at}`,
      message: expect.stringContaining(message),
    });
  });
});

import vendor from 'twilio';
import { sendRequest } from '../../test/conformance/conformance.ts';
import type { CallbackRequest } from '../adapter/channel.ts';
import type { TwilioSettings } from './settings.ts';
import { isSignedBy } from './signature.ts';
import { twilio } from './twilio.ts';

const authToken = 'a-token';
const settings: TwilioSettings = { accountSid: `AC${'0a'.repeat(16)}`, authToken, from: '+15005550006' };
const id = sendRequest().messageId;
const address = 'https://notify.example/base/callbacks/twilio/a/s';

type Fields = Readonly<Record<string, string>>;

/** A callback signed by the vendor's own library. */
function signed(query: string, fields: Fields, changes: Partial<CallbackRequest> = {}): CallbackRequest {
  const publicUrl = `${address}${query}`;
  return {
    method: 'POST',
    url: `/callbacks/twilio/a/s${query}`,
    publicUrl,
    query: new URLSearchParams(query),
    headers: { 'x-twilio-signature': vendor.getExpectedTwilioSignature(authToken, publicUrl, fields) },
    body: Buffer.from(new URLSearchParams(fields).toString()),
    secretMatches: true,
    address: '192.0.2.1',
    ...changes,
  };
}

const read = (request: CallbackRequest, of = settings) => twilio.parseCallback?.(request, of);
const report = (status: string, more: Fields = {}) =>
  signed(`?notify_id=${id}`, {
    MessageSid: 'SM1',
    MessageStatus: status,
    To: '+4915112345678',
    From: '+15005550006',
    AccountSid: settings.accountSid,
    ...more,
  });

describe('delivery receipts', () => {
  const receipt = { messageId: id, part: null, externalId: 'SM1' };

  test.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'read'],
  ])('%s', (status, expected) => {
    expect(read(report(status))).toEqual({
      kind: 'receipts',
      receipts: [{ ...receipt, status: expected }],
      consents: [],
    });
  });

  test.each(['queued', 'accepted', 'sending', 'scheduled', 'partially_delivered', 'constructor', ''])(
    '%s changes nothing',
    (status) => {
      expect(read(report(status))).toEqual({ kind: 'receipts', receipts: [] });
    },
  );

  test.each([
    ['undelivered', '30003', 'recipient-unreachable'],
    ['undelivered', '30004', 'recipient-rejected'],
    ['undelivered', '30005', 'recipient-rejected'],
    ['undelivered', '30006', 'recipient-rejected'],
    ['undelivered', '30007', 'content-rejected'],
    ['undelivered', '30008', 'undelivered'],
    ['failed', '30001', 'undelivered'],
    ['failed', '30002', 'sender-rejected'],
    ['undelivered', '30034', 'sender-rejected'],
  ])('%s with %s', (status, code, errorCode) => {
    expect(read(report(status, { ErrorCode: code, ErrorMessage: 'Why' }))).toMatchObject({
      receipts: [{ ...receipt, status: 'failed', errorCode, providerCode: code, text: 'Why' }],
      consents: [],
    });
  });

  test('failed without a reason', () => {
    expect(read(report('failed'))).toEqual({
      kind: 'receipts',
      receipts: [{ ...receipt, status: 'failed', errorCode: 'undelivered' }],
      consents: [],
    });
  });

  test('refused later, because the recipient has opted out', () => {
    expect(read(report('failed', { ErrorCode: '21610' }))).toMatchObject({
      receipts: [{ status: 'failed', errorCode: 'recipient-opted-out' }],
      consents: [{ recipient: '+4915112345678', optedOut: true }],
    });
  });

  test('a part, and one without our id', () => {
    const fields = { MessageSid: 'SM1', MessageStatus: 'sent' };
    expect(read(signed(`?notify_id=${id}.2`, fields))).toMatchObject({
      receipts: [{ messageId: id, part: 2 }],
    });
    expect(read(signed('', fields))).toMatchObject({ receipts: [{ messageId: null, externalId: 'SM1' }] });
    expect(read(signed('', { MessageStatus: 'sent' }))).toMatchObject({ kind: 'malformed' });
  });
});

test.each<[string, boolean]>([
  ['whatsapp:+4915112345678', true],
  ['12345', true],
  [`+${'1'.repeat(20)}`, true],
  [`+${'1'.repeat(21)}`, false],
  ['My Shop', false],
  ['+49151\u0000', false],
  ['+4915112345678\n', false],
  ['x'.repeat(50_000), false],
  ['', false],
])('a refusal to %.30j is an opt-out if that is a number', (recipient, counts) => {
  const consents = counts ? [{ recipient, optedOut: true }] : [];
  expect(read(report('failed', { To: recipient, ErrorCode: '21610' }))).toMatchObject({ consents });
});

describe('not from Twilio', () => {
  const good = report('delivered');
  test.each<[string, Partial<CallbackRequest>]>([
    ['no signature', { headers: {} }],
    ['another signature', { headers: { 'x-twilio-signature': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' } }],
    ['another body', { body: Buffer.from(good.body.toString().replace('delivered', 'read')) }],
    ['a field more', { body: Buffer.from(`${good.body.toString()}&x=1`) }],
    ['another message', { publicUrl: good.publicUrl!.replace(id, id.replace('0', '1')) }],
    ['another host', { publicUrl: good.publicUrl!.replace('notify.example', 'evil.example') }],
    ['another path', { publicUrl: good.publicUrl!.replace('/a/s', '/b/s') }],
    ['no public address', { publicUrl: null }],
    ['the body as a query', { method: 'GET' }],
  ])('%s', (_, changes) => {
    expect(read({ ...good, ...changes })).toEqual({ kind: 'forged' });
  });

  test('another token, or none to check with', () => {
    expect(read(good, { ...settings, authToken: 'another' })).toEqual({ kind: 'forged' });
    const { authToken: _, ...rest } = settings;
    expect(read(good, rest)).toEqual({ kind: 'forged' });
  });
});

describe('the vendor accepts and refuses the same callbacks as we do', () => {
  const urls = [
    'https://notify.example/callbacks/twilio/a/s?notify_id=1',
    'https://notify.example:443/callbacks/twilio/a/s?notify_id=1',
    'https://notify.example:8443/callbacks/twilio/a/s?x=%27&y=a+b',
    'http://127.0.0.1:80/c',
    'http://[::1]:3000/c?notify_id=1',
  ];
  const bodies: readonly Readonly<Record<string, string | string[]>>[] = [
    {},
    { MessageStatus: 'sent', MessageSid: 'SM1', To: '+1', a: '', Body: 'ü 😀 & = %' },
    { b: ['2', '1', '2'], a: '1', B: 'x' },
  ];
  const form = (fields: (typeof bodies)[number]) => {
    const pairs = new URLSearchParams();
    for (const [name, value] of Object.entries(fields))
      for (const one of [value].flat()) pairs.append(name, one);
    return pairs;
  };
  const cases = urls.flatMap((url) => bodies.map((body) => [url, body] as const));

  test.each(cases)('%s %j', (url, body) => {
    const signature = vendor.getExpectedTwilioSignature(authToken, url, body);
    const verdicts = [
      [authToken, signature, url],
      ['another', signature, url],
      [authToken, `${signature}=`, url],
      [authToken, '', url],
      [authToken, signature, `${url}x`],
      [authToken, signature, url.replace(/:(80|443)\//, '/')],
      [authToken, signature, url.replace('.example/', '.example:443/')],
      [authToken, signature, url.replace('.example/', '.example:444/')],
    ].map(([token = '', given = '', at = '']) => [
      isSignedBy(token, given, at, form(body)),
      vendor.validateRequest(token, given, at, body),
    ]);
    expect(verdicts.map(([ours]) => ours)).toEqual(verdicts.map(([, theirs]) => theirs));
    expect(verdicts[0]).toEqual([true, true]);
    expect(verdicts[1]).toEqual([false, false]);
  });
});

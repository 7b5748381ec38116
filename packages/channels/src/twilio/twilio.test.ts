import type { Outcome } from '@notify/core';
import type { HttpRequest, HttpResult } from '@notify/egress';
import { noStream, sendRequest } from '../../test/conformance/conformance.ts';
import type { SendRequest } from '../adapter/channel.ts';
import { checkSettings } from '../settings/settings.ts';
import type { TwilioSettings } from './settings.ts';
import { twilio } from './twilio.ts';

const accountSid = `AC${'0a'.repeat(16)}`;
const messagingServiceSid = `MG${'3f'.repeat(16)}`;
const apiKey = { apiKeySid: `SK${'1b'.repeat(16)}`, apiKeySecret: 'key-secret' };
const settings: TwilioSettings = { accountSid, authToken: 'token', from: '+15005550006' };
const signal = new AbortController().signal;
const id = sendRequest().messageId;

/** Sends with a prepared answer. Returns the request and its outcome. */
async function send(
  of: TwilioSettings,
  changes: Partial<SendRequest> = {},
  status = 201,
  body: unknown = { sid: 'SM1' },
) {
  const asked: HttpRequest[] = [];
  const http = {
    request: async (request: HttpRequest): Promise<HttpResult> => {
      asked.push(request);
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      return { ok: true, status, headers: {}, body: bytes, truncated: false, durationMs: 1 };
    },
    stream: noStream,
    close: async () => undefined,
  };
  const context = { settings: of, http, baseUrl: 'https://api.twilio.com', signal };
  const outcome = await twilio.send(sendRequest(changes), context);
  const [asking] = asked;
  if (typeof asking?.body !== 'string') throw new Error('no form was sent');
  return { request: asking, form: new URLSearchParams(asking.body), outcome };
}

describe('the request', () => {
  test('goes to the account, as a form, with the address for receipts', async () => {
    const { request, form } = await send(settings);
    expect(request).toMatchObject({
      method: 'POST',
      url: `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages.json`,
      headers: {
        authorization: `Basic ${Buffer.from(`${accountSid}:token`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    expect(Object.fromEntries(form)).toEqual({
      To: '+4915112345678',
      From: '+15005550006',
      Body: 'Grüße & 100 % für "Ω" {{to}} 😀',
      ValidityPeriod: '36000',
      StatusCallback: `https://notify.example/callbacks/p/a/s?notify_id=${id}`,
    });
  });

  test('names the part and sends its text', async () => {
    const { form } = await send(settings, { part: 1, parts: 3, text: 'second' });
    expect(form.get('Body')).toBe('second');
    expect(form.get('StatusCallback')).toMatch(`?notify_id=${id}.1`);
  });

  test('asks for no receipts without an auth token or a public address', async () => {
    const { authToken: _, ...rest } = settings;
    expect((await send({ ...rest, ...apiKey })).form.has('StatusCallback')).toBe(false);
    expect((await send(settings, { callbackUrl: null })).form.has('StatusCallback')).toBe(false);
  });
});

describe('the answer', () => {
  const rejected = (errorCode: string) => ({ kind: 'rejected', errorCode });
  const account = { kind: 'connection-broken' };
  const throttled = { kind: 'throttled', scope: 'account' };

  test('may begin with a byte order mark, and its id may be a number', async () => {
    expect((await send(settings, {}, 201, '\ufeff{"sid":12345678901234567890}')).outcome).toEqual({
      kind: 'accepted',
      externalId: '12345678901234567890',
    });
  });

  test.each<[number, number, Partial<Outcome> | Record<string, unknown>]>([
    [400, 21211, rejected('recipient-rejected')],
    [400, 21214, rejected('recipient-rejected')],
    [400, 21217, rejected('recipient-rejected')],
    [403, 21408, rejected('recipient-rejected')],
    [400, 21610, rejected('recipient-opted-out')],
    [400, 21612, rejected('recipient-rejected')],
    [400, 21614, rejected('recipient-rejected')],
    [400, 21617, rejected('content-rejected')],
    [400, 29999, rejected('provider-rejected')],
    [401, 20003, account],
    [404, 20404, account],
    [400, 21606, account],
    [400, 21659, account],
    [400, 30002, account],
    [403, 29999, account],
    [429, 20429, { ...throttled, afterMs: 4_000 }],
    [429, 29999, { ...throttled, afterMs: 4_000 }],
    [400, 21611, { ...throttled, afterMs: 600_000 }],
    [500, 20500, { kind: 'retry', errorCode: 'provider-error' }],
    [503, 20503, { kind: 'retry', errorCode: 'provider-error' }],
  ])('%d with code %d', async (status, code, expected) => {
    const { outcome } = await send(settings, { throttles: 2 }, status, {
      code,
      message: 'Its own words',
      status,
    });
    expect(outcome).toMatchObject({ ...expected, text: `${code}: Its own words` });
    const codes = 'providerCode' in outcome ? [outcome.providerCode] : [];
    expect(codes).toEqual(outcome.kind === 'throttled' ? [] : [String(code)]);
  });

  test.each([500, 502, 504])('%d without Twilio’s own words, with at-most-once', async (status) => {
    const careful = { ...settings, onUnknownOutcome: 'at-most-once' as const };
    expect(await send(careful, {}, status, '<html>')).toMatchObject({ outcome: { kind: 'unknown' } });
    expect(await send(careful, {}, status, { code: 20500, message: 'm' })).toMatchObject({
      outcome: { kind: 'retry' },
    });
    expect(await send(settings, {}, status, '<html>')).toMatchObject({ outcome: { kind: 'retry' } });
  });

  test('an error that quotes the receipt address does not show its secret', async () => {
    const message = 'The StatusCallback URL https://notify.example/callbacks/p/a/s?notify_id=1 is not valid.';
    const { outcome } = await send(settings, {}, 400, { code: 21609, message });
    expect(outcome).toMatchObject({
      text: '21609: The StatusCallback URL ***?notify_id=1 is not valid.',
    });
  });
});

test('cuts a long text at 1600 and counts its segments', () => {
  expect(twilio.split?.('a'.repeat(1_600), settings, 'readable')).toEqual({
    texts: ['a'.repeat(1_600)],
    segments: 11,
  });
  const long = twilio.split?.('ж'.repeat(4_096), settings, 'readable');
  expect(long?.texts.map(({ length }) => length)).toEqual([1_600, 1_600, 896]);
  expect(long?.segments).toBe(62);
});

test.each<[string, Record<string, unknown>, readonly string[]]>([
  ['the token alone', {}, []],
  ['a key beside it', apiKey, []],
  ['a short code', { from: '12345' }, []],
  ['a name', { from: 'My Shop' }, []],
  ['no credential', { authToken: undefined }, ['/authToken']],
  ['half a key', { apiKeySid: apiKey.apiKeySid }, ['/apiKeySecret']],
  ['the other half', { apiKeySecret: 'x' }, ['/apiKeySid']],
  ['no sender', { from: undefined }, ['/from']],
  ['two senders', { messagingServiceSid }, ['/from']],
  ['a number that is none', { from: '+0' }, ['/from']],
  ['a name that is too long', { from: 'abcdefghijkl' }, ['/from']],
])('settings: %s', (_, changes, faults) => {
  const given = JSON.parse(JSON.stringify({ ...settings, ...changes })) as unknown;
  expect(checkSettings(twilio, given).map(({ at }) => at)).toEqual(faults);
});

test('one message a second, unless the sender may do more', () => {
  expect(twilio.pace?.(settings)).toEqual({ perSecond: 1 });
  expect(twilio.pace?.({ ...settings, ratePerSecond: 100 })).toEqual({ perSecond: 100 });
});

import { generateKeyPairSync } from 'node:crypto';
import type { HttpRequest, HttpResult } from '@notify/egress';
import { noStream, sendRequest } from '../../test/conformance/conformance.ts';
import { httpSms } from '../http-sms/http-sms.ts';
import { adapters } from '../registry.ts';
import { checkSettings } from '../settings/settings.ts';

/* What remains of a message's life, as each provider takes it (item by item in its own documentation). */

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const accountSid = `AC${'0a'.repeat(16)}`;
const messagingServiceSid = `MG${'3f'.repeat(16)}`;
const fromNumber = { accountSid, authToken: 'token', from: '+15005550006' };
const fromService = { accountSid, authToken: 'token', messagingServiceSid };
const vonage = {
  applicationId: '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e',
  privateKey,
  signatureSecret: 'secret',
  from: 'Shop',
};
const kannel = {
  profile: 'kannel',
  url: 'http://kannel.example/cgi-bin/sendsms',
  username: 'u',
  password: 'p',
};
const day = 86_400_000;

/** The request with which a provider is asked to send a message that has so much left to live. */
async function asked(provider: string, settings: unknown, lifetimeMs: number): Promise<HttpRequest> {
  const requests: HttpRequest[] = [];
  const http = {
    request: async (request: HttpRequest): Promise<HttpResult> => {
      requests.push(request);
      const body = Buffer.from('{}');
      return { ok: true, status: 200, headers: {}, body, truncated: false, durationMs: 1 };
    },
    stream: noStream,
    close: async () => undefined,
  };
  const { signal } = new AbortController();
  const request = sendRequest({ lifetimeMs, body: { text: 'hello' } });
  await adapters
    .get(provider)!
    .send(request, { settings, http, baseUrl: 'https://provider.example', signal });
  return requests[0]!;
}

test.each([
  ['a week', 7 * day, 604_800],
  ['a day', day, 86_400],
  ['a code of ten minutes, part of a second later', 599_950, 599],
  ['less than the least that Vonage takes', 11_000, 20],
  ['nothing', 0, 20],
  ['more than the most that Vonage takes', 8 * day, 604_800],
])('Vonage gets whole seconds: %s', async (_, lifetimeMs, ttl) => {
  const { body } = await asked('vonage', vonage, lifetimeMs);
  expect(JSON.parse(body as string)).toHaveProperty('ttl', ttl);
});

test.each([
  ['a day, from a number', fromNumber, day, '36000'],
  ['a day, from a service with its own period', fromService, day, null],
  ['ten minutes, from such a service', fromService, 600_000, '600'],
  ['ten minutes', fromNumber, 599_950, '599'],
  ['the account’s own limit', { ...fromNumber, validitySeconds: 120 }, day, '120'],
  ['less than the account’s own limit', { ...fromNumber, validitySeconds: 120 }, 90_000, '90'],
  ['less than a second', fromNumber, 400, '1'],
])('Twilio gets seconds of each message: %s', async (_, settings, lifetimeMs, validity) => {
  const { body } = await asked('twilio', settings, lifetimeMs);
  expect(new URLSearchParams(body as string).get('ValidityPeriod')).toBe(validity);
});

test.each([
  [7 * day, '10080'],
  [600_000, '10'],
  [599_950, '9'],
  [90_000, '1'],
  [20_000, '1'],
])('Kannel gets whole minutes, at least one: %d ms', async (lifetimeMs, validity) => {
  const { url } = await asked('http-sms', kannel, lifetimeMs);
  expect(new URL(url).searchParams.get('validity')).toBe(validity);
});

describe('a gateway by template', () => {
  const template = `{"to":"{{to}}","text":"{{text}}","s":{{ttl_seconds}},"m":{{ttl_minutes}},"ms":{{ttl_ms}},"at":"{{expires_at}}"}`;
  const gateway = { url: 'https://gw.example/send', body: { type: 'json', template } };
  const sent = async (lifetimeMs: number, lifetime?: object) => {
    const before = Date.now();
    const { body } = await asked('http-sms', { ...gateway, lifetime }, lifetimeMs);
    const { s, m, ms, at } = JSON.parse(body as string) as { s: number; m: number; ms: number; at: string };
    expect(Date.parse(at) - before).toBeGreaterThan(s * 1_000 - 1_001);
    expect(Date.parse(at) - Date.now()).toBeLessThanOrEqual(s * 1_000);
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    return [s, m, ms];
  };

  test('gets seconds, minutes, milliseconds and the time of the end', async () => {
    expect(await sent(599_950)).toEqual([599, 9, 599_000]);
    expect(await sent(7 * day)).toEqual([604_800, 10_080, 604_800_000]);
  });

  test('gets at least one unit, for a message that is still alive', async () => {
    expect(await sent(300)).toEqual([1, 1, 1_000]);
  });

  test('has limits of its own', async () => {
    const lifetime = { minSeconds: 300, maxSeconds: 172_800 };
    expect(await sent(30_000, lifetime)).toEqual([300, 5, 300_000]);
    expect(await sent(7 * day, lifetime)).toEqual([172_800, 2_880, 172_800_000]);
    const impossible = { ...gateway, lifetime: { minSeconds: 60, maxSeconds: 30 } };
    expect(checkSettings(httpSms, impossible).map(({ at }) => at)).toEqual(['/lifetime/maxSeconds']);
    const ofKannel = { ...kannel, lifetime };
    expect(checkSettings(httpSms, ofKannel).map(({ at }) => at)).toEqual(['/lifetime']);
  });

  test('may have the numbers outside of strings, but not the time', () => {
    expect(checkSettings(httpSms, gateway)).toEqual([]);
    const bare = {
      ...gateway,
      body: { type: 'json', template: template.replace('"{{expires_at}}"', '{{expires_at}}') },
    };
    expect(checkSettings(httpSms, bare).map(({ at }) => at)).toEqual(['/body/template']);
  });
});

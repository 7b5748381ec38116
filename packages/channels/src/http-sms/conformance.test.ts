import { conformance, type Subject } from '../conformance.ts';
import { httpSms } from './http-sms.ts';
import type { HttpSmsSettings } from './settings.ts';

const password = 'pä$$ wörd/"&=';
const taken = { status: 200, body: '{"ok":true,"message":{"id":"gw-17"}}' };
const headers = { authorization: 'Bearer {{secret.token}}' };
const secrets = { token: 'tok-5f3a/9%', pin: password };
const json: Partial<HttpSmsSettings> = {
  headers,
  body: { type: 'json', template: '{"to":"{{to}}","text":"{{text}}","pin":"{{secret.pin}}"}' },
  success: { status: ['200'], body: '"ok": *true' },
  externalId: { pointer: '/message/id' },
  verifyUrl: 'http://unused.example/',
};
const form: Partial<HttpSmsSettings> = {
  body: {
    type: 'form',
    fields: { to: '{{to}}', text: '{{text}}', pin: '{{secret.pin}}', token: '{{secret.token}}' },
  },
  externalId: { pattern: '"id":"([^"]+)"' },
};

function byTemplate(settings: Partial<HttpSmsSettings>): Subject {
  return {
    adapter: httpSms,
    settings: (baseUrl): HttpSmsSettings => ({
      ...settings,
      url: `${baseUrl}/send?v=2`,
      secrets,
      ...(settings.verifyUrl === undefined ? {} : { verifyUrl: `${baseUrl}/balance?pin={{secret.pin}}` }),
      reports: { status: 'status', values: { ok: 'delivered' } },
    }),
    secrets: Object.values(secrets),
    http: { taken, externalId: 'gw-17' },
  };
}

const kannel: Subject = {
  adapter: httpSms,
  settings: (baseUrl): HttpSmsSettings => ({
    profile: 'kannel',
    url: `${baseUrl}/cgi-bin/sendsms`,
    username: 'tester',
    password,
  }),
  secrets: [password],
  http: { taken: { status: 202, body: '0: Accepted for delivery' }, externalId: null },
};

describe.each([
  ['a JSON gateway', byTemplate(json)],
  ['a form gateway', byTemplate(form)],
  ['the Kannel profile', kannel],
])('%s', (_, subject) => {
  test.each(conformance(subject))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

import {
  type GatewayName,
  gatewayProtocols,
  type PeerCallback,
  postedBy,
  type Protocol,
} from '@notify/testkit';
import {
  callbackRequest,
  conformance,
  type InboundSubject,
  type Subject,
} from '../../test/conformance/conformance.ts';
import { httpSms } from './http-sms.ts';
import type { HttpSmsSettings } from './settings/settings.ts';

const password = 'pä$$ wörd/"&=';
const taken = { status: 200, body: '{"ok":true,"message":{"id":"gw-17"}}' };
const headers = { authorization: 'Bearer {{secret.token}}' };
const secrets = { token: 'tok-5f3a/9%', pin: password };
const json: Partial<HttpSmsSettings> = {
  headers,
  body: {
    type: 'json',
    template: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","pin":"{{secret.pin}}"}',
  },
  success: { status: ['200'], body: '"ok": *true' },
  externalId: { pointer: '/message/id' },
  verifyUrl: 'http://unused.example/',
};
const form: Partial<HttpSmsSettings> = {
  body: {
    type: 'form',
    fields: {
      to: '{{to}}',
      from: '{{from}}',
      text: '{{text}}',
      pin: '{{secret.pin}}',
      token: '{{secret.token}}',
    },
  },
  externalId: { pattern: '"id":"([^"]+)"' },
};

const pointers = { from: '/from', text: '/text', id: '/id', time: '/time', charset: '/charset' };
const parameters = { from: 'from', text: 'text', id: 'id', charset: 'charset' };
const document = {
  from: '+4915112345678',
  text: 'Hi',
  id: '1',
  time: '1769860800',
  charset: 'UTF-8',
  more: { a: [1] },
};
const signJson = (value: unknown) => callbackRequest({ body: Buffer.from(JSON.stringify(value)) });
const signForm = (fields: Readonly<Record<string, string>>) =>
  callbackRequest({
    body: Buffer.from(new URLSearchParams({ from: '+4915112345678', ...fields }).toString()),
  });

/** The callbacks of a gateway in JSON, and as a form. */
const byJson: InboundSubject = {
  text: (id, text) => signJson({ ...document, id, text }),
  unknown: signJson({ ...document, charset: '8-BIT' }),
  document: { value: document, sign: signJson },
};
const byForm: InboundSubject = {
  text: (id, text) => signForm({ id, text }),
  unknown: signForm({ id: '1', text: 'x', charset: 'binary' }),
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
      inbound: settings === json ? pointers : parameters,
    }),
    secrets: Object.values(secrets),
    http: { taken, externalId: 'gw-17' },
    inbound: settings === json ? byJson : byForm,
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
  inbound: byForm,
};

/** A gateway with a profile. Its callbacks are signed by the testkit, which knows the gateway from its documentation. */
function withProfile(name: GatewayName, secrets: readonly string[]): Subject {
  const protocol: Protocol = gatewayProtocols[name];
  const { status, body } = protocol.taken('gw-17');
  const signed = (callback: PeerCallback) => {
    const { body: text } = postedBy(callback);
    const request = callbackRequest();
    return { ...request, body: Buffer.from(text), headers: protocol.sign(request.publicUrl!, text) };
  };
  const write = (id: string, text: string) => protocol.write({ id, from: '+4915112345678', text });
  const { document } = write('1', 'Hi');
  const sign = (value: unknown) => signed({ method: 'POST', document: value });
  return {
    adapter: httpSms,
    settings: (baseUrl) => protocol.settings(baseUrl),
    secrets,
    // The phone of SMSGate sends from its own number.
    ...(name === 'smsgate' ? { senders: false } : {}),
    http: {
      taken: { status, body: JSON.stringify(body) },
      externalId: name === 'smsgate' ? null : 'gw-17',
    },
    inbound: {
      text: (id, text) => signed(write(id, text)),
      unknown: unknownOf[name] === undefined ? null : signed({ method: 'POST', document: unknownOf[name] }),
      ...(document === undefined ? {} : { document: { value: document, sign } }),
    },
  };
}

/** A message that is no text, of the gateways that hand over such. */
const unknownOf: Partial<Record<GatewayName, unknown>> = {
  telnyx: {
    data: {
      event_type: 'message.received',
      payload: {
        id: '1',
        type: 'MMS',
        from: { phone_number: '+4915112345678' },
        text: '',
        media: [{ url: 'https://media.example/1' }],
      },
    },
  },
  smsgate: {
    event: 'sms:data-received',
    id: '1',
    payload: { phoneNumber: '+4915112345678', data: 'SGVsbG8=' },
  },
  sinch: { type: 'mo_binary', id: '1', from: '4915112345678', body: 'SGVsbG8=' },
};

describe.each([
  ['a JSON gateway', byTemplate(json)],
  ['a form gateway', byTemplate(form)],
  ['the Kannel profile', kannel],
  ['the Telnyx profile', withProfile('telnyx', ['KEY0123456789ABCDEF_telnyx'])],
  ['the SMSGate profile', withProfile('smsgate', ['phone-password', 'phone-signing-key'])],
  ['the Plivo profile', withProfile('plivo', ['plivo-auth-token'])],
  ['the Infobip profile', withProfile('infobip', ['infobip-api-key', 'webhook-password'])],
  ['the Sinch profile', withProfile('sinch', ['sinch-api-token', 'sinch-secret'])],
  ['the profile of Africa’s Talking', withProfile('africastalking', ['atsk_0123456789'])],
])('%s', (_, subject) => {
  test.each(conformance(subject))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

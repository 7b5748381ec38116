import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { callbackRequest, conformance, type Subject } from '../../test/conformance/conformance.ts';
import type { VonageSettings } from './settings.ts';
import { vonage } from './vonage.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const signatureSecret = 'sïgn/"a9%';
const uuid = 'aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab';

const subject: Subject = {
  adapter: vonage,
  settings: (): VonageSettings => ({
    applicationId: '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e',
    privateKey,
    signatureSecret,
    from: 'Notify',
  }),
  // A line from the middle of the key, and the header that every token of an application begins with.
  secrets: [signatureSecret, privateKey.split('\n')[3] ?? '', 'eyJhbGciOiJSUzI1NiIs'],
  http: { taken: { status: 202, body: JSON.stringify({ message_uuid: uuid }) }, externalId: uuid },
};

/** A callback in the form of the Messages API. */
function byToken(document: unknown) {
  const body = Buffer.from(JSON.stringify(document));
  const claims = { payload_hash: createHash('sha256').update(body).digest('hex') };
  return callbackRequest({ body, headers: { authorization: `Bearer ${jwt.sign(claims, signatureSecret)}` } });
}

/** A callback in the form of the SMS API. */
function byFields(fields: Readonly<Record<string, string>>) {
  const all = { ...fields, nonce: 'n', timestamp: String(Math.floor(Date.now() / 1_000)) };
  const named = Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const toSign = named.map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`).join('');
  const sig = createHmac('sha256', signatureSecret).update(toSign).digest('hex');
  return callbackRequest({ body: Buffer.from(new URLSearchParams({ ...all, sig }).toString()) });
}

const message = { from: '447700900001', to: '447700900000', channel: 'sms', message_type: 'text' };
const value = {
  ...message,
  message_uuid: uuid,
  text: 'Hi',
  timestamp: '2026-01-31T12:00:00Z',
  sms: { num_messages: '1' },
};
const sms = {
  msisdn: '447700900001',
  to: '447700900000',
  type: 'text',
  'message-timestamp': '2026-01-31 12:00:00',
};

const bySmsApi: Subject = {
  ...subject,
  inbound: {
    text: (messageId, text) => byFields({ ...sms, messageId, text }),
    unknown: byFields({ ...sms, messageId: '1', type: 'binary', data: '00' }),
  },
};
const byMessagesApi: Subject = {
  ...subject,
  inbound: {
    text: (id, text) => byToken({ ...message, message_uuid: id, text }),
    unknown: byToken({ ...message, message_uuid: '1', message_type: 'hologram' }),
    document: { value, sign: byToken },
  },
};

describe.each([
  ['with the Messages API', byMessagesApi],
  ['with incoming messages of the SMS API', bySmsApi],
])('%s', (_, account) => {
  test.each(conformance(account))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

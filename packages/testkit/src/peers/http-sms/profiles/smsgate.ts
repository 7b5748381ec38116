import { createHmac } from 'node:crypto';
import { basic, nowSeconds, objectIn, type Protocol, textOf } from './protocol.ts';

const [username, password, signingKey] = ['SMSGATE', 'phone-password', 'phone-signing-key'];

/** docs.sms-gate.app, "Sending Messages" and "Webhooks". */
export const smsgate: Protocol = {
  settings: (url) => ({ profile: 'smsgate', url, username, password, signingKey }),
  wrong: { password: 'unknown' },
  paths: { send: '/messages', probe: '/webhooks' },
  isKnown: ({ headers }) => headers['authorization'] === basic(username, password),
  read({ body }) {
    const { id, textMessage, phoneNumbers, ttl } = objectIn(body) ?? {};
    const text = textOf((textMessage as { text?: unknown } | undefined)?.text);
    const numbers = Array.isArray(phoneNumbers) ? phoneNumbers.map(textOf) : [];
    const [to = null] = numbers;
    const isLong = typeof id === 'string' && id.length > 36;
    if (text === null || to === null || isLong || !/^\+\d+$/.test(to)) return null;
    return {
      to,
      from: null,
      text,
      reference: textOf(id),
      reportUrl: null,
      lifetimeSeconds: typeof ttl === 'number' ? ttl : null,
    };
  },
  taken: (id) => ({ status: 202, body: { id, deviceId: 'device', state: 'Pending', isHashed: false } }),
  report: ({ to, reference }, _id, status) => ({
    method: 'POST',
    document: {
      deviceId: 'device',
      event: `sms:${status}`,
      id: `event-${reference}-${status}`,
      payload: {
        messageId: reference,
        phoneNumber: to,
        recipient: to,
        simNumber: 1,
        ...(status === 'failed' ? { reason: 'RESULT_ERROR_GENERIC_FAILURE' } : {}),
      },
      webhookId: 'hook',
    },
  }),
  write: ({ id, from, text }) => ({
    method: 'POST',
    document: {
      deviceId: 'device',
      event: 'sms:received',
      id,
      payload: {
        messageId: 'of-the-text',
        message: text,
        phoneNumber: from,
        sender: from,
        recipient: null,
        simNumber: 1,
        receivedAt: '2026-02-01T15:00:00.000+07:00',
      },
      webhookId: 'hook',
    },
  }),
  sign(_url, body) {
    const timestamp = nowSeconds();
    return {
      'x-timestamp': timestamp,
      'x-signature': createHmac('sha256', signingKey).update(body).update(timestamp).digest('hex'),
    };
  },
};

import { createPrivateKey, sign } from 'node:crypto';
import { nowSeconds, objectIn, type Protocol, textOf } from './protocol.ts';

const apiKey = 'KEY0123456789ABCDEF_telnyx';

/** The key pair of TEST 3 of RFC 8032, section 7.1. */
const secretKey = 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7';
const publicKey = '/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=';
const privateKey = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${secretKey}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});

const words = { sent: 'sent', delivered: 'delivered', failed: 'delivery_failed' } as const;

/** developers.telnyx.com, "Send a message" and "Receiving Webhooks for Messaging". */
export const telnyx: Protocol = {
  settings: (url) => ({ profile: 'telnyx', url, apiKey, publicKey, from: '+13125550001' }),
  wrong: { apiKey: 'KEYunknown' },
  paths: { send: '/v2/messages', probe: '/v2/balance' },
  isKnown: ({ headers }) => headers['authorization'] === `Bearer ${apiKey}`,
  read({ body }) {
    const { to, from, text, webhook_url: url } = objectIn(body) ?? {};
    const [receiver, words] = [textOf(to), textOf(text)];
    if (receiver === null || words === null || !/^\+\d+$/.test(receiver)) return null;
    return {
      to: receiver,
      from: textOf(from),
      text: words,
      reference: null,
      reportUrl: textOf(url),
      lifetimeSeconds: null,
    };
  },
  taken: (id) => ({
    status: 200,
    body: { data: { record_type: 'message', direction: 'outbound', id, to: [{ status: 'queued' }] } },
  }),
  report: ({ to, from, text }, id, status) => ({
    method: 'POST',
    document: {
      data: {
        record_type: 'event',
        event_type: status === 'sent' ? 'message.sent' : 'message.finalized',
        id: `event-${id}`,
        payload: {
          record_type: 'message',
          direction: 'outbound',
          id,
          type: 'SMS',
          from: { phone_number: from },
          to: [{ phone_number: to, status: words[status] }],
          text,
          errors: status === 'failed' ? [{ code: '40001', title: 'Not routable' }] : [],
        },
      },
      meta: { attempt: 1 },
    },
  }),
  write: ({ id, from, text }) => ({
    method: 'POST',
    document: {
      data: {
        record_type: 'event',
        event_type: 'message.received',
        id: `event-${id}`,
        payload: {
          record_type: 'message',
          direction: 'inbound',
          id,
          type: 'SMS',
          from: { phone_number: from, carrier: 'T-Mobile USA', line_type: 'Wireless' },
          to: [{ phone_number: '+13125550001', status: 'webhook_delivered' }],
          text,
          received_at: '2026-02-01T08:00:00.000+00:00',
        },
      },
    },
  }),
  sign(_url, body) {
    const timestamp = nowSeconds();
    const signed = Buffer.concat([Buffer.from(`${timestamp}|`), Buffer.from(body)]);
    return {
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': sign(null, signed, privateKey).toString('base64'),
    };
  },
};

import { createHmac, randomUUID } from 'node:crypto';
import { nowSeconds, objectIn, type Protocol, textOf } from './protocol.ts';

const [accountId, apiKey, signingKey] = [
  'jd63jf88477ll123ab4567cd89012ef3',
  'sinch-api-token',
  'sinch-secret',
];
const words = { sent: 'Dispatched', delivered: 'Delivered', failed: 'Failed' } as const;

/** developers.sinch.com/docs/sms/api-reference: "Batches", "Delivery reports" and "Webhooks". */
export const sinch: Protocol = {
  settings: (url) => ({ profile: 'sinch', url, accountId, apiKey, signingKey, from: '+12025550134' }),
  wrong: { apiKey: 'unknown' },
  paths: { send: `/xms/v1/${accountId}/batches`, probe: `/xms/v1/${accountId}/batches` },
  isKnown: ({ headers }) => headers['authorization'] === `Bearer ${apiKey}`,
  read({ body }) {
    const asked = objectIn(body) ?? {};
    const { from, to, body: content, callback_url: url, client_reference: reference } = asked;
    const { expire_at: expiry, delivery_report: reports } = asked;
    const [receiver = null] = Array.isArray(to) ? to.map(textOf) : [];
    const text = textOf(content);
    if (receiver === null || text === null) return null;
    const left = typeof expiry === 'string' ? (Date.parse(expiry) - Date.now()) / 1_000 : null;
    return {
      to: receiver,
      from: textOf(from),
      text,
      reference: textOf(reference),
      reportUrl: reports === 'per_recipient' ? textOf(url) : null,
      lifetimeSeconds: left,
    };
  },
  taken: (id) => ({ status: 201, body: { id, type: 'mt_text', canceled: false } }),
  report: ({ to, reference }, id, status) => ({
    method: 'POST',
    document: {
      type: 'recipient_delivery_report_sms',
      batch_id: id,
      recipient: to.replace('+', ''),
      code: status === 'failed' ? 402 : 0,
      status: words[status],
      client_reference: reference,
      at: '2026-02-01T08:00:00.000Z',
    },
  }),
  write: ({ id, from, text }) => ({
    method: 'POST',
    document: {
      type: 'mo_text',
      id,
      from: from.replace('+', ''),
      to: '12025550134',
      body: text,
      received_at: '2026-02-01T08:00:00.000Z',
    },
  }),
  sign(_url, body) {
    const [nonce, timestamp] = [randomUUID(), nowSeconds()];
    const mac = createHmac('sha256', signingKey).update(body).update(`.${nonce}.${timestamp}`);
    return {
      'x-sinch-webhook-signature': mac.digest('base64'),
      'x-sinch-webhook-signature-nonce': nonce,
      'x-sinch-webhook-signature-timestamp': timestamp,
      'x-sinch-webhook-signature-algorithm': 'HmacSHA256',
    };
  },
};

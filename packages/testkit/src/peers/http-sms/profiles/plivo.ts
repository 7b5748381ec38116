import { createHmac } from 'node:crypto';
import { basic, objectIn, type Protocol, textOf } from './protocol.ts';

const [accountId, apiKey] = ['MAXXXXXXXXXXXXXXXXXX', 'plivo-auth-token'];
const words = { sent: 'sent', delivered: 'delivered', failed: 'undelivered' } as const;

/** plivo.com/docs/messaging: "Send a message", "Message Status Callbacks", "Message request" and "Signature Validation". */
export const plivo: Protocol = {
  settings: (url) => ({ profile: 'plivo', url, accountId, apiKey, from: '14155550101' }),
  wrong: { apiKey: 'unknown' },
  paths: { send: `/v1/Account/${accountId}/Message/`, probe: `/v1/Account/${accountId}/` },
  isKnown: ({ headers }) => headers['authorization'] === basic(accountId, apiKey),
  read({ body }) {
    const { src, dst, text, url } = objectIn(body) ?? {};
    const [from, to, words] = [textOf(src), textOf(dst), textOf(text)];
    if (from === null || to === null || words === null) return null;
    return { to, from, text: words, reference: null, reportUrl: textOf(url), lifetimeSeconds: null };
  },
  taken: (id) => ({ status: 202, body: { message: 'message(s) queued', message_uuid: [id], api_id: 'api' } }),
  report: ({ to, from }, id, status) => ({
    method: 'POST',
    form: {
      MessageUUID: id,
      ParentMessageUUID: id,
      To: to.replace('+', ''),
      From: from ?? '',
      Status: words[status],
      Units: '1',
      ...(status === 'failed' ? { ErrorCode: '300' } : {}),
    },
  }),
  write: ({ id, from, text }) => ({
    method: 'POST',
    form: { From: from.replace('+', ''), To: '14155550101', Type: 'sms', Text: text, MessageUUID: id },
  }),
  sign(url) {
    const nonce = '05429567804466091622';
    const signed = `${url.split('?', 1)[0]}${nonce}`;
    return {
      'x-plivo-signature-v2': createHmac('sha256', apiKey).update(signed).digest('base64'),
      'x-plivo-signature-v2-nonce': nonce,
    };
  },
};

import { type Protocol, textOf } from './protocol.ts';

const [username, apiKey] = ['notify', 'atsk_0123456789'];
const words = { sent: 'Sent', delivered: 'Success', failed: 'Failed' } as const;

/** developers.africastalking.com/docs/sms: "Sending" and "Notifications". It does not sign callbacks. */
export const africasTalking: Protocol = {
  settings: (url) => ({ profile: 'africastalking', url, username, apiKey, from: 'NOTIFY' }),
  wrong: { apiKey: 'unknown' },
  paths: { send: '/version1/messaging', probe: '/version1/user' },
  isKnown: ({ headers }) => headers['apikey'] === apiKey,
  read({ body }) {
    const form = new URLSearchParams(body);
    const [to, text] = [textOf(form.get('to')), textOf(form.get('message'))];
    if (form.get('username') !== username || to === null || text === null) return null;
    return {
      to,
      from: textOf(form.get('from')),
      text,
      reference: null,
      reportUrl: null,
      lifetimeSeconds: null,
    };
  },
  taken: (messageId) => ({
    status: 201,
    body: {
      SMSMessageData: {
        Message: 'Sent to 1/1 Total Cost: KES 0.8000',
        Recipients: [
          { statusCode: 101, number: '+254711000000', status: 'Success', cost: 'KES 0.8000', messageId },
        ],
      },
    },
  }),
  report: ({ to }, id, status) => ({
    method: 'POST',
    form: {
      id,
      status: words[status],
      phoneNumber: to,
      networkCode: '63902',
      ...(status === 'failed' ? { failureReason: 'UserIsInactive' } : {}),
    },
  }),
  write: ({ id, from, text }) => ({
    method: 'POST',
    form: { id, from, to: '22384', text, date: '2026-02-01 08:00:00', linkId: 'link', networkCode: '63902' },
  }),
  sign: () => ({}),
};

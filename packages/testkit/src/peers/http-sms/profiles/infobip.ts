import { basic, objectIn, type Protocol, textOf } from './protocol.ts';

const apiKey = 'infobip-api-key';
const [username, password] = ['infobip', 'webhook-password'];
const groups = {
  sent: { groupId: 1, groupName: 'PENDING' },
  delivered: { groupId: 3, groupName: 'DELIVERED' },
  failed: { groupId: 2, groupName: 'UNDELIVERABLE' },
} as const;

interface Message {
  readonly sender?: unknown;
  readonly destinations?: readonly { readonly to?: unknown; readonly messageId?: unknown }[];
  readonly content?: { readonly text?: unknown };
  readonly options?: { readonly validityPeriod?: { readonly amount?: unknown; readonly timeUnit?: unknown } };
  readonly webhooks?: { readonly delivery?: { readonly url?: unknown } };
}

/** infobip.com/docs/api/channels/sms, version 3, and "Subscriptions": callbacks with a user name and a password. */
export const infobip: Protocol = {
  settings: (url) => ({
    profile: 'infobip',
    url,
    apiKey,
    from: 'Notify',
    callbackSignature: { type: 'basic', username, password },
  }),
  wrong: { apiKey: 'unknown' },
  paths: { send: '/sms/3/messages', probe: '/account/1/balance' },
  isKnown: ({ headers }) => headers['authorization'] === `App ${apiKey}`,
  read({ body }) {
    const [message] = (objectIn(body)?.['messages'] ?? []) as readonly Message[];
    const [destination] = message?.destinations ?? [];
    const [to, text] = [textOf(destination?.to), textOf(message?.content?.text)];
    const { amount, timeUnit } = message?.options?.validityPeriod ?? {};
    if (to === null || text === null || !/^\d+$/.test(to)) return null;
    return {
      to,
      from: textOf(message?.sender),
      text,
      reference: textOf(destination?.messageId),
      reportUrl: textOf(message?.webhooks?.delivery?.url),
      lifetimeSeconds: typeof amount === 'number' && timeUnit === 'MINUTES' ? amount * 60 : null,
    };
  },
  taken: (id) => ({
    status: 200,
    body: {
      bulkId: 'bulk',
      messages: [{ messageId: id, status: { ...groups.sent, name: 'PENDING_ACCEPTED' } }],
    },
  }),
  report: ({ to, reference }, _id, status) => ({
    method: 'POST',
    document: {
      results: [
        {
          bulkId: 'bulk',
          messageId: reference,
          to,
          smsCount: 1,
          status: { ...groups[status], description: 'As the operator says.' },
          error:
            status === 'failed'
              ? { groupId: 1, groupName: 'HANDSET_ERRORS', description: 'Absent subscriber' }
              : { groupId: 0, groupName: 'OK', description: 'No Error' },
        },
      ],
    },
  }),
  write: ({ id, from, text }) => ({
    method: 'POST',
    document: {
      results: [
        {
          messageId: id,
          from: from.replace('+', ''),
          to: '385921004026',
          text,
          cleanText: text,
          keyword: '',
          receivedAt: '2026-02-01T08:00:00.000+0000',
          smsCount: 1,
        },
      ],
      messageCount: 1,
      pendingMessageCount: 0,
    },
  }),
  sign: () => ({ authorization: basic(username, password) }),
};

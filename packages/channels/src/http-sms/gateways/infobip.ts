import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway } from './gateway.ts';
import { commonOf, jsonBody, type Profile, senderField } from './profile.ts';

/**
 * Infobip: infobip.com/docs/api/channels/sms, "Send SMS messages" (version 3) for requests and answers, "Receive outbound SMS message
 * reports" for statuses, "Receive inbound SMS messages", and "Get account balance" for the probe. A callback holds a list. Infobip
 * calls with a user name and a password, or an HMAC, if its subscription has security settings.
 */
export const infobip: Profile = {
  url: null,
  addsPaths: true,
  required: ['apiKey'],
  optional: [],
  without: ['numberFormat'],
  signedBy: 'callbackSignature',
  gateway: infobipGateway,
};

function infobipGateway(settings: HttpSmsSettings, url: string): Gateway {
  const { apiKey = '' } = settings;
  const message = {
    ...senderField('sender', settings),
    destinations: [{ to: '{{to}}', messageId: '{{id}}' }],
    content: { text: '{{text}}' },
    options: { validityPeriod: { amount: '#ttl_minutes', timeUnit: 'MINUTES' } },
  };
  const webhooks = { delivery: { url: '{{dlr_url}}' }, contentType: 'application/json' };
  return {
    ...commonOf(settings),
    method: 'POST',
    url: `${url}/sms/3/messages`,
    headers: { Authorization: 'App {{secret.apiKey}}', Accept: 'application/json' },
    body: jsonBody({ messages: [message] }),
    reportBody: jsonBody({ messages: [{ ...message, webhooks }] }),
    values: {},
    secrets: { apiKey },
    secretSettings: {},
    numberFormat: 'digits',
    maxSegments: settings.maxSegments ?? Infinity,
    // The longest validity of a message is 48 hours.
    lifetime: { maxSeconds: 172_800 },
    success: { status: ['2xx'] },
    externalId: { pointer: '/messages/0/messageId' },
    // A 200 may refuse the message: "Response status and error codes".
    errors: [
      {
        status: ['2xx'],
        body: '"groupName": *"REJECTED"',
        means: 'permanent',
        errorCode: 'provider-rejected',
      },
    ],
    reports: {
      status: '/status/groupName',
      id: '/messageId',
      externalId: '/messageId',
      text: '/error/description',
      values: {
        PENDING: 'ignored',
        UNDELIVERABLE: 'failed',
        DELIVERED: 'delivered',
        EXPIRED: 'failed',
        REJECTED: 'failed',
      },
    },
    inbound: (field) =>
      field('/status/groupName') === null
        ? { from: '/from', to: '/to', text: '/text', id: '/messageId', time: '/receivedAt' }
        : undefined,
    list: '/results',
    signature: settings.callbackSignature,
    probe: {
      url: `${url}/account/1/balance`,
      body: null,
      good: ['200'],
      shows: 'Infobip accepts the API key.',
    },
  };
}

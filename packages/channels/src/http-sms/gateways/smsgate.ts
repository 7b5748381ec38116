import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway, InboundFields } from './gateway.ts';
import { basicOf, commonOf, jsonBody, type Profile } from './profile.ts';

/**
 * SMSGate, the Android app of capcom6: docs.sms-gate.app, "Sending Messages" for requests, "Status Tracking" and "Webhooks" for
 * statuses, incoming messages and signatures. The phone sends from its own number and splits long texts. Without a `ttl` it would
 * send a message hours later.
 */
export const smsgate: Profile = {
  url: 'https://api.sms-gate.app/3rdparty/v1',
  addsPaths: true,
  required: ['username', 'password'],
  optional: ['signingKey'],
  without: ['from', 'senders', 'numberFormat', 'maxSegments'],
  signedBy: 'signingKey',
  gateway: smsgateGateway,
};

function smsgateGateway(settings: HttpSmsSettings, url: string): Gateway {
  const { username = '', password = '', signingKey } = settings;
  return {
    ...commonOf(settings),
    method: 'POST',
    url: `${url}/messages`,
    headers: { Authorization: 'Basic {{secret.basic}}' },
    body: jsonBody({
      id: '{{id}}',
      textMessage: { text: '{{text}}' },
      phoneNumbers: ['{{to}}'],
      ttl: '#ttl_seconds',
      withDeliveryReport: true,
    }),
    reportBody: null,
    values: {},
    secrets: { basic: basicOf(username, password), password },
    secretSettings: { basic: 'password' },
    numberFormat: '+',
    maxSegments: Infinity,
    lifetime: {},
    // 409: it has a message with our id, so an earlier request arrived.
    success: { status: ['200-202', '409'] },
    externalId: undefined,
    errors: [],
    reports: {
      status: '/event',
      id: '/payload/messageId',
      text: '/payload/reason',
      values: { 'sms:sent': 'sent', 'sms:delivered': 'delivered', 'sms:failed': 'failed' },
    },
    inbound: receivedFields,
    signature:
      signingKey === undefined
        ? undefined
        : {
            type: 'hmac',
            algorithm: 'sha256',
            encoding: 'hex',
            secret: signingKey,
            header: 'X-Signature',
            timestampHeader: 'X-Timestamp',
            signed: '{{body}}{{timestamp}}',
          },
    probe: {
      url: `${url}/webhooks`,
      body: null,
      good: ['200'],
      shows: 'SMSGate accepts the user name and password.',
    },
  };
}

/**
 * `phoneNumber` is the sender's in apps before `sender`. `messageId` is made of the text, so two equal texts share it: the id of the
 * event is that of the message.
 */
function receivedFields(field: (name: string) => string | null): InboundFields | undefined {
  const event = field('/event');
  if (event === null || !/^(?:sms|mms):(?:data-)?received$/.test(event)) return undefined;
  return {
    from: field('/payload/sender') === null ? '/payload/phoneNumber' : '/payload/sender',
    to: '/payload/recipient',
    text: '/payload/message',
    id: '/id',
    time: '/payload/receivedAt',
    ...(event === 'sms:received' ? {} : { unsupported: event.split(':received')[0]!.replace(':', '-') }),
  };
}

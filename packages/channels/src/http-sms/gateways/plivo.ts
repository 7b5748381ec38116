import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway } from './gateway.ts';
import { basicOf, commonOf, jsonBody, type Profile, senderField } from './profile.ts';

/**
 * Plivo: plivo.com/docs/messaging, "Send a message" for requests and answers, "Message Status Callbacks" for statuses, "Message
 * request" for incoming messages, and "Signature Validation". Plivo signs callbacks of messages by version 2, which covers the
 * address without its query and a nonce.
 */
export const plivo: Profile = {
  url: 'https://api.plivo.com',
  addsPaths: true,
  required: ['accountId', 'apiKey'],
  optional: [],
  without: ['numberFormat'],
  signedBy: 'apiKey',
  gateway: plivoGateway,
};

function plivoGateway(settings: HttpSmsSettings, url: string): Gateway {
  const { accountId = '', apiKey = '' } = settings;
  const message = { ...senderField('src', settings), dst: '{{to}}', text: '{{text}}' };
  const account = `${url}/v1/Account/{{account_id}}`;
  return {
    ...commonOf(settings),
    method: 'POST',
    url: `${account}/Message/`,
    headers: { Authorization: 'Basic {{secret.basic}}' },
    body: jsonBody(message),
    reportBody: jsonBody({ ...message, url: '{{dlr_url}}', method: 'POST' }),
    values: { account_id: accountId },
    secrets: { basic: basicOf(accountId, apiKey), apiKey },
    secretSettings: { basic: 'apiKey' },
    numberFormat: '+',
    maxSegments: settings.maxSegments ?? Infinity,
    lifetime: {},
    success: { status: ['2xx'] },
    externalId: { pointer: '/message_uuid/0' },
    errors: [],
    reports: {
      status: 'Status',
      externalId: 'MessageUUID',
      text: 'ErrorCode',
      values: {
        queued: 'ignored',
        sent: 'sent',
        delivered: 'delivered',
        failed: 'failed',
        undelivered: 'failed',
        rejected: 'failed',
      },
    },
    inbound: (field) =>
      field('Status') === null && field('Text') !== null
        ? { from: 'From', to: 'To', text: 'Text', id: 'MessageUUID' }
        : undefined,
    signature: {
      type: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      secret: apiKey,
      header: 'X-Plivo-Signature-V2',
      signed: '{{base_url}}{{header.X-Plivo-Signature-V2-Nonce}}',
    },
    probe: {
      url: `${account}/`,
      body: null,
      good: ['200'],
      shows: 'Plivo accepts the Auth ID and Auth Token.',
    },
  };
}

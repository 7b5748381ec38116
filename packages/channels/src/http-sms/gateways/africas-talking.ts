import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway } from './gateway.ts';
import { commonOf, type Profile } from './profile.ts';

/**
 * Africa's Talking: developers.africastalking.com/docs/sms, "Sending" for requests, answers and status codes, "Notifications" for
 * delivery reports and incoming messages, and "Application data" for the probe. It does not sign callbacks, and calls one address
 * for each kind, which the dashboard of Africa's Talking holds.
 */
export const africasTalking: Profile = {
  url: 'https://api.africastalking.com',
  addsPaths: true,
  required: ['username', 'apiKey'],
  optional: [],
  without: ['numberFormat'],
  signedBy: 'callbackSignature',
  gateway: africasTalkingGateway,
};

function africasTalkingGateway(settings: HttpSmsSettings, url: string): Gateway {
  const { username = '', apiKey = '' } = settings;
  const code = (codes: string): string => `"statusCode": *(${codes})\\D`;
  return {
    ...commonOf(settings),
    method: 'POST',
    url: `${url}/version1/messaging`,
    headers: { apiKey: '{{secret.apiKey}}', Accept: 'application/json' },
    body: {
      type: 'form',
      fields: { username: '{{username}}', to: '{{to}}', from: '{{from}}', message: '{{text}}' },
    },
    reportBody: null,
    values: { username },
    secrets: { apiKey },
    secretSettings: {},
    numberFormat: '+',
    maxSegments: settings.maxSegments ?? Infinity,
    lifetime: {},
    // 100 Processed, 101 Sent, 102 Queued.
    success: { status: ['2xx'], body: code('10[012]') },
    externalId: { pointer: '/SMSMessageData/Recipients/0/messageId' },
    errors: [
      // 402 InvalidSenderId, 403 InvalidPhoneNumber, 404 UnsupportedNumberType.
      { status: ['2xx'], body: code('402'), means: 'permanent', errorCode: 'sender-rejected' },
      { status: ['2xx'], body: code('403|404'), means: 'permanent', errorCode: 'recipient-rejected' },
      // 405 InsufficientBalance.
      { status: ['2xx'], body: code('405'), means: 'broken' },
      // 406 UserInBlacklist, 409 DoNotDisturbRejection.
      { status: ['2xx'], body: code('406|409'), means: 'permanent', errorCode: 'recipient-opted-out' },
      // 500 InternalServerError, 501 GatewayError.
      { status: ['2xx'], body: code('500|501'), means: 'retry' },
    ],
    reports: {
      status: 'status',
      externalId: 'id',
      text: 'failureReason',
      values: {
        Sent: 'sent',
        Submitted: 'sent',
        Buffered: 'ignored',
        Success: 'delivered',
        Rejected: 'failed',
        Failed: 'failed',
      },
    },
    inbound: (field) =>
      field('status') === null && field('text') !== null
        ? { from: 'from', to: 'to', text: 'text', id: 'id', time: 'date' }
        : undefined,
    signature: settings.callbackSignature,
    probe: {
      url: `${url}/version1/user`,
      body: { type: 'query', fields: { username: '{{username}}' } },
      good: ['200'],
      shows: 'Africa’s Talking accepts the user name and the API key.',
    },
  };
}

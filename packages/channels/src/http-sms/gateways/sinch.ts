import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway, InboundFields } from './gateway.ts';
import { commonOf, jsonBody, type Profile, senderField } from './profile.ts';

/**
 * Sinch: developers.sinch.com/docs/sms/api-reference, "Batches" for requests and answers, "Delivery reports" for statuses, and
 * "Webhooks" for incoming messages and signatures, which an account manager of Sinch turns on.
 */
export const sinch: Profile = {
  url: 'https://us.sms.api.sinch.com',
  addsPaths: true,
  required: ['accountId', 'apiKey'],
  optional: ['signingKey'],
  without: ['numberFormat'],
  signedBy: 'signingKey',
  gateway: sinchGateway,
};

function sinchGateway(settings: HttpSmsSettings, url: string): Gateway {
  const { accountId = '', apiKey = '', signingKey } = settings;
  const message = {
    ...senderField('from', settings),
    to: ['{{to}}'],
    body: '{{text}}',
    client_reference: '{{id}}',
    expire_at: '{{expires_at}}',
  };
  const batches = `${url}/xms/v1/{{account_id}}/batches`;
  return {
    ...commonOf(settings),
    method: 'POST',
    url: batches,
    headers: { Authorization: 'Bearer {{secret.apiKey}}' },
    body: jsonBody(message),
    reportBody: jsonBody({ ...message, delivery_report: 'per_recipient', callback_url: '{{dlr_url}}' }),
    values: { account_id: accountId },
    secrets: { apiKey },
    secretSettings: {},
    numberFormat: '+',
    maxSegments: settings.maxSegments ?? Infinity,
    lifetime: {},
    success: { status: ['2xx'] },
    externalId: { pointer: '/id' },
    errors: [],
    reports: {
      status: '/status',
      externalId: '/batch_id',
      id: '/client_reference',
      values: {
        Queued: 'ignored',
        Dispatched: 'sent',
        Delivered: 'delivered',
        Aborted: 'failed',
        Cancelled: 'failed',
        Rejected: 'failed',
        Deleted: 'failed',
        Failed: 'failed',
        Expired: 'failed',
        Unknown: 'ignored',
      },
    },
    inbound: receivedFields,
    signature:
      signingKey === undefined
        ? undefined
        : {
            type: 'hmac',
            algorithm: 'sha256',
            encoding: 'base64',
            secret: signingKey,
            header: 'x-sinch-webhook-signature',
            timestampHeader: 'x-sinch-webhook-signature-timestamp',
            signed: '{{body}}.{{header.x-sinch-webhook-signature-nonce}}.{{timestamp}}',
          },
    probe: {
      url: `${batches}?page_size=1`,
      body: null,
      good: ['200'],
      shows: 'Sinch accepts the service plan and the API token.',
    },
  };
}

function receivedFields(field: (name: string) => string | null): InboundFields | undefined {
  const type = field('/type');
  if (type === null || !/^mo_[a-z]+$/.test(type)) return undefined;
  const kind = type.slice('mo_'.length);
  return {
    from: '/from',
    to: '/to',
    text: '/body',
    id: '/id',
    time: '/received_at',
    ...(kind === 'text' ? {} : { unsupported: kind }),
  };
}

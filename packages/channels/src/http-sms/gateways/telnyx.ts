import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway, InboundFields } from './gateway.ts';
import { commonOf, jsonBody, type Profile, senderField } from './profile.ts';

/** The most segments of one message (developers.telnyx.com, "Messaging error codes", 40302). */
const maxSegments = 10;

/** Telnyx waits 2 s for an answer. */
const answerMs = 1_500;
const signatureHeader = 'telnyx-signature-ed25519';

/**
 * By when a callback of Telnyx is answered, in ms; null for one of another gateway. The headers tell, because looking up the account
 * may be what takes long.
 */
export function telnyxAnswerMs(headers: Readonly<Record<string, string | undefined>>): number | null {
  return headers[signatureHeader] === undefined ? null : answerMs;
}

/**
 * Telnyx: developers.telnyx.com, "Send a message" for requests and answers, "Receiving Webhooks for Messaging" for statuses,
 * incoming messages and signatures, "Messaging error codes" for codes, and "Retrieve user balance" for the probe.
 */
export const telnyx: Profile = {
  url: 'https://api.telnyx.com',
  addsPaths: true,
  required: ['apiKey'],
  optional: ['accountId', 'publicKey'],
  without: ['numberFormat'],
  signedBy: 'publicKey',
  gateway: telnyxGateway,
};

function telnyxGateway(settings: HttpSmsSettings, url: string): Gateway {
  const { apiKey = '', accountId = '', publicKey } = settings;
  const message = {
    to: '{{to}}',
    text: '{{text}}',
    ...senderField('from', settings),
    ...(accountId === '' ? {} : { messaging_profile_id: '{{account_id}}' }),
  };
  return {
    ...commonOf(settings),
    method: 'POST',
    url: `${url}/v2/messages`,
    headers: { Authorization: 'Bearer {{secret.apiKey}}' },
    body: jsonBody(message),
    reportBody: jsonBody({ ...message, webhook_url: '{{dlr_url}}' }),
    values: { account_id: accountId },
    secrets: { apiKey },
    secretSettings: {},
    numberFormat: '+',
    maxSegments: settings.maxSegments ?? maxSegments,
    lifetime: {},
    success: { status: ['2xx'] },
    externalId: { pointer: '/data/id' },
    errors: [
      // Telnyx answers 403 here, although the account works.
      { body: '"code": *"40300"', means: 'permanent', errorCode: 'recipient-opted-out' },
      { body: '"code": *"40302"', means: 'permanent', errorCode: 'content-rejected' },
      { body: '"code": *"40305"', means: 'permanent', errorCode: 'sender-rejected' },
      { body: '"code": *"40310"', means: 'permanent', errorCode: 'recipient-rejected' },
    ],
    reports: {
      status: '/data/payload/to/0/status',
      externalId: '/data/payload/id',
      text: '/data/payload/errors/0/title',
      values: {
        queued: 'ignored',
        sending: 'ignored',
        sent: 'sent',
        delivered: 'delivered',
        sending_failed: 'failed',
        delivery_failed: 'failed',
        delivery_unconfirmed: 'ignored',
      },
    },
    inbound: (field) => (field('/data/event_type') === 'message.received' ? received(field) : undefined),
    signature:
      publicKey === undefined
        ? undefined
        : {
            type: 'ed25519',
            publicKey,
            header: signatureHeader,
            timestampHeader: 'telnyx-timestamp',
            signed: '{{timestamp}}|{{body}}',
          },
    probe: {
      url: `${url}/v2/balance`,
      body: null,
      good: ['200'],
      shows: 'Telnyx accepts the API key.',
    },
  };
}

/** An MMS may have a text. Its files are not read. */
function received(field: (name: string) => string | null): InboundFields {
  const isFile = field('/data/payload/type') === 'MMS' && (field('/data/payload/text') ?? '') === '';
  return {
    from: '/data/payload/from/phone_number',
    to: '/data/payload/to/0/phone_number',
    text: '/data/payload/text',
    id: '/data/payload/id',
    time: '/data/payload/received_at',
    ...(isFile ? { unsupported: 'mms' } : {}),
  };
}

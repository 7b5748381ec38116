import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway, InboundFields } from './gateway.ts';
import { commonOf, type Profile } from './profile.ts';

/** Kannel's default for `max-messages`: the number of segments after which it cuts off a text. */
const kannelMaxSegments = 1;

/**
 * Kannel's sendsms, as its User Guide describes it ("Using the HTTP Interface to Send SMS Messages", "Delivery
 * Reports"). Kannel fills in `%d` and `%A` in the receipt's address: the kind of report, and the SMSC's answer.
 */
export const kannel: Profile = {
  url: null,
  addsPaths: false,
  required: ['username', 'password'],
  optional: ['smsc'],
  without: [],
  signedBy: 'callbackSignature',
  gateway: kannelGateway,
};

function kannelGateway(settings: HttpSmsSettings, url: string): Gateway {
  const { username = '', password = '', smsc = '' } = settings;
  const credentials = { username: '{{username}}', password: '{{secret.password}}' };
  return {
    ...commonOf(settings),
    method: 'GET',
    url,
    headers: {},
    body: { type: 'query', fields: { ...credentials, ...message } },
    reportBody: { type: 'query', fields: { ...credentials, ...message, ...reporting } },
    values: { username, smsc },
    secrets: { password },
    secretSettings: {},
    numberFormat: settings.numberFormat ?? '+',
    maxSegments: settings.maxSegments ?? kannelMaxSegments,
    lifetime: {},
    success: { status: ['202'], body: '^[03]:' },
    externalId: undefined,
    errors: [
      { body: '(?i)tempor', means: 'retry' },
      { status: ['403'], means: 'broken' },
      { status: ['400'], means: 'permanent' },
    ],
    reports: {
      query: 'type=%d&reply=%A',
      status: 'type',
      text: 'reply',
      values: {
        1: 'delivered',
        2: 'failed',
        4: 'ignored',
        8: 'sent',
        16: 'failed',
        34: 'failed',
        66: 'failed',
      },
    },
    inbound: (field) => (field(byPost.from) === null ? byGet : byPost),
    signature: settings.callbackSignature,
    // Has no recipient: Kannel answers 400 if the password is right, 403 if it is wrong.
    probe: {
      url,
      body: { type: 'query', fields: credentials },
      good: ['400'],
      shows: 'Kannel accepts the user name and password.',
    },
  };
}

const message = {
  from: '{{from}}',
  to: '{{to}}',
  text: '{{text}}',
  coding: '{{coding}}',
  charset: 'UTF-8',
  smsc: '{{smsc}}',
  validity: '{{ttl_minutes}}',
};

/**
 * 31 asks for every kind of report. It may only be sent with a `dlr-url`: otherwise Kannel would call an empty address.
 */
const reporting = { 'dlr-mask': '31', 'dlr-url': '{{dlr_url}}' };

/** The parameters of the `get-url` that the README tells to configure. */
const byGet: InboundFields = {
  from: 'from',
  to: 'to',
  text: 'text',
  id: 'id',
  time: 'time',
  coding: 'coding',
  charset: 'charset',
};

/** A `post-url`: the text is the body, and headers hold the rest (kannel.org, user guide, "Kannel POST"). */
const byPost: InboundFields = {
  from: 'header:x-kannel-from',
  to: 'header:x-kannel-to',
  text: 'body',
  id: 'id',
  time: 'header:x-kannel-time',
  coding: 'header:x-kannel-coding',
  charset: 'header:content-type',
};

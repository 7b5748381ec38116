// Made by `npm run provider-guides` from the table of profiles in packages/channels/src/http-sms/gateways.
/** The body of a request, as the settings of a gateway describe one. */
export interface ProfileBody {
  readonly type: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly template?: string;
}

/** A profile as forms show it: which settings it takes, and which requests it makes of them. */
export interface GatewayProfile {
  readonly label: string;
  /** Where its API is, unless the settings name another address. */
  readonly url: string | null;
  /** The settings that only profiles have, of those that it takes. */
  readonly settings: readonly string[];
  /** Settings that have no effect with it. */
  readonly without: readonly string[];
  /** The setting by which callbacks are checked. Without it they are not. */
  readonly signedBy: string;
  readonly request: {
    readonly method: string;
    /** What follows the address. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: ProfileBody;
    /** In place of `body` where the gateway can send receipts. */
    readonly reportBody: ProfileBody;
    /** Added to the address of receipts. */
    readonly reportQuery: string;
    readonly numberFormat: string;
    readonly lifetime: Readonly<Record<string, number>>;
    /** Which setting replaces a placeholder, by the placeholder's name. */
    readonly values: Readonly<Record<string, string>>;
    /** Which setting holds a secret, by the secret's name in placeholders. */
    readonly secrets: Readonly<Record<string, string>>;
  };
}

/** By the value of the setting `profile`. */
export const gatewayProfiles: Readonly<Record<string, GatewayProfile>> = {
  kannel: {
    label: 'Kannel',
    url: null,
    settings: ['username', 'password', 'smsc'],
    without: [],
    signedBy: 'callbackSignature',
    request: {
      method: 'GET',
      path: '',
      headers: {},
      body: {
        type: 'query',
        fields: {
          username: '{{username}}',
          password: '{{secret.password}}',
          from: '{{from}}',
          to: '{{to}}',
          text: '{{text}}',
          coding: '{{coding}}',
          charset: 'UTF-8',
          smsc: '{{smsc}}',
          validity: '{{ttl_minutes}}',
        },
      },
      reportBody: {
        type: 'query',
        fields: {
          username: '{{username}}',
          password: '{{secret.password}}',
          from: '{{from}}',
          to: '{{to}}',
          text: '{{text}}',
          coding: '{{coding}}',
          charset: 'UTF-8',
          smsc: '{{smsc}}',
          validity: '{{ttl_minutes}}',
          'dlr-mask': '31',
          'dlr-url': '{{dlr_url}}',
        },
      },
      reportQuery: 'type=%d&reply=%A',
      numberFormat: '+',
      lifetime: {},
      values: { username: 'username', smsc: 'smsc' },
      secrets: { password: 'password' },
    },
  },
  telnyx: {
    label: 'Telnyx',
    url: 'https://api.telnyx.com',
    settings: ['apiKey', 'accountId', 'publicKey'],
    without: ['numberFormat'],
    signedBy: 'publicKey',
    request: {
      method: 'POST',
      path: '/v2/messages',
      headers: { Authorization: 'Bearer {{secret.apiKey}}' },
      body: {
        type: 'json',
        template:
          '{"to":"{{to}}","text":"{{text}}","from":"{{from}}","messaging_profile_id":"{{account_id}}"}',
      },
      reportBody: {
        type: 'json',
        template:
          '{"to":"{{to}}","text":"{{text}}","from":"{{from}}","messaging_profile_id":"{{account_id}}","webhook_url":"{{dlr_url}}"}',
      },
      reportQuery: '',
      numberFormat: '+',
      lifetime: {},
      values: { account_id: 'accountId' },
      secrets: { apiKey: 'apiKey' },
    },
  },
  smsgate: {
    label: 'SMSGate (Android)',
    url: 'https://api.sms-gate.app/3rdparty/v1',
    settings: ['username', 'password', 'signingKey'],
    without: ['from', 'senders', 'numberFormat', 'maxSegments'],
    signedBy: 'signingKey',
    request: {
      method: 'POST',
      path: '/messages',
      headers: { Authorization: 'Basic {{secret.basic}}' },
      body: {
        type: 'json',
        template:
          '{"id":"{{id}}","textMessage":{"text":"{{text}}"},"phoneNumbers":["{{to}}"],"ttl":{{ttl_seconds}},"withDeliveryReport":true}',
      },
      reportBody: {
        type: 'json',
        template:
          '{"id":"{{id}}","textMessage":{"text":"{{text}}"},"phoneNumbers":["{{to}}"],"ttl":{{ttl_seconds}},"withDeliveryReport":true}',
      },
      reportQuery: '',
      numberFormat: '+',
      lifetime: {},
      values: {},
      secrets: { basic: 'password', password: 'password' },
    },
  },
  plivo: {
    label: 'Plivo',
    url: 'https://api.plivo.com',
    settings: ['accountId', 'apiKey'],
    without: ['numberFormat'],
    signedBy: 'apiKey',
    request: {
      method: 'POST',
      path: '/v1/Account/{{account_id}}/Message/',
      headers: { Authorization: 'Basic {{secret.basic}}' },
      body: { type: 'json', template: '{"src":"{{from}}","dst":"{{to}}","text":"{{text}}"}' },
      reportBody: {
        type: 'json',
        template: '{"src":"{{from}}","dst":"{{to}}","text":"{{text}}","url":"{{dlr_url}}","method":"POST"}',
      },
      reportQuery: '',
      numberFormat: '+',
      lifetime: {},
      values: { account_id: 'accountId' },
      secrets: { basic: 'apiKey', apiKey: 'apiKey' },
    },
  },
  infobip: {
    label: 'Infobip',
    url: null,
    settings: ['apiKey'],
    without: ['numberFormat'],
    signedBy: 'callbackSignature',
    request: {
      method: 'POST',
      path: '/sms/3/messages',
      headers: { Authorization: 'App {{secret.apiKey}}', Accept: 'application/json' },
      body: {
        type: 'json',
        template:
          '{"messages":[{"sender":"{{from}}","destinations":[{"to":"{{to}}","messageId":"{{id}}"}],"content":{"text":"{{text}}"},"options":{"validityPeriod":{"amount":{{ttl_minutes}},"timeUnit":"MINUTES"}}}]}',
      },
      reportBody: {
        type: 'json',
        template:
          '{"messages":[{"sender":"{{from}}","destinations":[{"to":"{{to}}","messageId":"{{id}}"}],"content":{"text":"{{text}}"},"options":{"validityPeriod":{"amount":{{ttl_minutes}},"timeUnit":"MINUTES"}},"webhooks":{"delivery":{"url":"{{dlr_url}}"},"contentType":"application/json"}}]}',
      },
      reportQuery: '',
      numberFormat: 'digits',
      lifetime: { maxSeconds: 172800 },
      values: {},
      secrets: { apiKey: 'apiKey' },
    },
  },
  sinch: {
    label: 'Sinch',
    url: 'https://us.sms.api.sinch.com',
    settings: ['accountId', 'apiKey', 'signingKey'],
    without: ['numberFormat'],
    signedBy: 'signingKey',
    request: {
      method: 'POST',
      path: '/xms/v1/{{account_id}}/batches',
      headers: { Authorization: 'Bearer {{secret.apiKey}}' },
      body: {
        type: 'json',
        template:
          '{"from":"{{from}}","to":["{{to}}"],"body":"{{text}}","client_reference":"{{id}}","expire_at":"{{expires_at}}"}',
      },
      reportBody: {
        type: 'json',
        template:
          '{"from":"{{from}}","to":["{{to}}"],"body":"{{text}}","client_reference":"{{id}}","expire_at":"{{expires_at}}","delivery_report":"per_recipient","callback_url":"{{dlr_url}}"}',
      },
      reportQuery: '',
      numberFormat: '+',
      lifetime: {},
      values: { account_id: 'accountId' },
      secrets: { apiKey: 'apiKey' },
    },
  },
  africastalking: {
    label: 'Africa’s Talking',
    url: 'https://api.africastalking.com',
    settings: ['username', 'apiKey'],
    without: ['numberFormat'],
    signedBy: 'callbackSignature',
    request: {
      method: 'POST',
      path: '/version1/messaging',
      headers: { apiKey: '{{secret.apiKey}}', Accept: 'application/json' },
      body: {
        type: 'form',
        fields: { username: '{{username}}', to: '{{to}}', from: '{{from}}', message: '{{text}}' },
      },
      reportBody: {
        type: 'form',
        fields: { username: '{{username}}', to: '{{to}}', from: '{{from}}', message: '{{text}}' },
      },
      reportQuery: '',
      numberFormat: '+',
      lifetime: {},
      values: { username: 'username' },
      secrets: { apiKey: 'apiKey' },
    },
  },
};
/** The settings of each type of `callbackSignature`. */
export const signatureSettings: Readonly<Record<string, readonly string[]>> = {
  hmac: [
    'header',
    'secret',
    'header',
    'encoding',
    'prefix',
    'signed',
    'timestampHeader',
    'toleranceSeconds',
    'algorithm',
  ],
  ed25519: [
    'header',
    'publicKey',
    'header',
    'encoding',
    'prefix',
    'signed',
    'timestampHeader',
    'toleranceSeconds',
  ],
  basic: ['username', 'password'],
  addresses: ['addresses'],
};

// Made from the OpenAPI document by `npm run openapi`. Change the schemas in packages/contract.

export type AccessToken = {
  /** For `Authorization: Bearer …`. */
  accessToken: string;
  /** Seconds. */
  expiresIn: number;
};
export type AccountLink = {
  step: 'idle' | 'display-qr' | 'display-code' | 'connected' | 'failed';
  wanted: 'link' | 'unlink' | null;
  /** With `display-qr`: the text to be shown as a QR code. Whoever scans it links their phone: show it to nobody else, and store it nowhere. */
  qr?: string;
  /** With `display-code`: the code to be typed on the phone; as secret as a QR. */
  code?: string;
  /** When `qr` or `code` ends; the next QR follows by itself. */
  expiresAt?: string;
  /** With `connected`: the linked number. */
  phone?: string;
  /** With `failed`: why, and what to do. */
  reason?: string;
  care: {
    minIntervalSeconds: number;
    maxIntervalSeconds: number;
    newContactsPerDay: number;
    warmUpDays: number;
    /** New contacts in 24 hours as the warm-up allows them by now. */
    newContactsAllowed: number;
    /** New contacts written to in the last 24 hours. */
    newContactsUsed: number;
    restrictedUntil: string | null;
  } | null;
};
export type ApiKey = {
  /** The key, to revoke it by. */
  id: string;
  name: string;
  keyPrefix: 'svc_live_';
  /** The last 4 characters of the key. */
  hint: string;
  rateLimitOverride: number | null;
  createdAt: string;
  lastUsedAt: string | null;
};
export type ChangeChannelAccount = {
  name?: string;
  /** Merged into the stored settings (RFC 7396: absent keeps, null removes); a secret sent back masked stays as it is. */
  settings?: Record<string, unknown>;
  /** true makes it the default; the default itself cannot be set to false. */
  isDefault?: boolean;
};
export type ChangePassword = {
  currentPassword: string;
  /** At most 72 bytes of UTF-8. Blanks alone, the name, the email address and common passwords such as `password` or `12345678` are refused. */
  newPassword: string;
};
export type ChangeWebhook = {
  /** An https URL that leads to a public address. */
  url?: string;
  events?: ('message.queued' | 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed')[];
  /** An empty one is none. */
  description?: string;
};
export type ChannelAccount = {
  id: string;
  channel: 'whatsapp' | 'telegram' | 'sms';
  provider: string;
  name: string;
  isDefault: boolean;
  status: 'connected' | 'connecting' | 'disconnected' | 'action-required';
  statusDetail: string | null;
  settings: Record<string, unknown>;
  createdAt: string;
  lastConnectedAt: string | null;
  callbackUrl: string | null;
};
export type CreateApiKey = {
  name: string;
  /** Requests per minute, instead of the plan's default. */
  rateLimitOverride?: number;
};
export type CreateChannelAccount = {
  /** The id of a provider. */
  provider: string;
  name: string;
  /** By the schema that `GET /v1/providers` shows. */
  settings: Record<string, unknown>;
  /** The first real account of a channel becomes its default whatever this says. */
  isDefault?: boolean;
};
export type CreatedApiKey = {
  /** The key, to revoke it by. */
  id: string;
  name: string;
  keyPrefix: 'svc_live_';
  /** For the header `X-Api-Key`. It is stored as a hash only. */
  key: string;
  createdAt: string;
  warning: string;
};
export type CreatedWebhook = {
  /** The webhook. */
  id: string;
  url: string;
  events: ('message.queued' | 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed')[];
  isActive: boolean;
  /** `whsec_` and base64; deliveries are signed with it. */
  secret: string;
  warning: string;
};
export type CreateWebhook = {
  /** An https URL that leads to a public address. */
  url: string;
  events?: ('message.queued' | 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed')[];
  /** An empty one is none. */
  description?: string;
};
export type DeleteTenant = { password: string };
export type Deliveries = {
  data: {
    /** The delivery: one event on its way to one webhook. */
    id: string;
    /** The event, as the receiver sees it. */
    eventId: string;
    event:
      | 'message.queued'
      | 'message.sent'
      | 'message.delivered'
      | 'message.read'
      | 'message.failed'
      | 'webhook.test'
      | null;
    messageId: string | null;
    /** `failed`: its attempts are used up, or it waited 3 days for a failing webhook. `skipped`: the webhook was disabled. */
    state: 'waiting' | 'delivered' | 'failed' | 'skipped';
    reason: 'attempts-exhausted' | 'expired' | null;
    nextAttemptAt: string | null;
    createdAt: string;
    endedAt: string | null;
    attempts: {
      number: number;
      status: number | null;
      error: string | null;
      durationMs: number;
      answer: string | null;
      at: string;
    }[];
  }[];
  nextCursor: string | null;
};
export type LinkAccount = {
  /** The phone's own number with its country code, to be linked by a code that is typed there; absent: by QR code. */
  phone?: string;
};
export type LoggedIn = {
  success: true;
  data: {
    /** For `Authorization: Bearer …`. */
    accessToken: string;
    /** Seconds. */
    expiresIn: number;
    user: {
      /** The tenant. */
      id: string;
      name: string;
      email: string;
    };
  };
};
export type Login = { email: string; password: string };
export type Message = {
  /** Look the message up with it, and find it in webhooks as `messageId`. */
  id: string;
  /** Whose message it is. */
  tenantId: string;
  channelAccountId: string | null;
  /** The name of the channel. */
  provider: 'whatsapp' | 'telegram' | 'sms';
  /** As it was sent. */
  to: string;
  type: 'text' | 'image' | 'video' | 'audio' | 'document';
  status: 'queued' | 'sent' | 'delivered' | 'failed';
  body:
    | { text: string }
    | {
        type: 'image' | 'video' | 'audio' | 'document';
        url: string;
        caption: string | null;
        filename?: string;
      };
  createdAt: string;
  error?: string;
  errorCode?: string;
};
export type MessageDetails = {
  /** The id the send was answered with. */
  messageId: string;
  channelAccountId: string | null;
  /** The name of the channel. */
  provider: 'whatsapp' | 'telegram' | 'sms';
  /** As it was sent. */
  to: string;
  type: 'text' | 'image' | 'video' | 'audio' | 'document';
  status: 'queued' | 'sent' | 'delivered' | 'failed';
  body:
    | { text: string }
    | {
        type: 'image' | 'video' | 'audio' | 'document';
        url: string;
        caption: string | null;
        filename?: string;
      };
  createdAt: string;
  externalId: string | null;
  error: string | null;
  errorCode: string | null;
  sentAt: string | null;
  deliveredAt: string | null;
  readAt: string | null;
  failedAt: string | null;
  expiresAt: string;
  updatedAt: string;
  /** Attempts made at the provider. */
  attempts: number;
  segments: number | null;
  /** It was sent again after an attempt whose outcome nobody knows. */
  possibleDuplicate: boolean;
};
export type MessageHistory = {
  /** The id the send was answered with. */
  messageId: string;
  channelAccountId: string | null;
  /** The name of the channel. */
  provider: 'whatsapp' | 'telegram' | 'sms';
  /** As it was sent. */
  to: string;
  type: 'text' | 'image' | 'video' | 'audio' | 'document';
  status: 'queued' | 'sent' | 'delivered' | 'failed';
  body:
    | { text: string }
    | {
        type: 'image' | 'video' | 'audio' | 'document';
        url: string;
        caption: string | null;
        filename?: string;
      };
  createdAt: string;
  externalId: string | null;
  error: string | null;
  errorCode: string | null;
  sentAt: string | null;
  deliveredAt: string | null;
  readAt: string | null;
  failedAt: string | null;
  expiresAt: string;
  updatedAt: string;
  /** Attempts made at the provider. */
  attempts: number;
  segments: number | null;
  /** It was sent again after an attempt whose outcome nobody knows. */
  possibleDuplicate: boolean;
  accountName: string | null;
  accountProvider: string | null;
  /** It waits, and nobody is sending it. */
  cancelable: boolean;
  nextAttemptAt: string | null;
  resendOf: string | null;
  resentAs: string | null;
  /** Oldest first: steps (`event`), attempts at the provider (`attempt`), what the provider reported (`receipt`), webhook deliveries (`delivery`). Of each kind the newest 200 at most, of receipts the first 20. */
  timeline: (
    | {
        kind: 'event';
        at: string;
        event: 'message.queued' | 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed';
        /** Counts the events of the message, from 1. */
        sequence: number;
        eventId: string | null;
      }
    | {
        kind: 'attempt';
        at: string;
        endedAt: string | null;
        durationMs: number | null;
        number: number;
        /** Which part of a text that we split, from 0. */
        part: number;
        outcome: 'accepted' | 'throttled' | 'retry' | 'rejected' | 'connection-broken' | 'unknown' | null;
        providerCode: string | null;
        text: string | null;
      }
    | {
        kind: 'receipt';
        at: string;
        status: 'sent' | 'delivered' | 'read' | 'failed';
        part: number | null;
        errorCode: string | null;
        providerCode: string | null;
        text: string | null;
      }
    | {
        kind: 'delivery';
        at: string;
        /** Found in `GET /v1/webhooks/{id}/deliveries`, with every attempt. */
        deliveryId: string;
        /** The webhook. */
        webhookId: string;
        url: string | null;
        /** The event, as the receiver sees it. */
        eventId: string;
        event: 'message.queued' | 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed';
        /** `failed`: its attempts are used up, or it waited 3 days for a failing webhook. `skipped`: the webhook was disabled. */
        state: 'waiting' | 'delivered' | 'failed' | 'skipped';
        reason: 'attempts-exhausted' | 'expired' | null;
        /** Attempts made so far. */
        attempts: number;
        lastAttempt: { at: string; status: number | null; error: string | null; durationMs: number } | null;
        nextAttemptAt: string | null;
        endedAt: string | null;
      }
  )[];
};
export type Messages = {
  data: {
    /** The id the send was answered with. */
    messageId: string;
    channelAccountId: string | null;
    /** The name of the channel. */
    provider: 'whatsapp' | 'telegram' | 'sms';
    /** As it was sent. */
    to: string;
    type: 'text' | 'image' | 'video' | 'audio' | 'document';
    status: 'queued' | 'sent' | 'delivered' | 'failed';
    body:
      | { text: string }
      | {
          type: 'image' | 'video' | 'audio' | 'document';
          url: string;
          caption: string | null;
          filename?: string;
        };
    createdAt: string;
    externalId: string | null;
    error: string | null;
    errorCode: string | null;
    sentAt: string | null;
    deliveredAt: string | null;
    readAt: string | null;
    failedAt: string | null;
    expiresAt: string;
    updatedAt: string;
    /** Attempts made at the provider. */
    attempts: number;
    segments: number | null;
    /** It was sent again after an attempt whose outcome nobody knows. */
    possibleDuplicate: boolean;
  }[];
  nextCursor: string | null;
  searchedTo: string | null;
};
export type OpenSession = {
  /** The session. */
  id: string;
  /** The one that asks. */
  current: boolean;
  userAgent: string | null;
  address: string | null;
  createdAt: string;
  /** The last time it got an access token, to the minute. */
  lastUsedAt: string;
  expiresAt: string;
};
export type Profile = {
  /** The tenant. */
  id: string;
  name: string;
  email: string;
  plan: string;
  trialEndsAt: string;
  createdAt: string;
};
export type Provider = {
  id: string;
  /** any: the settings say which. */
  channel: 'whatsapp' | 'telegram' | 'sms' | 'any';
  name: string;
  capabilities: {
    media: boolean;
    reportsDelivery: boolean;
    reportsRead: boolean;
    repeatIsSafe: boolean;
    callbacks: boolean;
    /** Its accounts are linked to a phone before they can send. */
    linking: boolean;
    maxInFlight: number;
    callDeadlineMs: number;
  };
  /** A JSON Schema; fields with `secret: true` are masked when they are shown. */
  settings: Record<string, unknown>;
};
export type Refresh = {
  /** `rt_…` */
  refreshToken?: string;
};
export type Register = {
  name: string;
  /** Compared without regard to case. */
  email: string;
  /** At most 72 bytes of UTF-8. Blanks alone, the name, the email address and common passwords such as `password` or `12345678` are refused. */
  password: string;
};
export type Replay = { since: string; until: string };
export type ReplayWebhook = { since: string };
export type RequestedDelivery = {
  /** The delivery: one event on its way to one webhook. */
  deliveryId: string;
  /** The event, as the receiver sees it. */
  eventId: string;
};
export type ResendMessage = {
  /** Without it the same account as before, or the channel’s default where that was removed. */
  channelAccountId?: string;
};
export type ResentMessage = {
  /** Look the message up with it, and find it in webhooks as `messageId`. */
  id: string;
  /** Whose message it is. */
  tenantId: string;
  channelAccountId: string | null;
  /** The name of the channel. */
  provider: 'whatsapp' | 'telegram' | 'sms';
  /** As it was sent. */
  to: string;
  type: 'text' | 'image' | 'video' | 'audio' | 'document';
  status: 'queued' | 'sent' | 'delivered' | 'failed';
  body:
    | { text: string }
    | {
        type: 'image' | 'video' | 'audio' | 'document';
        url: string;
        caption: string | null;
        filename?: string;
      };
  createdAt: string;
  error?: string;
  errorCode?: string;
  /** The message that failed. */
  resendOf: string;
  /** Nobody knows whether the one that failed has arrived: this may be the second. */
  possibleDuplicate: boolean;
};
export type RotatedSecret = {
  /** The webhook. */
  id: string;
  /** `whsec_` and base64; deliveries are signed with it from now on. */
  secret: string;
  previousSecretUntil: string;
  warning: string;
};
export type SendBulk = {
  messages: {
    /** A phone number (for sms in E.164 with +), or for telegram a chat id or @username. */
    to: string;
    text: string;
    /** The connected account to send from; without it, the default account of the channel. */
    channelAccountId?: string;
    /** The same key with the same request is answered as the first time, and nothing is sent twice. */
    idempotencyKey?: string;
    /** A message that could not be sent by then fails with the code `expired`. Default: 86400. */
    expiresInSeconds?: number;
  }[];
};
export type SendMedia = {
  /** A phone number (for sms in E.164 with +), or for telegram a chat id or @username. */
  to: string;
  type: 'image' | 'video' | 'audio' | 'document';
  /** The public http(s) URL of the file. Required. */
  url?: string;
  caption?: string;
  /** A hint for documents. */
  filename?: string;
  /** The connected account to send from; without it, the default account of the channel. */
  channelAccountId?: string;
  /** The same key with the same request is answered as the first time, and nothing is sent twice. */
  idempotencyKey?: string;
  /** A message that could not be sent by then fails with the code `expired`. Default: 86400. */
  expiresInSeconds?: number;
};
export type SendMessage = {
  channel: 'whatsapp' | 'telegram' | 'sms';
  /** A phone number (for sms in E.164 with +), or for telegram a chat id or @username. */
  to: string;
  text: string;
  /** The connected account to send from; without it, the default account of the channel. */
  channelAccountId?: string;
  /** The same key with the same request is answered as the first time, and nothing is sent twice. */
  idempotencyKey?: string;
  /** A message that could not be sent by then fails with the code `expired`. Default: 86400. */
  expiresInSeconds?: number;
};
export type SendText = {
  /** A phone number (for sms in E.164 with +), or for telegram a chat id or @username. */
  to: string;
  text: string;
  /** The connected account to send from; without it, the default account of the channel. */
  channelAccountId?: string;
  /** The same key with the same request is answered as the first time, and nothing is sent twice. */
  idempotencyKey?: string;
  /** A message that could not be sent by then fails with the code `expired`. Default: 86400. */
  expiresInSeconds?: number;
};
export type Usage = {
  from: string;
  until: string;
  per: 'hour' | 'day';
  asOf: string | null;
  totals: {
    /** All that were accepted. */
    accepted: number;
    /** Of these, still `queued`. */
    waiting: number;
    /** Handed to the provider, whatever came after. */
    sent: number;
    /** Confirmed at the recipient. */
    delivered: number;
    /** Read by the recipient. */
    read: number;
    /** Failed, and not corrected by a later report. */
    failed: number;
    deliveryRate: number | null;
    timeToDelivered: {
      /** Half of the delivered messages took no longer. */
      p50Ms: number;
      /** 95 of 100 took no longer. */
      p95Ms: number;
    } | null;
  };
  /** Of all three channels, or of the one asked for. */
  channels: {
    channel: 'whatsapp' | 'telegram' | 'sms';
    /** All that were accepted. */
    accepted: number;
    /** Of these, still `queued`. */
    waiting: number;
    /** Handed to the provider, whatever came after. */
    sent: number;
    /** Confirmed at the recipient. */
    delivered: number;
    /** Read by the recipient. */
    read: number;
    /** Failed, and not corrected by a later report. */
    failed: number;
    deliveryRate: number | null;
    timeToDelivered: {
      /** Half of the delivered messages took no longer. */
      p50Ms: number;
      /** 95 of 100 took no longer. */
      p95Ms: number;
    } | null;
  }[];
  /** One for every hour or day, in order, also where nothing was sent. */
  buckets: {
    startsAt: string;
    /** All that were accepted. */
    accepted: number;
    /** Of these, still `queued`. */
    waiting: number;
    /** Handed to the provider, whatever came after. */
    sent: number;
    /** Confirmed at the recipient. */
    delivered: number;
    /** Read by the recipient. */
    read: number;
    /** Failed, and not corrected by a later report. */
    failed: number;
    /** Those with any message. */
    channels: {
      channel: 'whatsapp' | 'telegram' | 'sms';
      /** All that were accepted. */
      accepted: number;
      /** Of these, still `queued`. */
      waiting: number;
      /** Handed to the provider, whatever came after. */
      sent: number;
      /** Confirmed at the recipient. */
      delivered: number;
      /** Read by the recipient. */
      read: number;
      /** Failed, and not corrected by a later report. */
      failed: number;
    }[];
  }[];
  /** Failed messages by reason, most first. */
  failures: {
    channel: 'whatsapp' | 'telegram' | 'sms';
    /** See docs/errors.md. */
    errorCode: string;
    messages: number;
  }[];
  /** Every webhook that there is. The filters by channel and account say nothing here. */
  webhooks: {
    /** The webhook. */
    id: string;
    url: string;
    /** As `GET /v1/webhooks` has it. */
    state: 'healthy' | 'failing' | 'disabled';
    /** Deliveries that were answered with 2xx. */
    delivered: number;
    /** Deliveries that needed a second attempt. */
    retried: number;
    /** Deliveries of events of this time that were given up. */
    failed: number;
    /** Attempts of this time, by the status of their answer. */
    attempts: {
      /** Success. */
      '2xx': number;
      /** Redirects, which are not followed. */
      '3xx': number;
      /** Refused. */
      '4xx': number;
      /** Broken. */
      '5xx': number;
      /** No answer came. */
      none: number;
    };
  }[];
};
export type Verification = { ok: boolean; detail: string };
export type Webhook = {
  /** The webhook. */
  id: string;
  url: string;
  events: ('message.queued' | 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed')[];
  isActive: boolean;
  lastTriggeredAt: string | null;
  /** Failed attempts in a row. */
  failureCount: number;
  createdAt: string;
  description: string | null;
  disabledReason: string | null;
  /** `failing`: its last 5 attempts failed, so it is tried one event at a time, and the rest waits. `disabled`: it gets nothing. */
  state: 'healthy' | 'failing' | 'disabled';
  failingSince: string | null;
  nextAttemptAt: string | null;
  /** Deliveries that wait, counted up to 1,000. */
  waiting: number;
  lastSuccessAt: string | null;
  previousSecretUntil: string | null;
  replay: { reachedAt: string; until: string } | null;
};

/** What went wrong. Switch on `code`. */
export type Problem = {
  /** A page about the code, `/problems/<code>`. */
  type: string;
  title: string;
  status: number;
  code:
    | 'malformed-json'
    | 'unauthenticated'
    | 'invalid-credentials'
    | 'invalid-api-key'
    | 'trial-expired'
    | 'forbidden'
    | 'not-found'
    | 'unknown-channel'
    | 'email-taken'
    | 'idempotency-key-reused'
    | 'limit-reached'
    | 'not-cancelable'
    | 'not-resendable'
    | 'too-large'
    | 'unsupported-media-type'
    | 'invalid-request'
    | 'media-not-supported'
    | 'media-url-required'
    | 'channel-not-connected'
    | 'channel-account-not-found'
    | 'invalid-recipient'
    | 'rate-limited'
    | 'internal'
    | 'unavailable';
  /** What went wrong this time. */
  detail?: string;
  errors?: { at: string; message: string }[];
  /** The same as the header `X-Request-Id`. */
  requestId: string;
};
/** Every operation, by method and path: what it takes and what it answers. */
export interface Operations {
  'post /auth/register': { input: { body: Register }; answer: LoggedIn };
  'post /auth/login': { input: { body: Login }; answer: LoggedIn };
  'post /auth/refresh': { input: { body?: Refresh }; answer: AccessToken };
  'post /auth/logout': { input: {}; answer: void };
  'get /auth/me': { input: {}; answer: Profile };
  'delete /auth/me': { input: { body: DeleteTenant }; answer: void };
  'post /auth/password': { input: { body: ChangePassword }; answer: void };
  'get /auth/sessions': { input: {}; answer: OpenSession[] };
  'delete /auth/sessions/{id}': { input: { path: { id: string } }; answer: void };
  'post /tenant/api-keys': { input: { body: CreateApiKey }; answer: CreatedApiKey };
  'get /tenant/api-keys': { input: {}; answer: ApiKey[] };
  'delete /tenant/api-keys/{id}': { input: { path: { id: string } }; answer: void };
  'post /v1/notify/{channel}/text': {
    input: { path: { channel: 'whatsapp' | 'telegram' | 'sms' }; body: SendText };
    answer: Message;
  };
  'post /v1/notify/{channel}/media': {
    input: { path: { channel: 'whatsapp' | 'telegram' | 'sms' }; body: SendMedia };
    answer: Message;
  };
  'post /v1/notify/{channel}/bulk': {
    input: { path: { channel: 'whatsapp' | 'telegram' | 'sms' }; body: SendBulk };
    answer: Message[];
  };
  'get /v1/notify/messages/{id}': { input: { path: { id: string } }; answer: MessageDetails };
  'get /v1/messages': {
    input: {
      query?: {
        channel?: 'whatsapp' | 'telegram' | 'sms';
        status?: 'queued' | 'sent' | 'delivered' | 'failed';
        /** Only what was to go by this account, also one that was removed. */
        channelAccountId?: string;
        /** The whole recipient; a + at its beginning makes no difference. */
        to?: string;
        /** Accepted then or later. */
        from?: string;
        /** Accepted before. */
        until?: string;
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the page before. */
        cursor?: string;
      };
    };
    answer: Messages;
  };
  'post /v1/messages': { input: { body: SendMessage }; answer: Message };
  'get /v1/messages/{id}': { input: { path: { id: string } }; answer: MessageHistory };
  'post /v1/messages/{id}/cancel': { input: { path: { id: string } }; answer: MessageDetails };
  'post /v1/messages/{id}/resend': {
    input: { path: { id: string }; body?: ResendMessage };
    answer: ResentMessage;
  };
  'get /v1/usage': {
    input: {
      query?: {
        /** Rounded down to a whole hour or day (UTC). Default: 24 hours, or 30 days, before `until`. */
        from?: string;
        /** Rounded up to a whole hour or day (UTC). Default: now. */
        until?: string;
        /** At most 31 days by the hour, 366 days by the day. Default: "hour". */
        per?: 'hour' | 'day';
        channel?: 'whatsapp' | 'telegram' | 'sms';
        /** Only messages of this account. */
        channelAccountId?: string;
      };
    };
    answer: Usage;
  };
  'get /v1/webhooks': { input: {}; answer: Webhook[] };
  'post /v1/webhooks': { input: { body: CreateWebhook }; answer: CreatedWebhook };
  'get /v1/webhooks/{id}': { input: { path: { id: string } }; answer: Webhook };
  'patch /v1/webhooks/{id}': { input: { path: { id: string }; body?: ChangeWebhook }; answer: Webhook };
  'delete /v1/webhooks/{id}': { input: { path: { id: string } }; answer: void };
  'patch /v1/webhooks/{id}/enable': { input: { path: { id: string } }; answer: Webhook };
  'patch /v1/webhooks/{id}/disable': { input: { path: { id: string } }; answer: Webhook };
  'post /v1/webhooks/{id}/rotate-secret': { input: { path: { id: string } }; answer: RotatedSecret };
  'post /v1/webhooks/{id}/test': { input: { path: { id: string } }; answer: RequestedDelivery };
  'get /v1/webhooks/{id}/deliveries': {
    input: {
      path: { id: string };
      query?: {
        /** `failed`: its attempts are used up, or it waited 3 days for a failing webhook. `skipped`: the webhook was disabled. */
        state?: 'waiting' | 'delivered' | 'failed' | 'skipped';
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the page before. */
        cursor?: string;
      };
    };
    answer: Deliveries;
  };
  'post /v1/webhooks/{id}/deliveries/{deliveryId}/retry': {
    input: { path: { id: string; deliveryId: string } };
    answer: RequestedDelivery;
  };
  'post /v1/webhooks/{id}/replay': { input: { path: { id: string }; body: ReplayWebhook }; answer: Replay };
  'get /v1/providers': { input: {}; answer: Provider[] };
  'post /v1/channel-accounts': { input: { body: CreateChannelAccount }; answer: ChannelAccount };
  'get /v1/channel-accounts': { input: {}; answer: ChannelAccount[] };
  'get /v1/channel-accounts/{id}': { input: { path: { id: string } }; answer: ChannelAccount };
  'patch /v1/channel-accounts/{id}': {
    input: { path: { id: string }; body?: ChangeChannelAccount };
    answer: ChannelAccount;
  };
  'delete /v1/channel-accounts/{id}': { input: { path: { id: string } }; answer: void };
  'post /v1/channel-accounts/{id}/verify': { input: { path: { id: string } }; answer: Verification };
  'post /v1/channel-accounts/{id}/link': {
    input: { path: { id: string }; body?: LinkAccount };
    answer: AccountLink;
  };
  'get /v1/channel-accounts/{id}/link': { input: { path: { id: string } }; answer: AccountLink };
  'get /v1/channel-accounts/{id}/link/events': {
    input: { path: { id: string } };
    answer: {
      step: 'idle' | 'display-qr' | 'display-code' | 'connected' | 'failed';
      wanted: 'link' | 'unlink' | null;
      /** With `display-qr`: the text to be shown as a QR code. Whoever scans it links their phone: show it to nobody else, and store it nowhere. */
      qr?: string;
      /** With `display-code`: the code to be typed on the phone; as secret as a QR. */
      code?: string;
      /** When `qr` or `code` ends; the next QR follows by itself. */
      expiresAt?: string;
      /** With `connected`: the linked number. */
      phone?: string;
      /** With `failed`: why, and what to do. */
      reason?: string;
      care: {
        minIntervalSeconds: number;
        maxIntervalSeconds: number;
        newContactsPerDay: number;
        warmUpDays: number;
        /** New contacts in 24 hours as the warm-up allows them by now. */
        newContactsAllowed: number;
        /** New contacts written to in the last 24 hours. */
        newContactsUsed: number;
        restrictedUntil: string | null;
      } | null;
    };
  };
  'post /v1/channel-accounts/{id}/unlink': { input: { path: { id: string } }; answer: void };
}

// Made from the OpenAPI document by `npm run openapi`. Change the schemas in packages/contract.

export type AcceptedGroup = {
  /** The group ID. Events contain it as `groupId`. */
  id: string;
  /** `pending`: a route is under way, and others may follow. `sent`: no further route begins, and the last message was handed to its provider. `delivered`: a message was delivered. `failed`: no further route begins, and the last message failed. A later receipt still corrects `sent` and `failed`. */
  status: GroupStatus;
  /** The message of the first route. */
  messages: Message[];
};
export type AccessToken = {
  /** Send it as `Authorization: Bearer …`. */
  accessToken: string;
  /** Lifetime in seconds. */
  expiresIn: number;
};
export type AccountLink = {
  step: 'idle' | 'display-qr' | 'display-code' | 'connected' | 'failed';
  wanted: 'link' | 'unlink' | null;
  /** With `display-qr`: the content of the QR code. Anyone who scans it links their phone: keep it private and do not store it. */
  qr?: string;
  /** With `display-code`: the code to enter on the phone. Keep it private too. */
  code?: string;
  /** When `qr` or `code` expires. The next QR code follows automatically. */
  expiresAt?: string;
  /** With `connected`: the linked number. */
  phone?: string;
  /** With `failed`: the reason, and what to do. */
  reason?: string;
  care: {
    minIntervalSeconds: number;
    maxIntervalSeconds: number;
    newContactsPerDay: number;
    warmUpDays: number;
    /** New contacts in 24 hours that the warm-up currently allows. */
    newContactsAllowed: number;
    /** New contacts messaged in the last 24 hours. */
    newContactsUsed: number;
    restrictedUntil: string | null;
  } | null;
};
export type Alert = {
  status: 'firing' | 'resolved';
  labels: Record<string, string>;
  annotations?: Record<string, string>;
  startsAt: string;
  /** When it ended. Alertmanager sends the year 1 while it is not known. */
  endsAt?: string;
  /** The page of what raised the alert. */
  generatorURL?: string;
  /** The same whenever this alert comes again. */
  fingerprint: string;
  /** Of Grafana. */
  dashboardURL?: string;
  /** Of Grafana. */
  panelURL?: string;
};

/** What Alertmanager (version 4) and Grafana post to a webhook. Fields that are not listed here have no effect. */
export type AlertGroup = {
  /** Of the body: `4` from Alertmanager, `1` from Grafana. Not judged. */
  version?: string;
  /** The receiver of its settings that posts it. Not used. */
  receiver?: string;
  /** The same whenever this group comes again. */
  groupKey: string;
  /** `firing` while any alert of the group is. */
  status: 'firing' | 'resolved';
  groupLabels?: Record<string, string>;
  alerts: Alert[];
  /** How many alerts the sender left out (`max_alerts`). */
  truncatedAlerts?: number;
  /** The page of the sender. */
  externalURL?: string;
};
export type ApiKey = {
  /** The ID of the key. Use it to revoke the key. */
  id: string;
  name: string;
  keyPrefix: 'svc_live_';
  /** The last 4 characters of the key. */
  hint: string;
  rateLimitOverride: number | null;
  /** `send`: send messages. `read`: retrieve one message by its ID, with its file. `list`: list messages. `cancel`: cancel a waiting message. */
  scopes: KeyScope[];
  channelAccountIds: string[] | null;
  expiresAt: string | null;
  allowedIps: string[] | null;
  replacedBy: string | null;
  createdAt: string;
  lastUsedAt: string | null;
};
export type AttemptEntry = {
  kind: 'attempt';
  at: string;
  endedAt: string | null;
  durationMs: number | null;
  number: number;
  /** The part of a split text, starting at 0. */
  part: number;
  outcome: 'accepted' | 'throttled' | 'retry' | 'rejected' | 'connection-broken' | 'unknown' | null;
  providerCode: string | null;
  text: string | null;
};

/** One of `text`, `media`, `template` and `interactive` is required. */
export type BulkItem = {
  /** A phone number (for sms in E.164 format with +), or for telegram a chat ID or @username. */
  to: string;
  /** At most 4,096 characters. With `telegram.format`, 16,384 together with the markup. */
  text?: string;
  /** Only on `telegram`. */
  telegram?: {
    /** How the text or the caption is marked up: Telegram’s HTML, or its MarkdownV2. Such a text is never split: without its markup it may have 4,096 UTF-16 code units, and a caption 1,024. One that Telegram cannot read fails with `content-rejected`. Without `format` the text arrives unchanged. */
    format?: 'html' | 'markdown';
    /** The topic of the chat that the message goes to. Default: the topic of the message that `replyTo` names. */
    threadId?: number;
    /** Whether it arrives without a sound. */
    silent?: boolean;
    /** False: links in a text get no preview. A file never has one. */
    preview?: boolean;
  };
  /** The account to send from. Default: the default account of the channel. */
  channelAccountId?: string;
  /** Repeating a request with the same key returns the first response and creates no second message. */
  idempotencyKey?: string;
  /** A message of the same conversation to quote: of the same account, from or to this recipient. Where the provider cannot quote, the message is sent without. */
  replyTo?: string;
  /** Your own data about the message: at most 16 names (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`), each with a value of at most 256 characters. Reads and events return it, and it is kept as long as the message. A repeat with the same idempotency key may have other metadata: it answers with that of the first. */
  metadata?: Record<string, string>;
  /** At most 5 tags (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`) by which lists, cancellations, events and usage are filtered. A repeat with the same idempotency key may have others: it answers with those of the first. */
  tags?: string[];
  /** A message not sent within this time fails with the code `expired`. It counts from `sendAt`, or else from the request. Quiet hours that postpone the message do not count. Default: 86400. */
  expiresInSeconds?: number;
  /** When to send the message: ISO 8601 with a time zone, at most 30 days ahead. A time up to a minute ago means now. The message is stored at once, and never leaves before this time. */
  sendAt?: string;
  /** Whether to send the message in the quiet hours of its account, too. Default: false. */
  urgent?: boolean;
  media?: MediaContent;
  template?: TemplateContent;
  interactive?: InteractiveContent;
};
export type CanceledMessages = {
  /** Waiting messages that match, at most 10,000. */
  matched: number;
  /** Those that were canceled. The others have left in the meantime. 0 for a dry run. */
  canceled: number;
  /** Whether further messages match. Repeat the request for them. */
  more: boolean;
};
export type CancelMessages = {
  /** Messages must match all fields. At least one is required, so that a filter that lost its fields does not cancel everything. */
  filter: {
    channel?: Channel;
    /** Only queued messages are canceled. Alone, it stands for all of them. */
    status?: 'queued';
    /** Only messages of this account. The account may have been removed. */
    channelAccountId?: string;
    /** The full recipient. In a phone number, a leading +, spaces, dashes and brackets make no difference, and in a username capitals. The other spelling of a number whose country has two is the same recipient. */
    to?: string;
    /** Only messages with this tag. */
    tag?: string;
    /** Only messages accepted or received at or after this time. */
    from?: string;
    /** Only messages accepted or received before this time. */
    until?: string;
    /** Whether they wait for their `sendAt`. By default both are listed. */
    scheduled?: boolean;
    /** Only messages scheduled for this time or later. */
    scheduledFrom?: string;
    /** Only messages scheduled for before this time. */
    scheduledUntil?: string;
  };
  /** Only counts what would be canceled. Default: false. */
  dryRun?: boolean;
};
export type ChangeChannelAccount = {
  name?: string;
  /** Merged into the stored settings (RFC 7396): missing fields keep their value, null removes one. A masked secret keeps its value, unless the settings send it to another address or in another place of the request: then it must be entered again. */
  settings?: Record<string, unknown>;
  /** true makes the account the default. The default account cannot be set to false. */
  isDefault?: boolean;
  /** Default true. false stores new settings without asking the provider whether they work. */
  verify?: boolean;
};
export type ChangeConsent = {
  /** A message to a recipient who opted out fails with `recipient-opted-out` when it is due. */
  status: ConsentStatus;
  /** Your proof, such as when and how the person asked for messages again. Kept with the change in the history. Ignored if the recipient already has this status, because then nothing changes. */
  note?: string;
};
export type ChangedProfile = {
  /** The tenant ID. */
  id: string;
  name: string;
  email: string;
  plan: string;
  trialEndsAt: string;
  createdAt: string;
  /** Whether the email address is verified. `required`: sends get 403 until it is. `off`: it is not, and need not be. */
  emailVerification: 'off' | 'required' | 'done';
  pendingEmail: string | null;
};
export type ChangeMessage = {
  /** When to send the message: ISO 8601 with a time zone, at most 30 days ahead. A time up to a minute ago means now. The message is stored at once, and never leaves before this time. */
  sendAt: string;
};
export type ChangePassword = {
  currentPassword: string;
  /** At most 72 bytes of UTF-8. Blank passwords, the name, the email address and common passwords such as `password` or `12345678` are rejected. */
  newPassword: string;
};
export type ChangeProfile = {
  name?: string;
  /** Not case-sensitive. */
  email?: string;
  /** The present password. Required with `email`. */
  password?: string;
};
export type ChangeVerificationLimits = {
  /** For every prefix without its own limit. Default: 1000. */
  startsPerHour?: number;
  /** Prefixes with their own rules. Those that are left out go back to the defaults; a hold stays. */
  prefixes?: {
    /** A country code of E.164, such as `+49`. Countries that share one, such as those of `+1`, count together. */
    prefix: string;
    startsPerHour?: number | null;
    /** False: the prefix is never held, whatever becomes of its codes. Default: true. */
    guarded?: boolean;
    /** False releases a prefix that is held. */
    held?: false;
  }[];
};
export type ChangeWebhook = {
  /** An https URL that resolves to a public address. */
  url?: string;
  events?: WebhookEventName[];
  channelAccountIds?: string[] | null;
  channels?: Channel[] | null;
  tags?: string[] | null;
  /** A post for each event, or packs of several. `batch` needs `maxEvents` and `maxWaitMs`; `single` has neither. */
  delivery?: {
    /** `single`: a post for each event. `batch`: a post has up to `maxEvents` events, and at most 1 MB. */
    mode: 'single' | 'batch';
    /** The most events in a post. */
    maxEvents?: number;
    /** How long an event waits for others, in ms. A full pack does not wait. */
    maxWaitMs?: number;
  };
  /** A label for the webhook. An empty string removes it. */
  description?: string;
};
export type Channel = 'whatsapp' | 'telegram' | 'sms';
export type ChannelAccount = {
  id: string;
  channel: Channel;
  provider: string;
  name: string;
  /** Whether sends without `channelAccountId` on its channel leave from this account. */
  isDefault: boolean;
  defaultDetail: string | null;
  /** `connected`: it works, as far as Notify knows. `connecting`: nobody knows yet whether its settings work; messages are sent with them. A phone connects to WhatsApp. `disconnected`: the connection of a phone is lost. `action-required`: messages wait until somebody acts; `statusDetail` says why. */
  status: 'connected' | 'connecting' | 'disconnected' | 'action-required';
  statusDetail: string | null;
  settings: Record<string, unknown>;
  createdAt: string;
  lastConnectedAt: string | null;
  loopGuard: {
    /** How many contacts are affected. */
    contacts: number;
    /** When sends to the last of them are no longer spread out. */
    until: string;
  } | null;
  callbackUrl: string | null;
};
export type ChannelTemplate = {
  /** What a send names. */
  name: string;
  language: string;
  label: string | null;
  category: 'authentication' | 'marketing' | 'utility' | null;
  /** Only an approved template can be sent. */
  status: 'approved' | 'pending' | 'rejected' | 'paused' | 'disabled';
  reason: string | null;
  /** True if the variables of the body have names. */
  named: boolean;
  header: {
    kind: 'text' | 'image' | 'video' | 'document' | 'location';
    /** With `{{name}}` for each variable. For `text` only. */
    text?: string;
    variables?: {
      /** Positional variables are named `1`, `2` and so on. */
      name: string;
      example: string | null;
    }[];
    example?: string | null;
  } | null;
  body: {
    text: string;
    variables: {
      /** Positional variables are named `1`, `2` and so on. */
      name: string;
      example: string | null;
    }[];
  };
  footer: string | null;
  buttons: {
    kind: 'quick-reply' | 'url' | 'copy-code' | 'one-time-code' | 'other';
    text: string;
    /** For `url` only. */
    url?: string;
    variable?: {
      /** Positional variables are named `1`, `2` and so on. */
      name: string;
      example: string | null;
    } | null;
    example?: string | null;
  }[];
  /** The parameters that the template takes. */
  wants: {
    /** Where it goes: a JSON pointer below `parameters`. For a button, its number is the `index`. */
    at: string;
    kind: 'text' | 'image' | 'video' | 'document' | 'location' | 'payload' | 'code';
    required: boolean;
  }[];
  example: TemplateContent;
};
export type ChannelTemplates = {
  data: ChannelTemplate[];
  nextCursor: string | null;
  syncedAt: string | null;
  syncFailedAt: string | null;
  syncError: string | null;
  /** True if a synchronisation is due or running. */
  syncPending: boolean;
};
export type CheckedVerification = {
  /** `approved`: the code was right. `pending`: it was wrong, try again. `failed`: it was wrong, and no try is left. */
  status: 'pending' | 'approved' | 'failed';
  /** How many more checks it takes while it is pending. */
  attemptsLeft: number;
};
export type CheckVerification = {
  /** The code as the person entered it, digits only. */
  code: string;
};
export type CodeVerification = {
  /** The verification ID. */
  id: string;
  /** `failed`: after 5 wrong tries. `canceled`: by a newer start for the same recipient. */
  status: VerificationStatus;
  expiresAt: string;
  /** True if every route is a sandbox account. Then nothing was sent, and the code is zeros only, such as `000000`. */
  sandbox: boolean;
  /** Whom to verify: a phone number in E.164 format, or for telegram alone a chat ID or @username. */
  to: string;
  /** How many checks counted so far, right or wrong. */
  attempts: number;
  /** How many more checks it takes while it is pending. */
  attemptsLeft: number;
  createdAt: string;
  endedAt: string | null;
  /** The group of its messages: `GET /v1/notify/groups/{id}` shows what became of them. In each of them the code is masked. */
  groupId: string;
  /** The `metadata` of the send. Empty without any. */
  metadata: Record<string, string>;
  /** The `tags` of the send. */
  tags: string[];
};
export type Consent = {
  /** The account whose messages the recipient wants or does not want. */
  channelAccountId: string;
  channel: Channel;
  /** The phone number in E.164 format, or the chat ID. */
  recipient: string;
  status: ConsentStatus | null;
  source: ConsentSource | null;
  changedAt: string | null;
  /** The newest 100 changes, newest first. */
  history: {
    /** `removed`: the record was deleted by a request of yours. */
    status: 'opted-out' | 'opted-in' | 'removed';
    /** Where the change came from. `keyword`: the recipient sent one of the account’s opt-out or opt-in words. `provider`: the provider reported it, or refused a message for this reason. `api`: a request of yours. `earlier`: an opt-out from the time before changes were recorded. */
    source: ConsentSource;
    changedAt: string;
    messageId: string | null;
    note: string | null;
  }[];
};
export type Consents = {
  data: {
    /** The account whose messages the recipient wants or does not want. */
    channelAccountId: string;
    channel: Channel;
    /** The phone number in E.164 format, or the chat ID. */
    recipient: string;
    /** A message to a recipient who opted out fails with `recipient-opted-out` when it is due. */
    status: ConsentStatus;
    /** Where the change came from. `keyword`: the recipient sent one of the account’s opt-out or opt-in words. `provider`: the provider reported it, or refused a message for this reason. `api`: a request of yours. `earlier`: an opt-out from the time before changes were recorded. */
    source: ConsentSource;
    changedAt: string;
  }[];
  nextCursor: string | null;
};
export type ConsentSource = 'keyword' | 'provider' | 'api' | 'earlier';
export type ConsentStatus = 'opted-out' | 'opted-in';
export type ContactEventBody = {
  event: 'contact.paired' | 'contact.opted-out' | 'contact.opted-in';
  messageId: null;
  /** The event ID. It is the same on every retry and for every webhook: use it to detect duplicates. */
  id: string;
  /** The tenant of the account. */
  tenantId: string;
  /** The account that the contact belongs to. */
  channelAccountId: string;
  /** The channel. */
  provider: Channel;
  /** The contact, as `to` of a send. */
  to: string;
  /** What the pairing link was made for. Only in `contact.paired`. */
  reference?: string;
  /** How it came to be known. Only in `contact.opted-out` and `contact.opted-in`. */
  source?: 'keyword' | 'provider' | 'api';
  occurredAt: string;
  sequence: null;
};
export type ContactProfile = { name?: string; username?: string };
export type Conversation = {
  /** The conversation ID. */
  id: string;
  channel: Channel;
  channelAccountId: string;
  contact: ContactProfile | null;
  /** The contact, as `to` of a send. */
  to: string;
  /** Inbound messages after the last read one. 100 means 100 or more. */
  unread: number;
  windowExpiresAt: string | null;
  slowedUntil: string | null;
  /** True if the contact opted out of the account’s messages. A message to them fails with `recipient-opted-out`. */
  optedOut: boolean;
  lastMessage: MessageDetails | null;
  lastInboundAt: string | null;
  createdAt: string;
};
export type ConversationMessages = { data: MessageDetails[]; nextCursor: string | null };
export type Conversations = { data: Conversation[]; nextCursor: string | null };
export type CreateApiKey = {
  name: string;
  /** Requests per minute. Default: the limit of the plan. */
  rateLimitOverride?: number;
  /** `send`: send messages. `read`: retrieve one message by its ID, with its file. `list`: list messages. `cancel`: cancel a waiting message. Default: ["send","read"]. */
  scopes?: KeyScope[];
  /** The only accounts that the key may send from and whose messages it sees. A key for one account of a channel sends from it by default. Default: all accounts. */
  channelAccountIds?: string[];
  /** A time in the future. After it the credential gets 401. */
  expiresAt?: string;
  /** Addresses or CIDR blocks, IPv4 or IPv6. Requests from elsewhere get 403. Behind a proxy, set `TRUSTED_PROXIES`. */
  allowedIps?: string[];
};
export type CreateChannelAccount = {
  /** The ID of a provider. */
  provider: string;
  name: string;
  /** See `GET /v1/providers` for the schema. */
  settings: Record<string, unknown>;
  /** Makes the account the default of its channel, also if it could not be verified, but not if the provider refuses its settings. The first real account that works always becomes the default. */
  isDefault?: boolean;
  /** Default true. false stores the settings without asking the provider whether they work: the account is `connecting` until its first success. */
  verify?: boolean;
};
export type CreatedApiKey = {
  /** The ID of the key. Use it to revoke the key. */
  id: string;
  name: string;
  keyPrefix: 'svc_live_';
  /** Send it in the `X-Api-Key` header. Only a hash of it is stored. */
  key: string;
  rateLimitOverride: number | null;
  /** `send`: send messages. `read`: retrieve one message by its ID, with its file. `list`: list messages. `cancel`: cancel a waiting message. */
  scopes: KeyScope[];
  channelAccountIds: string[] | null;
  expiresAt: string | null;
  allowedIps: string[] | null;
  createdAt: string;
  warning: string;
};
export type CreatedServiceToken = {
  /** The ID of the token. Use it to revoke the token. */
  id: string;
  name: string;
  tokenPrefix: 'svc_tok_';
  /** The last 4 characters of the token. */
  hint: string;
  /** What the token may do. Each operation names the scope that it needs. */
  scopes: TokenScope[];
  expiresAt: string | null;
  allowedIps: string[] | null;
  createdAt: string;
  /** Send it in the `Authorization` header as `Bearer …`. Only a hash of it is stored. */
  token: string;
  warning: string;
};
export type CreatedWebhook = {
  /** The webhook ID. */
  id: string;
  url: string;
  events: WebhookEventName[];
  channelAccountIds: string[] | null;
  channels: Channel[] | null;
  tags: string[] | null;
  delivery: DeliveryMode;
  isActive: boolean;
  /** `whsec_` followed by base64. Signs the deliveries. */
  secret: string;
  warning: string;
};
export type CreatePairing = {
  /** Your name for the person, such as an ID. The event `contact.paired` has it. */
  reference: string;
  /** How long the link can be opened. Default: 604800. */
  expiresInSeconds?: number;
};
export type CreateServiceToken = {
  name: string;
  /** What the token may do. Each operation names the scope that it needs. */
  scopes: TokenScope[];
  /** A time in the future. After it the credential gets 401. */
  expiresAt?: string;
  /** Addresses or CIDR blocks, IPv4 or IPv6. Requests from elsewhere get 403. Behind a proxy, set `TRUSTED_PROXIES`. */
  allowedIps?: string[];
};
export type CreateWebhook = {
  /** An https URL that resolves to a public address. */
  url: string;
  events?: WebhookEventName[];
  channelAccountIds?: string[] | null;
  channels?: Channel[] | null;
  tags?: string[] | null;
  /** A post for each event, or packs of several. `batch` needs `maxEvents` and `maxWaitMs`; `single` has neither. */
  delivery?: {
    /** `single`: a post for each event. `batch`: a post has up to `maxEvents` events, and at most 1 MB. */
    mode: 'single' | 'batch';
    /** The most events in a post. */
    maxEvents?: number;
    /** How long an event waits for others, in ms. A full pack does not wait. */
    maxWaitMs?: number;
  };
  /** A label for the webhook. An empty string removes it. */
  description?: string;
};
export type DeleteTenant = { password: string };
export type Deliveries = { data: Delivery[]; nextCursor: string | null };
export type Delivery = {
  /** The delivery ID: one event for one webhook. */
  id: string;
  /** The event ID, as in the posted body. */
  eventId: string;
  event: PostedEventName | null;
  messageId: string | null;
  recipient: string | null;
  state: DeliveryState;
  reason: 'attempts-exhausted' | 'expired' | null;
  nextAttemptAt: string | null;
  createdAt: string;
  endedAt: string | null;
  packId: string | null;
  /** How many events the post has. A list shows a pack once, by its first delivery, whose event, message and recipient stand here. */
  eventCount: number;
  attempts: DeliveryAttempt[];
};
export type DeliveryAttempt = {
  number: number;
  status: number | null;
  error: string | null;
  durationMs: number;
  answer: string | null;
  at: string;
};
export type DeliveryDetails = {
  /** The delivery ID: one event for one webhook. */
  id: string;
  /** The event ID, as in the posted body. */
  eventId: string;
  event: PostedEventName | null;
  messageId: string | null;
  recipient: string | null;
  state: DeliveryState;
  reason: 'attempts-exhausted' | 'expired' | null;
  nextAttemptAt: string | null;
  createdAt: string;
  endedAt: string | null;
  packId: string | null;
  /** How many events the post has. A list shows a pack once, by its first delivery, whose event, message and recipient stand here. */
  eventCount: number;
  attempts: {
    number: number;
    status: number | null;
    error: string | null;
    durationMs: number;
    answer: string | null;
    at: string;
    /** The headers of the request. The signatures are computed again for this response, and left out if the secret that made them is no longer stored. */
    headers: { name: string; value: string }[];
  }[];
  /** The events of the post, in its order. */
  events: {
    /** The delivery ID: one event for one webhook. */
    deliveryId: string;
    /** The event ID, as in the posted body. */
    eventId: string;
    event: PostedEventName | null;
    messageId: string | null;
    recipient: string | null;
  }[];
  request: {
    method: 'POST';
    /** The present URL of the webhook. */
    url: string;
    body: string | null;
  };
};
export type DeliveryEntry = {
  kind: 'delivery';
  at: string;
  /** The delivery ID. `GET /v1/webhooks/{id}/deliveries` lists it with all attempts. */
  deliveryId: string;
  /** The webhook ID. */
  webhookId: string;
  url: string | null;
  /** The event ID, as in the posted body. */
  eventId: string;
  event: MessageEventName;
  state: DeliveryState;
  reason: 'attempts-exhausted' | 'expired' | null;
  /** Number of attempts so far. */
  attempts: number;
  lastAttempt: { at: string; status: number | null; error: string | null; durationMs: number } | null;
  nextAttemptAt: string | null;
  endedAt: string | null;
  standing: {
    /** One of `posts-held`, `webhook-failing`, `webhook-paused`, `webhook-disabled`, `webhook-removed`, `post-retry`, `posting`, `post-interrupted`, `behind-other-deliveries`, `post-due`, `post-not-taken`. More may follow. */
    code: string;
    /** The same in one or two sentences. */
    text: string;
    until: string | null;
  } | null;
};

/** A post for each event, or packs of several events. */
export type DeliveryMode =
  | { mode: 'single' }
  | {
      mode: 'batch';
      /** The most events in a post. */
      maxEvents: number;
      /** How long an event waits for others, in ms. A full pack does not wait. */
      maxWaitMs: number;
    };

/** `failed`: all attempts failed, or it waited 3 days for a failing webhook. `skipped`: the webhook was disabled. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'skipped';
export type EventEntry = {
  kind: 'event';
  at: string;
  event: MessageEventName;
  /** Number of the event within the message, starting at 1. */
  sequence: number;
  eventId: string | null;
};
export type Events = {
  data: ListedEvent[];
  /** Continues after this page, now or later. It is valid for 7 days. */
  nextCursor: string;
  /** False when the page ends with the newest event. */
  hasMore: boolean;
};
export type EventsSecret = {
  /** `whsec_` followed by base64. */
  secret: string;
};
export type ForgotPassword = { email: string };
export type Group = {
  /** The group ID. Events contain it as `groupId`. */
  id: string;
  /** `pending`: a route is under way, and others may follow. `sent`: no further route begins, and the last message was handed to its provider. `delivered`: a message was delivered. `failed`: no further route begins, and the last message failed. A later receipt still corrects `sent` and `failed`. */
  status: GroupStatus;
  /** Whether more than one message was delivered: one that had been sent arrived after its route was left. */
  deliveredTwice: boolean;
  verificationId: string | null;
  routes: GroupRoute[];
  /** The messages of the routes that have begun, in order. */
  messages: MessageDetails[];
  /** The `metadata` of the send. Empty without any. */
  metadata: Record<string, string>;
  /** The `tags` of the send. */
  tags: string[];
  advanceAfterSeconds: number;
  nextRouteAt: string | null;
  createdAt: string;
  scheduledAt: string | null;
  expiresAt: string;
  updatedAt: string;
  endedAt: string | null;
};
export type GroupEventBody = {
  event: 'group.delivered' | 'group.failed';
  /** The group ID, as the send returned it. */
  groupId: string;
  /** The message that was delivered first, or else the last one. The next fields are its own. */
  messageId: string;
  error?: string | null;
  /** The event ID. It is the same on every retry and for every webhook: use it to detect duplicates. */
  id: string;
  /** The tenant of the group. */
  tenantId: string;
  channelAccountId: string | null;
  /** The channel. */
  provider: Channel;
  to: string;
  type: OutboundMessageType;
  /** The status of the group. */
  status: 'delivered' | 'failed';
  errorCode: string | null;
  /** Whether more than one of its messages was delivered so far. */
  deliveredTwice: boolean;
  occurredAt: string;
  /** Number of the event within the group. */
  sequence: number;
  /** The `metadata` of the send. Only in events of messages with metadata or tags. */
  metadata?: Record<string, string>;
  /** The `tags` of the send. Only in events of messages with metadata or tags. */
  tags?: string[];
};
export type GroupRoute = {
  channel: Channel;
  to: string;
  type: OutboundMessageType;
  body: MessageBody;
  /** The account that was chosen when the group was accepted. */
  channelAccountId: string;
  messageId: string | null;
  leftFor: 'failed' | 'time-over' | null;
};
export type Groups = { data: ListedGroup[]; nextCursor: string | null; searchedTo: string | null };
export type GroupStatus = 'pending' | 'sent' | 'delivered' | 'failed';
export type InboundBody =
  | { text: string }
  | {
      type: MediaType;
      caption: string | null;
      filename: string | null;
      mimeType: string | null;
      bytes: number | null;
    }
  | { latitude: number; longitude: number; name: string | null; address: string | null }
  | { contacts: { name: string | null; phones: string[] }[] }
  | { emoji: string | null }
  | {
      /** The words on the button. */
      text: string;
      payload: string | null;
    }
  | {
      /** What it was, in the provider’s own word. */
      kind: string;
    };
export type InboundMessageType =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'document'
  | 'location'
  | 'contact'
  | 'reaction'
  | 'button'
  | 'unsupported';

/** `title`, and either `id` or `url`. */
export type InteractiveButton = {
  /** Comes back as `payload` of the inbound message of type `button`. Unique in the message, at most 64 bytes of UTF-8. */
  id?: string;
  /** The http(s) address that the button opens. */
  url?: string;
  title: string;
};
export type InteractiveContent = {
  text: string;
  /** A line above the text. */
  header?: string;
  /** A line below the text. */
  footer?: string;
  /** One to 3 buttons with an `id`, or one with a `url`. Either `buttons` or `list` is required. */
  buttons?: InteractiveButton[];
  list?: InteractiveList;
  /** What to do if the account cannot send buttons. `numbered`: a text is sent that ends in “Reply 1 for …”, and a number that comes back within 24 hours is the press. Without it, such a send is refused with `interactive-not-supported`. */
  fallback?: 'numbered';
};
export type InteractiveList = {
  /** The title of the button that opens the list. Telegram shows the rows at once, without it. */
  button: string;
  /** At most 10 rows in all sections together. */
  sections: {
    /** Required if there is more than one section. */
    title?: string;
    rows: InteractiveRow[];
  }[];
};
export type InteractiveRow = {
  /** Comes back as `payload` of the inbound message of type `button`. Unique in the message, at most 64 bytes of UTF-8. */
  id: string;
  title: string;
  description?: string;
};
export type KeyScope = 'send' | 'read' | 'list' | 'cancel' | 'conversations:read' | 'conversations:write';
export type LinkAccount = {
  /** The phone's number with country code. If set, the phone is linked by a code entered there, else by QR code. */
  phone?: string;
};
export type LinkDelivery = {
  /** `operator`: this service sends no mail, so ask its operator for a link. */
  delivery: 'email' | 'operator';
};
export type ListedEvent = {
  /** The headers that sign the body, made with the secret of `GET /v1/events/secret`. */
  headers: {
    'content-type': 'application/json';
    'webhook-id': string;
    /** When it was read, in Unix seconds. */
    'webhook-timestamp': string;
    'webhook-signature': string;
    'x-svc-signature': string;
  };
  /** The JSON that a webhook gets, byte for byte. Verify it before parsing it. */
  body: string;
};
export type ListedGroup = {
  /** The group ID. Events contain it as `groupId`. */
  id: string;
  /** `pending`: a route is under way, and others may follow. `sent`: no further route begins, and the last message was handed to its provider. `delivered`: a message was delivered. `failed`: no further route begins, and the last message failed. A later receipt still corrects `sent` and `failed`. */
  status: GroupStatus;
  /** Whether more than one message was delivered: one that had been sent arrived after its route was left. */
  deliveredTwice: boolean;
  routes: {
    channel: Channel;
    to: string;
    type: OutboundMessageType;
    /** The account that was chosen when the group was accepted. */
    channelAccountId: string;
    messageId: string | null;
    leftFor: 'failed' | 'time-over' | null;
  }[];
  /** The `metadata` of the send. Empty without any. */
  metadata: Record<string, string>;
  /** The `tags` of the send. */
  tags: string[];
  advanceAfterSeconds: number;
  nextRouteAt: string | null;
  createdAt: string;
  scheduledAt: string | null;
  expiresAt: string;
  updatedAt: string;
  endedAt: string | null;
};
export type LoggedIn = {
  success: true;
  data: {
    /** Send it as `Authorization: Bearer …`. */
    accessToken: string;
    /** Lifetime in seconds. */
    expiresIn: number;
    user: {
      /** The tenant ID. */
      id: string;
      name: string;
      email: string;
    };
  };
};
export type Login = { email: string; password: string };
export type MarkedConversation = {
  /** The conversation ID. */
  id: string;
  channel: Channel;
  channelAccountId: string;
  contact: ContactProfile | null;
  /** The contact, as `to` of a send. */
  to: string;
  /** Inbound messages after the last read one. 100 means 100 or more. */
  unread: number;
  windowExpiresAt: string | null;
  slowedUntil: string | null;
  /** True if the contact opted out of the account’s messages. A message to them fails with `recipient-opted-out`. */
  optedOut: boolean;
  lastMessage: MessageDetails | null;
  lastInboundAt: string | null;
  createdAt: string;
  /** Whether the provider took it. Nobody learns whether the person saw it. */
  delivered: boolean;
  /** Only if `delivered` is false. `not-asked`: without `tellSender`. `not-supported`: the provider has no such thing, or the phone’s owner has turned read receipts off. `no-message`: no message of the person is known to the provider. `not-connected`: the account cannot be used now. `rate-limited`: too much at once, for us or for the provider. `refused`: the provider said no. `unavailable`: the provider is away, or has the account wait. `timeout`: nothing came of it within 10 seconds. */
  reason?: NotToldReason;
};
export type MediaContent = {
  type: MediaType;
  /** The public http(s) URL of the file. Required, unless there is a `fileId`. */
  url?: string;
  /** An uploaded file (`POST /v1/notify/files`) in place of `url`. It is kept until the message has ended, and an hour longer. */
  fileId?: string;
  /** At most 1,024 characters. With `telegram.format`, 4,096 together with the markup. */
  caption?: string;
  /** The file name shown to the recipient, for documents. */
  filename?: string;
};
export type MediaType = 'image' | 'video' | 'audio' | 'document';
export type Message = {
  /** The message ID. Webhook events contain it as `messageId`. */
  id: string;
  /** The same as `id`. */
  messageId: string;
  /** The tenant of the message. */
  tenantId: string;
  channelAccountId: string | null;
  /** The channel. */
  provider: Channel;
  /** The recipient, as given in the request. */
  to: string;
  type: OutboundMessageType;
  status: MessageStatus;
  body: MessageBody;
  createdAt: string;
  scheduledAt: string | null;
  /** The `metadata` of the send. Empty without any. */
  metadata: Record<string, string>;
  /** The `tags` of the send. */
  tags: string[];
  error?: string;
  errorCode?: string;
};
export type MessageBody =
  | {
      text: string;
      /** Only on `telegram`. */
      telegram?: {
        /** How the text or the caption is marked up: Telegram’s HTML, or its MarkdownV2. Such a text is never split: without its markup it may have 4,096 UTF-16 code units, and a caption 1,024. One that Telegram cannot read fails with `content-rejected`. Without `format` the text arrives unchanged. */
        format?: 'html' | 'markdown';
        /** The topic of the chat that the message goes to. Default: the topic of the message that `replyTo` names. */
        threadId?: number;
        /** Whether it arrives without a sound. */
        silent?: boolean;
        /** False: links in a text get no preview. A file never has one. */
        preview?: boolean;
      };
    }
  | {
      type: MediaType;
      url: string | null;
      /** The uploaded file, if one was sent. */
      fileId?: string;
      caption: string | null;
      filename?: string;
      /** Only on `telegram`. */
      telegram?: {
        /** How the text or the caption is marked up: Telegram’s HTML, or its MarkdownV2. Such a text is never split: without its markup it may have 4,096 UTF-16 code units, and a caption 1,024. One that Telegram cannot read fails with `content-rejected`. Without `format` the text arrives unchanged. */
        format?: 'html' | 'markdown';
        /** The topic of the chat that the message goes to. Default: the topic of the message that `replyTo` names. */
        threadId?: number;
        /** Whether it arrives without a sound. */
        silent?: boolean;
        /** False: links in a text get no preview. A file never has one. */
        preview?: boolean;
      };
    }
  | {
      template: TemplateContent;
      /** The text as the recipient reads it, if the template was known. */
      text?: string;
    }
  | {
      interactive: InteractiveContent;
      /** The text as the recipient reads it, if it is sent in place of buttons (`numbered`). */
      text?: string;
    };
export type MessageDetails = {
  /** The message ID, as the send returned it. Events name it `messageId`. */
  id: string;
  /** The same as `id`. */
  messageId: string;
  channelAccountId: string | null;
  /** `inbound`: a person wrote it to the account. */
  direction: MessageDirection;
  /** The channel. */
  provider: Channel;
  /** The recipient, as given in the request. Of an inbound message the account’s own address; empty if the provider does not name it, as Telegram and the sandbox do not. */
  to: string;
  type: MessageType;
  status: MessageStatus;
  body: MessageBody | InboundBody;
  createdAt: string;
  scheduledAt: string | null;
  /** The `metadata` of the send. Empty without any. */
  metadata: Record<string, string>;
  /** The `tags` of the send. */
  tags: string[];
  from: string | null;
  contact: ContactProfile | null;
  replyTo: string | null;
  threadId: number | null;
  groupId: string | null;
  receivedAt: string | null;
  externalId: string | null;
  error: string | null;
  errorCode: string | null;
  sentAt: string | null;
  deliveredAt: string | null;
  readAt: string | null;
  failedAt: string | null;
  expiresAt: string;
  updatedAt: string;
  /** True if quiet hours do not hold it up. */
  urgent: boolean;
  /** Number of attempts to send. */
  attempts: number;
  segments: number | null;
  /** True if the message was sent again after an attempt with an unknown outcome, so it may arrive twice. */
  possibleDuplicate: boolean;
};
export type MessageDirection = 'outbound' | 'inbound';
export type MessageEventBody = {
  event: 'message.queued' | 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed';
  /** The message ID. */
  messageId: string;
  error?: string | null;
  /** The event ID. It is the same on every retry and for every webhook: use it to detect duplicates. */
  id: string;
  /** The tenant of the message. */
  tenantId: string;
  channelAccountId: string | null;
  /** The channel. */
  provider: Channel;
  to: string;
  type: OutboundMessageType;
  /** The status at the time of the event. */
  status: MessageStatus;
  externalId: string | null;
  errorCode: string | null;
  possibleDuplicate: boolean;
  occurredAt: string;
  /** Number of the event within the message. Events may arrive out of order. */
  sequence: number;
  /** The group of which the message is a route. Only in events of such messages. */
  groupId?: string;
  /** The `metadata` of the send. Only in events of messages with metadata or tags. */
  metadata?: Record<string, string>;
  /** The `tags` of the send. Only in events of messages with metadata or tags. */
  tags?: string[];
};
export type MessageEventName =
  | 'message.queued'
  | 'message.sent'
  | 'message.delivered'
  | 'message.read'
  | 'message.failed'
  | 'message.received';
export type MessageHistory = {
  /** The message ID, as the send returned it. Events name it `messageId`. */
  id: string;
  /** The same as `id`. */
  messageId: string;
  channelAccountId: string | null;
  /** `inbound`: a person wrote it to the account. */
  direction: MessageDirection;
  /** The channel. */
  provider: Channel;
  /** The recipient, as given in the request. Of an inbound message the account’s own address; empty if the provider does not name it, as Telegram and the sandbox do not. */
  to: string;
  type: MessageType;
  status: MessageStatus;
  body: MessageBody | InboundBody;
  createdAt: string;
  scheduledAt: string | null;
  /** The `metadata` of the send. Empty without any. */
  metadata: Record<string, string>;
  /** The `tags` of the send. */
  tags: string[];
  from: string | null;
  contact: ContactProfile | null;
  replyTo: string | null;
  threadId: number | null;
  groupId: string | null;
  receivedAt: string | null;
  externalId: string | null;
  error: string | null;
  errorCode: string | null;
  sentAt: string | null;
  deliveredAt: string | null;
  readAt: string | null;
  failedAt: string | null;
  expiresAt: string;
  updatedAt: string;
  /** True if quiet hours do not hold it up. */
  urgent: boolean;
  /** Number of attempts to send. */
  attempts: number;
  segments: number | null;
  /** True if the message was sent again after an attempt with an unknown outcome, so it may arrive twice. */
  possibleDuplicate: boolean;
  apiKeyId: string | null;
  idempotencyKey: string | null;
  accountName: string | null;
  accountProvider: string | null;
  /** True if the message is waiting and not being sent. */
  cancelable: boolean;
  nextAttemptAt: string | null;
  standing: {
    /** One of `sends-held`, `account-paused`, `account-action-required`, `account-not-connected`, `account-removed`, `account-pace`, `account-resting`, `recipient-pace`, `recipient-opted-out`, `conversation-slowed`, `quiet-hours`, `behind-others`, `behind-singles`, `retry`, `throttled`, `repeat`, `awaiting-receipt`, `scheduled`, `in-progress`, `interrupted`, `due`, `not-taken`, `not-waiting`, `slow-lane`, `expired`, `tenant-blocked`, `sent`. More may follow. */
    code: string;
    /** The same in one or two sentences. */
    text: string;
    until: string | null;
  } | null;
  resendOf: string | null;
  resentAs: string | null;
  /** Oldest first: status changes (`event`), attempts to send (`attempt`), delivery receipts (`receipt`) and webhook deliveries (`delivery`). At most the newest 200 of each kind, and the first 20 receipts. */
  timeline: TimelineEntry[];
};
export type MessageRecord = {
  /** The message ID, as the send returned it. Events name it `messageId`. */
  id: string;
  /** The same as `id`. */
  messageId: string;
  channelAccountId: string | null;
  /** `inbound`: a person wrote it to the account. */
  direction: MessageDirection;
  /** The channel. */
  provider: Channel;
  /** The recipient, as given in the request. Of an inbound message the account’s own address; empty if the provider does not name it, as Telegram and the sandbox do not. */
  to: string;
  type: MessageType;
  status: MessageStatus;
  body: MessageBody | InboundBody;
  createdAt: string;
  scheduledAt: string | null;
  /** The `metadata` of the send. Empty without any. */
  metadata: Record<string, string>;
  /** The `tags` of the send. */
  tags: string[];
  from: string | null;
  contact: ContactProfile | null;
  replyTo: string | null;
  threadId: number | null;
  groupId: string | null;
  receivedAt: string | null;
  externalId: string | null;
  error: string | null;
  errorCode: string | null;
  sentAt: string | null;
  deliveredAt: string | null;
  readAt: string | null;
  failedAt: string | null;
  expiresAt: string;
  updatedAt: string;
  /** True if quiet hours do not hold it up. */
  urgent: boolean;
  /** Number of attempts to send. */
  attempts: number;
  segments: number | null;
  /** True if the message was sent again after an attempt with an unknown outcome, so it may arrive twice. */
  possibleDuplicate: boolean;
  apiKeyId: string | null;
  idempotencyKey: string | null;
};
export type MessageRecords = { data: MessageRecord[]; nextCursor: string | null; searchedTo: string | null };
export type Messages = { data: MessageDetails[]; nextCursor: string | null; searchedTo: string | null };
export type MessageStatus = 'queued' | 'sent' | 'delivered' | 'failed';
export type MessageType =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'document'
  | 'template'
  | 'interactive'
  | 'location'
  | 'contact'
  | 'reaction'
  | 'button'
  | 'unsupported';
export type NotToldReason =
  | 'not-asked'
  | 'not-supported'
  | 'no-message'
  | 'not-connected'
  | 'rate-limited'
  | 'refused'
  | 'unavailable'
  | 'timeout';
export type OpenSession = {
  /** The session ID. */
  id: string;
  /** True for the session of this request. */
  current: boolean;
  userAgent: string | null;
  address: string | null;
  createdAt: string;
  /** When the session last received an access token, to the minute. */
  lastUsedAt: string;
  expiresAt: string;
};
export type OutboundMessageType =
  'text' | 'image' | 'video' | 'audio' | 'document' | 'template' | 'interactive';
export type Pairing = {
  /** Give it to one person. It works for the first chat that opens it. */
  url: string;
  /** Your name for the person, such as an ID. The event `contact.paired` has it. */
  reference: string;
  expiresAt: string;
};
export type PostedEventName =
  | 'message.queued'
  | 'message.sent'
  | 'message.delivered'
  | 'message.read'
  | 'message.failed'
  | 'message.received'
  | 'contact.paired'
  | 'contact.opted-out'
  | 'contact.opted-in'
  | 'group.delivered'
  | 'group.failed'
  | 'verification.held'
  | 'webhook.test';

/** An error response. Use `code` to distinguish errors. */
export type Problem = {
  /** Documentation of the code: `/problems/<code>`. */
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  /** What went wrong in this request. */
  detail?: string;
  errors?: { at: string; message: string }[];
  /** Same as the `X-Request-Id` header. */
  requestId: string;
};
export type ProblemCode =
  | 'malformed-json'
  | 'unauthenticated'
  | 'invalid-credentials'
  | 'invalid-api-key'
  | 'trial-expired'
  | 'forbidden'
  | 'not-found'
  | 'unknown-channel'
  | 'method-not-allowed'
  | 'email-taken'
  | 'idempotency-key-reused'
  | 'limit-reached'
  | 'not-cancelable'
  | 'not-resendable'
  | 'not-changeable'
  | 'file-in-use'
  | 'media-expired'
  | 'cursor-expired'
  | 'too-large'
  | 'unsupported-media-type'
  | 'invalid-request'
  | 'media-not-supported'
  | 'media-url-required'
  | 'file-not-found'
  | 'channel-not-connected'
  | 'channel-account-not-found'
  | 'invalid-recipient'
  | 'interactive-not-supported'
  | 'template-not-supported'
  | 'template-not-found'
  | 'template-not-approved'
  | 'template-parameters-invalid'
  | 'verification-ended'
  | 'verification-held'
  | 'rate-limited'
  | 'internal'
  | 'unavailable';
export type Profile = {
  /** The tenant ID. */
  id: string;
  name: string;
  email: string;
  plan: string;
  trialEndsAt: string;
  createdAt: string;
  /** Whether the email address is verified. `required`: sends get 403 until it is. `off`: it is not, and need not be. */
  emailVerification: 'off' | 'required' | 'done';
};
export type Provider = {
  id: string;
  /** `any`: the settings name the channel. */
  channel: 'whatsapp' | 'telegram' | 'sms' | 'any';
  name: string;
  capabilities: {
    media: boolean;
    /** True if delivery receipts come. Without them messages end at `sent`. */
    reportsDelivery: boolean;
    /** Channels on which none come although `reportsDelivery` is true: the sandbox is silent on telegram. */
    silentOn: Channel[];
    reportsRead: boolean;
    repeatIsSafe: boolean;
    callbacks: boolean;
    /** True if accounts must be linked to a phone before they can send. */
    linking: boolean;
    /** True if messages that people write to the account arrive here. */
    inbound: boolean;
    /** What people who wrote can be told beside messages: `read`, `typing`. */
    chatStates: ('read' | 'typing')[];
    replyWindowMs: number | null;
    /** Channels on which it sends buttons and lists. */
    interactiveOn: Channel[];
    /** True if the provider keeps templates that can be sent. */
    templates: boolean;
    maxInFlight: number;
    callDeadlineMs: number;
  };
  /** A JSON Schema. Fields with `secret: true` are masked in responses. `labels` has a text for each value of an enum, for forms. */
  settings: Record<string, unknown>;
};
export type ReadConversation = {
  /** The newest message that was read. Default: the newest of the conversation. An older one than was read before changes nothing. */
  messageId?: string;
  /** Also tell the person who wrote, where the provider can. Default: false. */
  tellSender?: boolean;
};
export type ReceiptEntry = {
  kind: 'receipt';
  at: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  part: number | null;
  errorCode: string | null;
  providerCode: string | null;
  text: string | null;
};
export type ReceivedEventBody = {
  event: 'message.received';
  /** The message ID. `replyTo` of a send quotes it. */
  messageId: string;
  /** The event ID. It is the same on every retry and for every webhook: use it to detect duplicates. */
  id: string;
  /** The tenant of the account. */
  tenantId: string;
  /** The account that the person wrote to. */
  channelAccountId: string;
  /** The channel. */
  provider: Channel;
  direction: 'inbound';
  /** Who wrote, as `to` of an answer. */
  from: string;
  /** The account’s own address. Empty if it is unknown. */
  to: string;
  type: InboundMessageType;
  body: InboundBody;
  contact: ContactProfile | null;
  replyTo: string | null;
  /** The topic of a Telegram chat. Only in events of messages in a topic. */
  threadId?: number;
  status: 'delivered';
  /** The provider's message ID. */
  externalId: string;
  errorCode: null;
  possibleDuplicate: boolean;
  occurredAt: string;
  sequence: 1;
  /** The `metadata` of the message that `replyTo` names. Only if it has any. */
  replyToMetadata?: Record<string, string>;
};
export type Refresh = {
  /** `rt_…` */
  refreshToken?: string;
};
export type Register = {
  name: string;
  /** Not case-sensitive. */
  email: string;
  /** At most 72 bytes of UTF-8. Blank passwords, the name, the email address and common passwords such as `password` or `12345678` are rejected. */
  password: string;
};
export type Replay = {
  since: string;
  until: string;
  /** How many events it posts: those that were not delivered and do not wait. Counted when it begins, among the oldest 10,000 events of that time. */
  events: number;
  /** False if there are more than 10,000 events in that time, or if they could not be counted in time; `events` is then 0. It posts at least `events`. */
  eventsComplete: boolean;
};
export type ReplayWebhook = { since: string };
export type RequestedDelivery = {
  /** The delivery ID: one event for one webhook. */
  deliveryId: string;
  /** The event ID, as in the posted body. */
  eventId: string;
};
export type ResendMessage = {
  /** Default: the account of the failed message, or the default account of the channel if that was removed. */
  channelAccountId?: string;
};
export type ResentMessage = {
  /** The message ID. Webhook events contain it as `messageId`. */
  id: string;
  /** The same as `id`. */
  messageId: string;
  /** The tenant of the message. */
  tenantId: string;
  channelAccountId: string | null;
  /** The channel. */
  provider: Channel;
  /** The recipient, as given in the request. */
  to: string;
  type: OutboundMessageType;
  status: MessageStatus;
  body: MessageBody;
  createdAt: string;
  scheduledAt: string | null;
  /** The `metadata` of the send. Empty without any. */
  metadata: Record<string, string>;
  /** The `tags` of the send. */
  tags: string[];
  error?: string;
  errorCode?: string;
  /** The failed message. */
  resendOf: string;
  /** True if the failed message may have arrived, so this one may be a duplicate. */
  possibleDuplicate: boolean;
};
export type ResetPassword = {
  /** The part of the link after its `#`. */
  token: string;
  /** At most 72 bytes of UTF-8. Blank passwords, the name, the email address and common passwords such as `password` or `12345678` are rejected. */
  newPassword: string;
};
export type RotateApiKey = {
  /** How long the old key still works. 0: it stops at once. Default: 0. */
  overlapSeconds?: number;
};
export type RotatedSecret = {
  /** The webhook ID. */
  id: string;
  /** `whsec_` followed by base64. Signs the deliveries from now on. */
  secret: string;
  previousSecretUntil: string;
  warning: string;
};

/** One of `text`, `media`, `template` and `interactive` is required. */
export type Route = {
  channel: Channel;
  /** A phone number (for sms in E.164 format with +), or for telegram a chat ID or @username. */
  to: string;
  /** At most 4,096 characters. With `telegram.format`, 16,384 together with the markup. */
  text?: string;
  media?: MediaContent;
  template?: TemplateContent;
  interactive?: InteractiveContent;
  /** Only on `telegram`. */
  telegram?: {
    /** How the text or the caption is marked up: Telegram’s HTML, or its MarkdownV2. Such a text is never split: without its markup it may have 4,096 UTF-16 code units, and a caption 1,024. One that Telegram cannot read fails with `content-rejected`. Without `format` the text arrives unchanged. */
    format?: 'html' | 'markdown';
    /** The topic of the chat that the message goes to. Default: the topic of the message that `replyTo` names. */
    threadId?: number;
    /** Whether it arrives without a sound. */
    silent?: boolean;
    /** False: links in a text get no preview. A file never has one. */
    preview?: boolean;
  };
  /** The account to send from. Default: the default account of the channel. */
  channelAccountId?: string;
};
export type SendBulk = { messages: BulkItem[] };
export type SendGroup = {
  /** Tried in this order, one after the other. */
  routes: Route[];
  /** How long each route but the last has, waiting included. The next one begins when this is over and the message is not delivered. The last one has until the group expires. Default: 60. */
  advanceAfterSeconds?: number;
  /** Repeating a request with the same key returns the first response and creates no second group. */
  idempotencyKey?: string;
  /** When to send the message: ISO 8601 with a time zone, at most 30 days ahead. A time up to a minute ago means now. The message is stored at once, and never leaves before this time. */
  sendAt?: string;
  /** The lifetime of the whole group: after it no route begins. Counts from `sendAt`, or else from the request. Default: 86400. */
  expiresInSeconds?: number;
  /** Groups ignore quiet hours in any case, so this changes nothing. */
  urgent?: boolean;
  /** Your own data about the message: at most 16 names (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`), each with a value of at most 256 characters. Reads and events return it, and it is kept as long as the message. A repeat with the same idempotency key may have other metadata: it answers with that of the first. */
  metadata?: Record<string, string>;
  /** At most 5 tags (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`) by which lists, cancellations, events and usage are filtered. A repeat with the same idempotency key may have others: it answers with those of the first. */
  tags?: string[];
};
export type SendInteractive = {
  /** A phone number (for sms in E.164 format with +), or for telegram a chat ID or @username. */
  to: string;
  text: string;
  /** A line above the text. */
  header?: string;
  /** A line below the text. */
  footer?: string;
  /** One to 3 buttons with an `id`, or one with a `url`. Either `buttons` or `list` is required. */
  buttons?: InteractiveButton[];
  list?: InteractiveList;
  /** What to do if the account cannot send buttons. `numbered`: a text is sent that ends in “Reply 1 for …”, and a number that comes back within 24 hours is the press. Without it, such a send is refused with `interactive-not-supported`. */
  fallback?: 'numbered';
  /** The account to send from. Default: the default account of the channel. */
  channelAccountId?: string;
  /** Repeating a request with the same key returns the first response and creates no second message. */
  idempotencyKey?: string;
  /** A message of the same conversation to quote: of the same account, from or to this recipient. Where the provider cannot quote, the message is sent without. */
  replyTo?: string;
  /** Your own data about the message: at most 16 names (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`), each with a value of at most 256 characters. Reads and events return it, and it is kept as long as the message. A repeat with the same idempotency key may have other metadata: it answers with that of the first. */
  metadata?: Record<string, string>;
  /** At most 5 tags (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`) by which lists, cancellations, events and usage are filtered. A repeat with the same idempotency key may have others: it answers with those of the first. */
  tags?: string[];
  /** A message not sent within this time fails with the code `expired`. It counts from `sendAt`, or else from the request. Quiet hours that postpone the message do not count. Default: 86400. */
  expiresInSeconds?: number;
  /** When to send the message: ISO 8601 with a time zone, at most 30 days ahead. A time up to a minute ago means now. The message is stored at once, and never leaves before this time. */
  sendAt?: string;
  /** Whether to send the message in the quiet hours of its account, too. Default: false. */
  urgent?: boolean;
};
export type SendMedia = {
  /** A phone number (for sms in E.164 format with +), or for telegram a chat ID or @username. */
  to: string;
  type: MediaType;
  /** The public http(s) URL of the file. Required, unless there is a `fileId`. */
  url?: string;
  /** An uploaded file (`POST /v1/notify/files`) in place of `url`. It is kept until the message has ended, and an hour longer. */
  fileId?: string;
  /** At most 1,024 characters. With `telegram.format`, 4,096 together with the markup. */
  caption?: string;
  /** The file name shown to the recipient, for documents. */
  filename?: string;
  /** Only on `telegram`. */
  telegram?: {
    /** How the text or the caption is marked up: Telegram’s HTML, or its MarkdownV2. Such a text is never split: without its markup it may have 4,096 UTF-16 code units, and a caption 1,024. One that Telegram cannot read fails with `content-rejected`. Without `format` the text arrives unchanged. */
    format?: 'html' | 'markdown';
    /** The topic of the chat that the message goes to. Default: the topic of the message that `replyTo` names. */
    threadId?: number;
    /** Whether it arrives without a sound. */
    silent?: boolean;
    /** False: links in a text get no preview. A file never has one. */
    preview?: boolean;
  };
  /** The account to send from. Default: the default account of the channel. */
  channelAccountId?: string;
  /** Repeating a request with the same key returns the first response and creates no second message. */
  idempotencyKey?: string;
  /** A message of the same conversation to quote: of the same account, from or to this recipient. Where the provider cannot quote, the message is sent without. */
  replyTo?: string;
  /** Your own data about the message: at most 16 names (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`), each with a value of at most 256 characters. Reads and events return it, and it is kept as long as the message. A repeat with the same idempotency key may have other metadata: it answers with that of the first. */
  metadata?: Record<string, string>;
  /** At most 5 tags (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`) by which lists, cancellations, events and usage are filtered. A repeat with the same idempotency key may have others: it answers with those of the first. */
  tags?: string[];
  /** A message not sent within this time fails with the code `expired`. It counts from `sendAt`, or else from the request. Quiet hours that postpone the message do not count. Default: 86400. */
  expiresInSeconds?: number;
  /** When to send the message: ISO 8601 with a time zone, at most 30 days ahead. A time up to a minute ago means now. The message is stored at once, and never leaves before this time. */
  sendAt?: string;
  /** Whether to send the message in the quiet hours of its account, too. Default: false. */
  urgent?: boolean;
};

/** One of `text`, `type` (with `url` or `fileId`), `template` and `interactive` is required. */
export type SendMessage = {
  channel: Channel;
  /** A phone number (for sms in E.164 format with +), or for telegram a chat ID or @username. */
  to: string;
  /** At most 4,096 characters. With `telegram.format`, 16,384 together with the markup. */
  text?: string;
  /** Only on `telegram`. */
  telegram?: {
    /** How the text or the caption is marked up: Telegram’s HTML, or its MarkdownV2. Such a text is never split: without its markup it may have 4,096 UTF-16 code units, and a caption 1,024. One that Telegram cannot read fails with `content-rejected`. Without `format` the text arrives unchanged. */
    format?: 'html' | 'markdown';
    /** The topic of the chat that the message goes to. Default: the topic of the message that `replyTo` names. */
    threadId?: number;
    /** Whether it arrives without a sound. */
    silent?: boolean;
    /** False: links in a text get no preview. A file never has one. */
    preview?: boolean;
  };
  /** The account to send from. Default: the default account of the channel. */
  channelAccountId?: string;
  /** Repeating a request with the same key returns the first response and creates no second message. */
  idempotencyKey?: string;
  /** A message of the same conversation to quote: of the same account, from or to this recipient. Where the provider cannot quote, the message is sent without. */
  replyTo?: string;
  /** Your own data about the message: at most 16 names (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`), each with a value of at most 256 characters. Reads and events return it, and it is kept as long as the message. A repeat with the same idempotency key may have other metadata: it answers with that of the first. */
  metadata?: Record<string, string>;
  /** At most 5 tags (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`) by which lists, cancellations, events and usage are filtered. A repeat with the same idempotency key may have others: it answers with those of the first. */
  tags?: string[];
  /** A message not sent within this time fails with the code `expired`. It counts from `sendAt`, or else from the request. Quiet hours that postpone the message do not count. Default: 86400. */
  expiresInSeconds?: number;
  /** When to send the message: ISO 8601 with a time zone, at most 30 days ahead. A time up to a minute ago means now. The message is stored at once, and never leaves before this time. */
  sendAt?: string;
  /** Whether to send the message in the quiet hours of its account, too. Default: false. */
  urgent?: boolean;
  type?: MediaType;
  /** The public http(s) URL of the file. Required, unless there is a `fileId`. */
  url?: string;
  /** An uploaded file (`POST /v1/notify/files`) in place of `url`. It is kept until the message has ended, and an hour longer. */
  fileId?: string;
  /** At most 1,024 characters. With `telegram.format`, 4,096 together with the markup. */
  caption?: string;
  /** The file name shown to the recipient, for documents. */
  filename?: string;
  template?: TemplateContent;
  interactive?: InteractiveContent;
};
export type SendTemplate = {
  /** A phone number (for sms in E.164 format with +), or for telegram a chat ID or @username. */
  to: string;
  template: TemplateContent;
  /** The account to send from. Default: the default account of the channel. */
  channelAccountId?: string;
  /** Repeating a request with the same key returns the first response and creates no second message. */
  idempotencyKey?: string;
  /** A message of the same conversation to quote: of the same account, from or to this recipient. Where the provider cannot quote, the message is sent without. */
  replyTo?: string;
  /** Your own data about the message: at most 16 names (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`), each with a value of at most 256 characters. Reads and events return it, and it is kept as long as the message. A repeat with the same idempotency key may have other metadata: it answers with that of the first. */
  metadata?: Record<string, string>;
  /** At most 5 tags (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`) by which lists, cancellations, events and usage are filtered. A repeat with the same idempotency key may have others: it answers with those of the first. */
  tags?: string[];
  /** A message not sent within this time fails with the code `expired`. It counts from `sendAt`, or else from the request. Quiet hours that postpone the message do not count. Default: 86400. */
  expiresInSeconds?: number;
  /** When to send the message: ISO 8601 with a time zone, at most 30 days ahead. A time up to a minute ago means now. The message is stored at once, and never leaves before this time. */
  sendAt?: string;
  /** Whether to send the message in the quiet hours of its account, too. Default: false. */
  urgent?: boolean;
};
export type SendText = {
  /** A phone number (for sms in E.164 format with +), or for telegram a chat ID or @username. */
  to: string;
  /** At most 4,096 characters. With `telegram.format`, 16,384 together with the markup. */
  text: string;
  /** Only on `telegram`. */
  telegram?: {
    /** How the text or the caption is marked up: Telegram’s HTML, or its MarkdownV2. Such a text is never split: without its markup it may have 4,096 UTF-16 code units, and a caption 1,024. One that Telegram cannot read fails with `content-rejected`. Without `format` the text arrives unchanged. */
    format?: 'html' | 'markdown';
    /** The topic of the chat that the message goes to. Default: the topic of the message that `replyTo` names. */
    threadId?: number;
    /** Whether it arrives without a sound. */
    silent?: boolean;
    /** False: links in a text get no preview. A file never has one. */
    preview?: boolean;
  };
  /** The account to send from. Default: the default account of the channel. */
  channelAccountId?: string;
  /** Repeating a request with the same key returns the first response and creates no second message. */
  idempotencyKey?: string;
  /** A message of the same conversation to quote: of the same account, from or to this recipient. Where the provider cannot quote, the message is sent without. */
  replyTo?: string;
  /** Your own data about the message: at most 16 names (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`), each with a value of at most 256 characters. Reads and events return it, and it is kept as long as the message. A repeat with the same idempotency key may have other metadata: it answers with that of the first. */
  metadata?: Record<string, string>;
  /** At most 5 tags (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`) by which lists, cancellations, events and usage are filtered. A repeat with the same idempotency key may have others: it answers with those of the first. */
  tags?: string[];
  /** A message not sent within this time fails with the code `expired`. It counts from `sendAt`, or else from the request. Quiet hours that postpone the message do not count. Default: 86400. */
  expiresInSeconds?: number;
  /** When to send the message: ISO 8601 with a time zone, at most 30 days ahead. A time up to a minute ago means now. The message is stored at once, and never leaves before this time. */
  sendAt?: string;
  /** Whether to send the message in the quiet hours of its account, too. Default: false. */
  urgent?: boolean;
};
export type ServiceToken = {
  /** The ID of the token. Use it to revoke the token. */
  id: string;
  name: string;
  tokenPrefix: 'svc_tok_';
  /** The last 4 characters of the token. */
  hint: string;
  /** What the token may do. Each operation names the scope that it needs. */
  scopes: TokenScope[];
  expiresAt: string | null;
  allowedIps: string[] | null;
  createdAt: string;
  lastUsedAt: string | null;
};

/** Either `text` or `media` is required. */
export type SimulateInbound = {
  /** Who writes: an address that a send on the channel of the account takes as `to`. */
  from: string;
  text?: string;
  /** A small file of this type, made by the sandbox. */
  media?: {
    type: MediaType;
    caption?: string;
    /** The file name shown to the recipient, for documents. */
    filename?: string;
  };
  /** The message of the same conversation that the person answers. */
  replyTo?: string;
};
export type StartedVerification = {
  /** The verification ID. */
  id: string;
  /** `failed`: after 5 wrong tries. `canceled`: by a newer start for the same recipient. */
  status: VerificationStatus;
  expiresAt: string;
  /** True if every route is a sandbox account. Then nothing was sent, and the code is zeros only, such as `000000`. */
  sandbox: boolean;
};
export type StartVerification = {
  /** Whom to verify: a phone number in E.164 format, or for telegram alone a chat ID or @username. */
  to: string;
  channel?: Channel;
  /** Tried in order, all with the same code. Either `channel` or `routes` is required. */
  routes?: {
    channel: Channel;
    /** Only for telegram: the chat of the person. The other channels use the `to` of the verification. */
    to?: string;
    /** The account to send from. Default: the default account of the channel. */
    channelAccountId?: string;
  }[];
  /** The language of the text, such as `de-AT`: then `de`, then English. WhatsApp Cloud uses the authentication template in that language. */
  locale?: string;
  /** The number of digits. Default: 6. */
  codeLength?: number;
  /** How long the code can be checked, and how long it may wait to be sent. Default: 600. */
  expiresInSeconds?: number;
  /** Your name in the text. It has no line break, no `•` and at most three digits in a row, of whatever script and with whatever signs between them. An authentication template has its own text. */
  brand?: string;
  /** Repeating a request with the same key returns the first response and sends no second code. */
  idempotencyKey?: string;
  /** Your own data about the message: at most 16 names (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`), each with a value of at most 256 characters. Reads and events return it, and it is kept as long as the message. A repeat with the same idempotency key may have other metadata: it answers with that of the first. */
  metadata?: Record<string, string>;
  /** At most 5 tags (1 to 40 letters (A–Z, a–z), digits, `_`, `.` and `-`) by which lists, cancellations, events and usage are filtered. A repeat with the same idempotency key may have others: it answers with those of the first. */
  tags?: string[];
};

/** `index`, and one other field. */
export type TemplateButton = {
  /** The place of the button, from 0. */
  index: number;
  /** What a quick reply sends back to you. */
  payload?: string;
  /** The end of the address that a button opens. */
  text?: string;
  /** The code that a button copies: of a coupon, or for one use. */
  code?: string;
};
export type TemplateContent = {
  /** The name of the template. For Twilio its ContentSid. */
  name: string;
  language: string;
  parameters?: TemplateParameters;
};

/** What fills the header, as its kind requires. Exactly one field. */
export type TemplateHeader = {
  text?: string;
  image?: {
    /** The public http(s) URL of the file. */
    url: string;
    filename?: string;
  };
  video?: {
    /** The public http(s) URL of the file. */
    url: string;
    filename?: string;
  };
  document?: {
    /** The public http(s) URL of the file. */
    url: string;
    filename?: string;
  };
  location?: { latitude: number; longitude: number; name?: string; address?: string };
};
export type TemplateParameters = {
  header?: TemplateHeader;
  /** What fills the variables of the body: an array fills `{{1}}`, `{{2}}` and so on, an object fills named ones. */
  body?: string[] | Record<string, string>;
  buttons?: TemplateButton[];
};
export type TemplateSync = {
  syncedAt: string | null;
  syncFailedAt: string | null;
  syncError: string | null;
  /** True if a synchronisation is due or running. */
  syncPending: boolean;
};
export type TestEventBody = {
  event: 'webhook.test';
  messageId: null;
  /** The event ID. It is the same on every retry and for every webhook: use it to detect duplicates. */
  id: string;
  /** The tenant of the webhook. */
  tenantId: string;
  channelAccountId: null;
  provider: null;
  to: null;
  type: null;
  status: null;
  externalId: null;
  errorCode: null;
  possibleDuplicate: null;
  occurredAt: string;
  sequence: null;
};
export type TimelineEntry = EventEntry | AttemptEntry | ReceiptEntry | DeliveryEntry;
export type TokenScope =
  | 'messages:read'
  | 'messages:send'
  | 'messages:manage'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'events:read'
  | 'accounts:read'
  | 'accounts:write'
  | 'accounts:link'
  | 'templates:read'
  | 'templates:write'
  | 'keys:read'
  | 'keys:write'
  | 'usage:read'
  | 'consent:read'
  | 'consent:write'
  | 'conversations:read'
  | 'conversations:write';
export type Told = {
  /** Whether the provider took it. Nobody learns whether the person saw it. */
  delivered: boolean;
  /** Only if `delivered` is false. `not-asked`: without `tellSender`. `not-supported`: the provider has no such thing, or the phone’s owner has turned read receipts off. `no-message`: no message of the person is known to the provider. `not-connected`: the account cannot be used now. `rate-limited`: too much at once, for us or for the provider. `refused`: the provider said no. `unavailable`: the provider is away, or has the account wait. `timeout`: nothing came of it within 10 seconds. */
  reason?: NotToldReason;
};
export type UploadedFile = {
  /** The file ID: `fileId` of a send. */
  id: string;
  /** Its MIME type, by its first bytes. */
  type: string;
  bytes: number;
  /** The SHA-256 of its bytes, in hex. */
  sha256: string;
  filename: string | null;
  createdAt: string;
  expiresAt: string | null;
};
export type Usage = {
  from: string;
  until: string;
  per: 'hour' | 'day';
  asOf: string | null;
  totals: {
    /** Accepted messages. */
    accepted: number;
    /** Still `queued`. */
    waiting: number;
    /** Handed to the provider, whatever their status now. */
    sent: number;
    /** Confirmed at the recipient. */
    delivered: number;
    /** Read by the recipient. */
    read: number;
    /** Failed, and not corrected by a later delivery receipt. */
    failed: number;
    /** Inbound messages, which none of the other counts includes. */
    received: number;
    deliveryRate: number | null;
    timeToDelivered: {
      /** The median (p50). */
      p50Ms: number;
      /** The 95th percentile (p95). */
      p95Ms: number;
    } | null;
  };
  /** All three channels, or only the requested one. */
  channels: {
    channel: Channel;
    /** Accepted messages. */
    accepted: number;
    /** Still `queued`. */
    waiting: number;
    /** Handed to the provider, whatever their status now. */
    sent: number;
    /** Confirmed at the recipient. */
    delivered: number;
    /** Read by the recipient. */
    read: number;
    /** Failed, and not corrected by a later delivery receipt. */
    failed: number;
    /** Inbound messages, which none of the other counts includes. */
    received: number;
    deliveryRate: number | null;
    timeToDelivered: {
      /** The median (p50). */
      p50Ms: number;
      /** The 95th percentile (p95). */
      p95Ms: number;
    } | null;
  }[];
  /** One per hour or day, in order, including those without messages. */
  buckets: {
    startsAt: string;
    /** Accepted messages. */
    accepted: number;
    /** Still `queued`. */
    waiting: number;
    /** Handed to the provider, whatever their status now. */
    sent: number;
    /** Confirmed at the recipient. */
    delivered: number;
    /** Read by the recipient. */
    read: number;
    /** Failed, and not corrected by a later delivery receipt. */
    failed: number;
    /** Inbound messages, which none of the other counts includes. */
    received: number;
    /** Channels with at least one message. */
    channels: {
      channel: Channel;
      /** Accepted messages. */
      accepted: number;
      /** Still `queued`. */
      waiting: number;
      /** Handed to the provider, whatever their status now. */
      sent: number;
      /** Confirmed at the recipient. */
      delivered: number;
      /** Read by the recipient. */
      read: number;
      /** Failed, and not corrected by a later delivery receipt. */
      failed: number;
      /** Inbound messages, which none of the other counts includes. */
      received: number;
    }[];
  }[];
  /** Failed messages by error code, most frequent first. */
  failures: {
    channel: Channel;
    /** See docs/errors.md. */
    errorCode: string;
    messages: number;
  }[];
  /** All webhooks. The filters of messages do not apply. */
  webhooks: {
    /** The webhook ID. */
    id: string;
    url: string;
    /** As in `GET /v1/webhooks`. */
    state: WebhookState;
    /** Successful deliveries. */
    delivered: number;
    /** Deliveries that needed a second attempt. */
    retried: number;
    /** Deliveries of events of this period that failed permanently. */
    failed: number;
    /** Attempts in this period, by status of the response. */
    attempts: {
      /** Success. */
      '2xx': number;
      /** Redirects, which are not followed. */
      '3xx': number;
      /** Client errors. */
      '4xx': number;
      /** Server errors. */
      '5xx': number;
      /** No response. */
      none: number;
    };
  }[];
};
export type Verification = {
  /** Whether the settings work. */
  ok: boolean;
  /** Whether the provider, or Notify itself, refuses the settings. If both are false, no answer came that tells. */
  refused: boolean;
  detail: string;
};
export type VerificationEventBody = {
  event: 'verification.held';
  messageId: null;
  /** The event ID. It is the same on every retry and for every webhook: use it to detect duplicates. */
  id: string;
  /** The tenant whose verifications are held. */
  tenantId: string;
  channelAccountId: null;
  provider: null;
  /** The country code whose starts are refused. */
  prefix: string;
  /** The latest verifications that had time for a check. */
  starts: number;
  /** Those of them that were checked, with whatever code. */
  checked: number;
  /** Those of them whose code was entered. They decide. */
  approved: number;
  /** When starts are taken again, unless `PUT /v1/verification-limits` releases them before. */
  heldUntil: string;
  occurredAt: string;
  sequence: null;
};
export type VerificationLimits = {
  /** Verifications that may be started in a clock hour. 0 blocks the prefix. */
  startsPerHour: number;
  /** Prefixes with their own rules, and those that are held. */
  prefixes: {
    /** A country code of E.164, such as `+49`. Countries that share one, such as those of `+1`, count together. */
    prefix: string;
    startsPerHour: number | null;
    /** Whether it can be held. */
    guarded: boolean;
    heldUntil: string | null;
  }[];
};
export type Verifications = {
  data: CodeVerification[];
  nextCursor: string | null;
  searchedTo: string | null;
};
export type VerificationStatus = 'pending' | 'approved' | 'failed' | 'expired' | 'canceled';
export type VerificationUsage = {
  from: string;
  until: string;
  totals: {
    /** Verifications that were started. */
    starts: number;
    /** Verifications of this time whose code was entered at least once, right or wrong. */
    checked: number;
    /** Checks that counted, right or wrong. */
    checks: number;
    /** Verifications that were approved. */
    approved: number;
    /** Verifications that failed by wrong tries. */
    failed: number;
    /** Starts that a limit or a hold refused. */
    refused: number;
  };
  /** Most starts first. */
  prefixes: {
    prefix: string | null;
    /** Verifications that were started. */
    starts: number;
    /** Verifications of this time whose code was entered at least once, right or wrong. */
    checked: number;
    /** Checks that counted, right or wrong. */
    checks: number;
    /** Verifications that were approved. */
    approved: number;
    /** Verifications that failed by wrong tries. */
    failed: number;
    /** Starts that a limit or a hold refused. */
    refused: number;
    heldUntil: string | null;
  }[];
};
export type VerifyEmail = {
  /** The part of the link after its `#`. */
  token: string;
};
export type Webhook = {
  /** The webhook ID. */
  id: string;
  url: string;
  events: WebhookEventName[];
  channelAccountIds: string[] | null;
  channels: Channel[] | null;
  tags: string[] | null;
  delivery: DeliveryMode;
  isActive: boolean;
  lastTriggeredAt: string | null;
  /** Consecutive failed attempts. */
  failureCount: number;
  createdAt: string;
  description: string | null;
  disabledReason: string | null;
  state: WebhookState;
  failingSince: string | null;
  lastFailure: { at: string; status: number | null; error: string | null } | null;
  nextAttemptAt: string | null;
  /** Number of pending deliveries, counted up to 1,000. */
  waiting: number;
  lastSuccessAt: string | null;
  previousSecretUntil: string | null;
  replay: { reachedAt: string; until: string } | null;
};

/** The body of an event. `event` tells the kinds apart. */
export type WebhookEventBody =
  | MessageEventBody
  | ReceivedEventBody
  | ContactEventBody
  | GroupEventBody
  | VerificationEventBody
  | TestEventBody;
export type WebhookEventName =
  | 'message.queued'
  | 'message.sent'
  | 'message.delivered'
  | 'message.read'
  | 'message.failed'
  | 'message.received'
  | 'contact.paired'
  | 'contact.opted-out'
  | 'contact.opted-in'
  | 'group.delivered'
  | 'group.failed'
  | 'verification.held';

/** `failing`: the last 5 attempts failed, so it is probed with one event at a time while the others wait. `disabled`: it receives no events. */
export type WebhookState = 'healthy' | 'failing' | 'disabled';
/** Every operation: its method and path, what it takes and what it answers. */
export interface Operations {
  'auth.register': { at: 'post /auth/register'; input: { body: Register }; answer: LoggedIn };
  'auth.login': { at: 'post /auth/login'; input: { body: Login }; answer: LoggedIn };
  'auth.refresh': { at: 'post /auth/refresh'; input: { body?: Refresh }; answer: AccessToken };
  'auth.logout': { at: 'post /auth/logout'; input: {}; answer: void };
  'auth.getProfile': { at: 'get /auth/me'; input: {}; answer: Profile };
  'auth.changeProfile': { at: 'patch /auth/me'; input: { body: ChangeProfile }; answer: ChangedProfile };
  'auth.deleteTenant': { at: 'delete /auth/me'; input: { body: DeleteTenant }; answer: void };
  'auth.changePassword': { at: 'post /auth/password'; input: { body: ChangePassword }; answer: void };
  'auth.forgotPassword': {
    at: 'post /auth/password/forgot';
    input: { body: ForgotPassword };
    answer: LinkDelivery;
  };
  'auth.resetPassword': { at: 'post /auth/password/reset'; input: { body: ResetPassword }; answer: void };
  'auth.requestVerification': { at: 'post /auth/email/verification'; input: {}; answer: LinkDelivery };
  'auth.verifyEmail': { at: 'post /auth/email/verify'; input: { body: VerifyEmail }; answer: void };
  'auth.listSessions': { at: 'get /auth/sessions'; input: {}; answer: OpenSession[] };
  'auth.endSession': { at: 'delete /auth/sessions/{id}'; input: { path: { id: string } }; answer: void };
  'apiKeys.create': { at: 'post /tenant/api-keys'; input: { body: CreateApiKey }; answer: CreatedApiKey };
  'apiKeys.list': { at: 'get /tenant/api-keys'; input: {}; answer: ApiKey[] };
  'apiKeys.rotate': {
    at: 'post /tenant/api-keys/{id}/rotate';
    input: { path: { id: string }; body?: RotateApiKey };
    answer: CreatedApiKey;
  };
  'apiKeys.revoke': { at: 'delete /tenant/api-keys/{id}'; input: { path: { id: string } }; answer: void };
  'serviceTokens.create': {
    at: 'post /tenant/service-tokens';
    input: { body: CreateServiceToken };
    answer: CreatedServiceToken;
  };
  'serviceTokens.list': { at: 'get /tenant/service-tokens'; input: {}; answer: ServiceToken[] };
  'serviceTokens.revoke': {
    at: 'delete /tenant/service-tokens/{id}';
    input: { path: { id: string } };
    answer: void;
  };
  'messages.sendText': {
    at: 'post /v1/notify/{channel}/text';
    input: { path: { channel: Channel }; body: SendText };
    answer: Message;
  };
  'messages.sendMedia': {
    at: 'post /v1/notify/{channel}/media';
    input: { path: { channel: Channel }; body: SendMedia };
    answer: Message;
  };
  'messages.sendInteractive': {
    at: 'post /v1/notify/{channel}/interactive';
    input: { path: { channel: Channel }; body: SendInteractive };
    answer: Message;
  };
  'messages.sendTemplate': {
    at: 'post /v1/notify/{channel}/template';
    input: { path: { channel: Channel }; body: SendTemplate };
    answer: Message;
  };
  'messages.sendBulk': {
    at: 'post /v1/notify/{channel}/bulk';
    input: { path: { channel: Channel }; body: SendBulk };
    answer: Message[];
  };
  'messages.sendAlerts': {
    at: 'post /v1/notify/{channel}/alertmanager';
    input: {
      path: { channel: Channel };
      query?: {
        /** The recipients, separated by commas. An alert with the label `toLabel` goes to those of the label instead. One of both is required. A number for sms may lack its `+`, which is a space in a URL unless it is written `%2B`. */
        to?: string;
        /** The label of the alerts that holds their recipients, separated by commas. */
        toLabel?: string;
        /** A template of the account, which is sent instead of the text. */
        template?: string;
        /** The language of the template. Required if the template has several. */
        language?: string;
        /** For how long the same alerts are not sent again: from `1m` to `7d`, as Alertmanager writes durations. It counts from the start of the newest alert, or its end if the group is resolved. Default: "4h". */
        repeat?: string;
        /** The account to send from. Default: the default account of the channel. */
        channelAccountId?: string;
        /** Whether to send the message in the quiet hours of its account, too. Default: false. */
        urgent?: boolean;
      };
      body: AlertGroup;
    };
    answer: Message[];
  };
  'groups.send': { at: 'post /v1/notify/send'; input: { body: SendGroup }; answer: AcceptedGroup };
  'groups.get': { at: 'get /v1/notify/groups/{id}'; input: { path: { id: string } }; answer: Group };
  'messages.get': {
    at: 'get /v1/notify/messages/{id}';
    input: { path: { id: string } };
    answer: MessageDetails;
  };
  'messages.getMedia': {
    at: 'get /v1/notify/messages/{id}/media';
    input: { path: { id: string } };
    answer: Response;
  };
  'messages.list': {
    at: 'get /v1/notify/messages';
    input: {
      query?: {
        channel?: Channel;
        /** `inbound`: messages that people wrote to an account. Default: "outbound". */
        direction?: 'outbound' | 'inbound' | 'all';
        status?: MessageStatus;
        /** Only messages of this account. The account may have been removed. */
        channelAccountId?: string;
        /** The full recipient. In a phone number, a leading +, spaces, dashes and brackets make no difference, and in a username capitals. The other spelling of a number whose country has two is the same recipient. */
        to?: string;
        /** The full address of the person who wrote, spelled as freely as `to`. Only inbound messages have one. */
        sender?: string;
        /** Only messages accepted or received at or after this time. */
        from?: string;
        /** Only messages accepted or received before this time. */
        until?: string;
        /** Only messages that failed with this code. */
        errorCode?: string;
        /** Only messages with exactly this ID of the provider. Of a removed account they are found only together with `channelAccountId`. */
        externalId?: string;
        /** Only messages of the request with exactly this idempotency key, as long as the key is known: usually 7 days, and while its message waits. The key of a group or a verification finds the messages of its routes. */
        idempotencyKey?: string;
        /** Only messages that are routes of this group. */
        groupId?: string;
        /** Only messages with this tag. */
        tag?: string;
        /** Whether they wait for their `sendAt`. By default both are listed. */
        scheduled?: boolean;
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: Messages;
  };
  'messages.cancel': {
    at: 'post /v1/notify/messages/{id}/cancel';
    input: { path: { id: string } };
    answer: MessageDetails;
  };
  'messages.cancelMany': {
    at: 'post /v1/notify/messages/cancel';
    input: { body: CancelMessages };
    answer: CanceledMessages;
  };
  'files.upload': {
    at: 'post /v1/notify/files';
    input: { body: Blob | Uint8Array<ArrayBuffer> };
    answer: UploadedFile;
  };
  'files.get': { at: 'get /v1/notify/files/{id}'; input: { path: { id: string } }; answer: UploadedFile };
  'files.delete': { at: 'delete /v1/notify/files/{id}'; input: { path: { id: string } }; answer: void };
  'tenantFiles.upload': {
    at: 'post /v1/files';
    input: { body: Blob | Uint8Array<ArrayBuffer> };
    answer: UploadedFile;
  };
  'tenantFiles.get': { at: 'get /v1/files/{id}'; input: { path: { id: string } }; answer: UploadedFile };
  'tenantFiles.delete': { at: 'delete /v1/files/{id}'; input: { path: { id: string } }; answer: void };
  'verifications.start': {
    at: 'post /v1/notify/verifications';
    input: { body: StartVerification };
    answer: StartedVerification;
  };
  'verifications.get': {
    at: 'get /v1/notify/verifications/{id}';
    input: { path: { id: string } };
    answer: CodeVerification;
  };
  'verifications.check': {
    at: 'post /v1/notify/verifications/{id}/check';
    input: { path: { id: string }; body: CheckVerification };
    answer: CheckedVerification;
  };
  'tenantVerifications.list': {
    at: 'get /v1/verifications';
    input: {
      query?: {
        /** The full recipient, as the `to` of the verification, spelled as freely as in `GET /v1/messages`. */
        to?: string;
        /** `failed`: after 5 wrong tries. `canceled`: by a newer start for the same recipient. */
        status?: VerificationStatus;
        /** Only verifications started at or after this time. */
        from?: string;
        /** Only verifications started before this time. */
        until?: string;
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: Verifications;
  };
  'tenantVerifications.get': {
    at: 'get /v1/verifications/{id}';
    input: { path: { id: string } };
    answer: CodeVerification;
  };
  'tenantMessages.list': {
    at: 'get /v1/messages';
    input: {
      query?: {
        channel?: Channel;
        /** `inbound`: messages that people wrote to an account. Default: "outbound". */
        direction?: 'outbound' | 'inbound' | 'all';
        status?: MessageStatus;
        /** Only messages of this account. The account may have been removed. */
        channelAccountId?: string;
        /** The full recipient. In a phone number, a leading +, spaces, dashes and brackets make no difference, and in a username capitals. The other spelling of a number whose country has two is the same recipient. */
        to?: string;
        /** The full address of the person who wrote, spelled as freely as `to`. Only inbound messages have one. */
        sender?: string;
        /** Only messages accepted or received at or after this time. */
        from?: string;
        /** Only messages accepted or received before this time. */
        until?: string;
        /** Only messages that failed with this code. */
        errorCode?: string;
        /** Only messages with exactly this ID of the provider. Of a removed account they are found only together with `channelAccountId`. */
        externalId?: string;
        /** Only messages of the request with exactly this idempotency key, as long as the key is known: usually 7 days, and while its message waits. The key of a group or a verification finds the messages of its routes. */
        idempotencyKey?: string;
        /** Only messages that are routes of this group. */
        groupId?: string;
        /** Only messages with this tag. */
        tag?: string;
        /** Whether they wait for their `sendAt`. By default both are listed. */
        scheduled?: boolean;
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: MessageRecords;
  };
  'tenantMessages.send': { at: 'post /v1/messages'; input: { body: SendMessage }; answer: Message };
  'tenantMessages.get': {
    at: 'get /v1/messages/{id}';
    input: { path: { id: string } };
    answer: MessageHistory;
  };
  'tenantMessages.change': {
    at: 'patch /v1/messages/{id}';
    input: { path: { id: string }; body: ChangeMessage };
    answer: MessageDetails;
  };
  'tenantMessages.getMedia': {
    at: 'get /v1/messages/{id}/media';
    input: { path: { id: string } };
    answer: Response;
  };
  'tenantMessages.cancel': {
    at: 'post /v1/messages/{id}/cancel';
    input: { path: { id: string } };
    answer: MessageDetails;
  };
  'tenantMessages.cancelMany': {
    at: 'post /v1/messages/cancel';
    input: { body: CancelMessages };
    answer: CanceledMessages;
  };
  'tenantMessages.resend': {
    at: 'post /v1/messages/{id}/resend';
    input: { path: { id: string }; body?: ResendMessage };
    answer: ResentMessage;
  };
  'tenantGroups.send': { at: 'post /v1/groups'; input: { body: SendGroup }; answer: AcceptedGroup };
  'tenantGroups.list': {
    at: 'get /v1/groups';
    input: {
      query?: {
        /** The full recipient of any of its routes, spelled as freely as in `GET /v1/messages`. */
        to?: string;
        /** `pending`: a route is under way, and others may follow. `sent`: no further route begins, and the last message was handed to its provider. `delivered`: a message was delivered. `failed`: no further route begins, and the last message failed. A later receipt still corrects `sent` and `failed`. */
        status?: GroupStatus;
        /** Only groups accepted at or after this time. */
        from?: string;
        /** Only groups accepted before this time. */
        until?: string;
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: Groups;
  };
  'tenantGroups.get': { at: 'get /v1/groups/{id}'; input: { path: { id: string } }; answer: Group };
  'consent.list': {
    at: 'get /v1/consent';
    input: {
      query?: {
        /** Only recipients of this account. */
        channelAccountId?: string;
        /** Only this recipient. The spellings of one person are one: with or without a leading +, and where a country’s numbers have two spellings, either. */
        recipient?: string;
        status?: ConsentStatus;
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: Consents;
  };
  'consent.get': {
    at: 'get /v1/consent/{channelAccountId}/{recipient}';
    input: {
      path: {
        channelAccountId: string;
        /** The phone number or chat ID, percent-encoded. */
        recipient: string;
      };
    };
    answer: Consent;
  };
  'consent.set': {
    at: 'put /v1/consent/{channelAccountId}/{recipient}';
    input: {
      path: {
        channelAccountId: string;
        /** The phone number or chat ID, percent-encoded. */
        recipient: string;
      };
      body: ChangeConsent;
    };
    answer: Consent;
  };
  'consent.remove': {
    at: 'delete /v1/consent/{channelAccountId}/{recipient}';
    input: {
      path: {
        channelAccountId: string;
        /** The phone number or chat ID, percent-encoded. */
        recipient: string;
      };
    };
    answer: void;
  };
  'conversations.list': {
    at: 'get /v1/conversations';
    input: {
      query?: {
        channel?: Channel;
        /** Only conversations of this account. The account may have been removed. */
        channelAccountId?: string;
        /** Only conversations with this contact. The spellings of one person are one: with or without a leading +, and where a country’s numbers have two spellings, either. */
        to?: string;
        /** Whether they have unread messages. By default both are listed. */
        unread?: boolean;
        /** Only conversations whose contact has this text in the name, the username or the address. Upper and lower case make no difference. For a whole address, `to` is faster and knows all its spellings. */
        search?: string;
        /** Only conversations with their last message at or after this time. */
        from?: string;
        /** Only conversations with their last message before this time. */
        until?: string;
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: Conversations;
  };
  'conversations.get': {
    at: 'get /v1/conversations/{id}';
    input: { path: { id: string } };
    answer: Conversation;
  };
  'conversations.listMessages': {
    at: 'get /v1/conversations/{id}/messages';
    input: {
      path: { id: string };
      query?: {
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: ConversationMessages;
  };
  'conversations.markRead': {
    at: 'post /v1/conversations/{id}/read';
    input: { path: { id: string }; body?: ReadConversation };
    answer: MarkedConversation;
  };
  'conversations.typing': {
    at: 'post /v1/conversations/{id}/typing';
    input: { path: { id: string } };
    answer: Told;
  };
  'keyConversations.list': {
    at: 'get /v1/notify/conversations';
    input: {
      query?: {
        channel?: Channel;
        /** Only conversations of this account. The account may have been removed. */
        channelAccountId?: string;
        /** Only conversations with this contact. The spellings of one person are one: with or without a leading +, and where a country’s numbers have two spellings, either. */
        to?: string;
        /** Whether they have unread messages. By default both are listed. */
        unread?: boolean;
        /** Only conversations whose contact has this text in the name, the username or the address. Upper and lower case make no difference. For a whole address, `to` is faster and knows all its spellings. */
        search?: string;
        /** Only conversations with their last message at or after this time. */
        from?: string;
        /** Only conversations with their last message before this time. */
        until?: string;
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: Conversations;
  };
  'keyConversations.listMessages': {
    at: 'get /v1/notify/conversations/{id}/messages';
    input: {
      path: { id: string };
      query?: {
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: ConversationMessages;
  };
  'keyConversations.markRead': {
    at: 'post /v1/notify/conversations/{id}/read';
    input: { path: { id: string }; body?: ReadConversation };
    answer: MarkedConversation;
  };
  'keyConversations.typing': {
    at: 'post /v1/notify/conversations/{id}/typing';
    input: { path: { id: string } };
    answer: Told;
  };
  'usage.get': {
    at: 'get /v1/usage';
    input: {
      query?: {
        /** Rounded down to a whole hour or day (UTC). Default: 24 hours, or 30 days, before `until`. */
        from?: string;
        /** Rounded up to a whole hour or day (UTC). Default: now. */
        until?: string;
        /** The size of a bucket. At most 31 days by hour, or 366 days by day. Default: "hour". */
        per?: 'hour' | 'day';
        channel?: Channel;
        /** Only messages of this account. */
        channelAccountId?: string;
        /** Only messages with this tag. Of a day (UTC), 1,000 tags have figures, and the messages of any others count under the tag `other`. */
        tag?: string;
      };
    };
    answer: Usage;
  };
  'usage.verifications': {
    at: 'get /v1/usage/verifications';
    input: {
      query?: {
        /** Rounded down to a whole hour (UTC). Default: 24 hours before `until`. */
        from?: string;
        /** Rounded up to a whole hour (UTC). Default: now. */
        until?: string;
      };
    };
    answer: VerificationUsage;
  };
  'verificationLimits.get': { at: 'get /v1/verification-limits'; input: {}; answer: VerificationLimits };
  'verificationLimits.change': {
    at: 'put /v1/verification-limits';
    input: { body?: ChangeVerificationLimits };
    answer: VerificationLimits;
  };
  'webhooks.list': { at: 'get /v1/webhooks'; input: {}; answer: Webhook[] };
  'webhooks.create': { at: 'post /v1/webhooks'; input: { body: CreateWebhook }; answer: CreatedWebhook };
  'webhooks.get': { at: 'get /v1/webhooks/{id}'; input: { path: { id: string } }; answer: Webhook };
  'webhooks.update': {
    at: 'patch /v1/webhooks/{id}';
    input: { path: { id: string }; body?: ChangeWebhook };
    answer: Webhook;
  };
  'webhooks.delete': { at: 'delete /v1/webhooks/{id}'; input: { path: { id: string } }; answer: void };
  'webhooks.enable': {
    at: 'patch /v1/webhooks/{id}/enable';
    input: { path: { id: string } };
    answer: Webhook;
  };
  'webhooks.disable': {
    at: 'patch /v1/webhooks/{id}/disable';
    input: { path: { id: string } };
    answer: Webhook;
  };
  'webhooks.rotateSecret': {
    at: 'post /v1/webhooks/{id}/rotate-secret';
    input: { path: { id: string } };
    answer: RotatedSecret;
  };
  'webhooks.test': {
    at: 'post /v1/webhooks/{id}/test';
    input: { path: { id: string } };
    answer: RequestedDelivery;
  };
  'webhooks.listDeliveries': {
    at: 'get /v1/webhooks/{id}/deliveries';
    input: {
      path: { id: string };
      query?: {
        state?: DeliveryState;
        /** With `true`, only deliveries that had an attempt, none of which succeeded. */
        failedSoFar?: boolean;
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: Deliveries;
  };
  'webhooks.getDelivery': {
    at: 'get /v1/webhooks/{id}/deliveries/{deliveryId}';
    input: { path: { id: string; deliveryId: string } };
    answer: DeliveryDetails;
  };
  'webhooks.retryDelivery': {
    at: 'post /v1/webhooks/{id}/deliveries/{deliveryId}/retry';
    input: { path: { id: string; deliveryId: string } };
    answer: RequestedDelivery;
  };
  'webhooks.replay': {
    at: 'post /v1/webhooks/{id}/replay';
    input: { path: { id: string }; body: ReplayWebhook };
    answer: Replay;
  };
  'events.list': {
    at: 'get /v1/events';
    input: {
      query?: {
        /** Default: 50. */
        limit?: number;
        /** The `nextCursor` of the previous page, or the `id` of an event of the stream. Without it, the list begins 7 days ago. */
        cursor?: string;
        /** Only events of this account; those of a group by any of its routes. The account may have been removed. */
        channelAccountId?: string;
        /** Only events of this channel; those of a group by any of its routes. */
        channel?: Channel;
        /** Only events of messages and groups with this tag. */
        tag?: string;
      };
    };
    answer: Events;
  };
  'events.stream': {
    at: 'get /v1/events/stream';
    input: {
      query?: {
        /** Where to continue, as in the list. The header `Last-Event-ID` goes before it. Without either, the stream begins now. */
        cursor?: string;
        /** Only events of this account; those of a group by any of its routes. The account may have been removed. */
        channelAccountId?: string;
        /** Only events of this channel; those of a group by any of its routes. */
        channel?: Channel;
        /** Only events of messages and groups with this tag. */
        tag?: string;
      };
    };
    answer: ListedEvent;
  };
  'events.getSecret': { at: 'get /v1/events/secret'; input: {}; answer: EventsSecret };
  'providers.list': { at: 'get /v1/providers'; input: {}; answer: Provider[] };
  'channelAccounts.create': {
    at: 'post /v1/channel-accounts';
    input: { body: CreateChannelAccount };
    answer: ChannelAccount;
  };
  'channelAccounts.list': { at: 'get /v1/channel-accounts'; input: {}; answer: ChannelAccount[] };
  'channelAccounts.get': {
    at: 'get /v1/channel-accounts/{id}';
    input: { path: { id: string } };
    answer: ChannelAccount;
  };
  'channelAccounts.update': {
    at: 'patch /v1/channel-accounts/{id}';
    input: { path: { id: string }; body?: ChangeChannelAccount };
    answer: ChannelAccount;
  };
  'channelAccounts.delete': {
    at: 'delete /v1/channel-accounts/{id}';
    input: { path: { id: string } };
    answer: void;
  };
  'channelAccounts.verify': {
    at: 'post /v1/channel-accounts/{id}/verify';
    input: { path: { id: string } };
    answer: Verification;
  };
  'templates.list': {
    at: 'get /v1/channel-accounts/{id}/templates';
    input: {
      path: { id: string };
      query?: {
        /** Default: 100. */
        limit?: number;
        /** The `nextCursor` of the previous page. */
        cursor?: string;
      };
    };
    answer: ChannelTemplates;
  };
  'templates.sync': {
    at: 'post /v1/channel-accounts/{id}/templates/sync';
    input: { path: { id: string } };
    answer: TemplateSync;
  };
  'channelAccounts.link': {
    at: 'post /v1/channel-accounts/{id}/link';
    input: { path: { id: string }; body?: LinkAccount };
    answer: AccountLink;
  };
  'channelAccounts.getLink': {
    at: 'get /v1/channel-accounts/{id}/link';
    input: { path: { id: string } };
    answer: AccountLink;
  };
  'channelAccounts.watchLink': {
    at: 'get /v1/channel-accounts/{id}/link/events';
    input: { path: { id: string } };
    answer: AccountLink;
  };
  'channelAccounts.unlink': {
    at: 'post /v1/channel-accounts/{id}/unlink';
    input: { path: { id: string } };
    answer: void;
  };
  'channelAccounts.createPairing': {
    at: 'post /v1/channel-accounts/{id}/pairings';
    input: { path: { id: string }; body: CreatePairing };
    answer: Pairing;
  };
  'channelAccounts.simulateInbound': {
    at: 'post /v1/channel-accounts/{id}/simulate-inbound';
    input: { path: { id: string }; body: SimulateInbound };
    answer: MessageDetails;
  };
}
/** The body of every event, by its name. */
export interface EventBodies {
  'message.queued': MessageEventBody;
  'message.sent': MessageEventBody;
  'message.delivered': MessageEventBody;
  'message.read': MessageEventBody;
  'message.failed': MessageEventBody;
  'message.received': ReceivedEventBody;
  'contact.paired': ContactEventBody;
  'contact.opted-out': ContactEventBody;
  'contact.opted-in': ContactEventBody;
  'group.delivered': GroupEventBody;
  'group.failed': GroupEventBody;
  'verification.held': VerificationEventBody;
  'webhook.test': TestEventBody;
}
/** The method, path and scope of every operation for programs. One without a scope takes an access token only. */
export const operations = {
  'apiKeys.create': 'POST /tenant/api-keys keys:write',
  'apiKeys.list': 'GET /tenant/api-keys keys:read',
  'apiKeys.rotate': 'POST /tenant/api-keys/{id}/rotate keys:write',
  'apiKeys.revoke': 'DELETE /tenant/api-keys/{id} keys:write',
  'serviceTokens.create': 'POST /tenant/service-tokens',
  'serviceTokens.list': 'GET /tenant/service-tokens',
  'serviceTokens.revoke': 'DELETE /tenant/service-tokens/{id}',
  'messages.sendText': 'POST /v1/notify/{channel}/text send',
  'messages.sendMedia': 'POST /v1/notify/{channel}/media send',
  'messages.sendInteractive': 'POST /v1/notify/{channel}/interactive send',
  'messages.sendTemplate': 'POST /v1/notify/{channel}/template send',
  'messages.sendBulk': 'POST /v1/notify/{channel}/bulk send',
  'messages.sendAlerts': 'POST /v1/notify/{channel}/alertmanager send',
  'groups.send': 'POST /v1/notify/send send',
  'groups.get': 'GET /v1/notify/groups/{id} read',
  'messages.get': 'GET /v1/notify/messages/{id} read',
  'messages.getMedia': 'GET /v1/notify/messages/{id}/media read',
  'messages.list': 'GET /v1/notify/messages list',
  'messages.cancel': 'POST /v1/notify/messages/{id}/cancel cancel',
  'messages.cancelMany': 'POST /v1/notify/messages/cancel cancel',
  'files.upload': 'POST /v1/notify/files send',
  'files.get': 'GET /v1/notify/files/{id} send',
  'files.delete': 'DELETE /v1/notify/files/{id} send',
  'tenantFiles.upload': 'POST /v1/files messages:send',
  'tenantFiles.get': 'GET /v1/files/{id} messages:send',
  'tenantFiles.delete': 'DELETE /v1/files/{id} messages:send',
  'verifications.start': 'POST /v1/notify/verifications send',
  'verifications.get': 'GET /v1/notify/verifications/{id} read',
  'verifications.check': 'POST /v1/notify/verifications/{id}/check send',
  'tenantVerifications.list': 'GET /v1/verifications messages:read',
  'tenantVerifications.get': 'GET /v1/verifications/{id} messages:read',
  'tenantMessages.list': 'GET /v1/messages messages:read',
  'tenantMessages.send': 'POST /v1/messages messages:send',
  'tenantMessages.get': 'GET /v1/messages/{id} messages:read',
  'tenantMessages.change': 'PATCH /v1/messages/{id} messages:manage',
  'tenantMessages.getMedia': 'GET /v1/messages/{id}/media messages:read',
  'tenantMessages.cancel': 'POST /v1/messages/{id}/cancel messages:manage',
  'tenantMessages.cancelMany': 'POST /v1/messages/cancel messages:manage',
  'tenantMessages.resend': 'POST /v1/messages/{id}/resend messages:manage',
  'tenantGroups.send': 'POST /v1/groups messages:send',
  'tenantGroups.list': 'GET /v1/groups messages:read',
  'tenantGroups.get': 'GET /v1/groups/{id} messages:read',
  'consent.list': 'GET /v1/consent consent:read',
  'consent.get': 'GET /v1/consent/{channelAccountId}/{recipient} consent:read',
  'consent.set': 'PUT /v1/consent/{channelAccountId}/{recipient} consent:write',
  'consent.remove': 'DELETE /v1/consent/{channelAccountId}/{recipient} consent:write',
  'conversations.list': 'GET /v1/conversations conversations:read',
  'conversations.get': 'GET /v1/conversations/{id} conversations:read',
  'conversations.listMessages': 'GET /v1/conversations/{id}/messages conversations:read',
  'conversations.markRead': 'POST /v1/conversations/{id}/read conversations:write',
  'conversations.typing': 'POST /v1/conversations/{id}/typing conversations:write',
  'keyConversations.list': 'GET /v1/notify/conversations conversations:read',
  'keyConversations.listMessages': 'GET /v1/notify/conversations/{id}/messages conversations:read',
  'keyConversations.markRead': 'POST /v1/notify/conversations/{id}/read conversations:write',
  'keyConversations.typing': 'POST /v1/notify/conversations/{id}/typing conversations:write',
  'usage.get': 'GET /v1/usage usage:read',
  'usage.verifications': 'GET /v1/usage/verifications usage:read',
  'verificationLimits.get': 'GET /v1/verification-limits accounts:read',
  'verificationLimits.change': 'PUT /v1/verification-limits accounts:write',
  'webhooks.list': 'GET /v1/webhooks webhooks:read',
  'webhooks.create': 'POST /v1/webhooks webhooks:write',
  'webhooks.get': 'GET /v1/webhooks/{id} webhooks:read',
  'webhooks.update': 'PATCH /v1/webhooks/{id} webhooks:write',
  'webhooks.delete': 'DELETE /v1/webhooks/{id} webhooks:write',
  'webhooks.enable': 'PATCH /v1/webhooks/{id}/enable webhooks:write',
  'webhooks.disable': 'PATCH /v1/webhooks/{id}/disable webhooks:write',
  'webhooks.rotateSecret': 'POST /v1/webhooks/{id}/rotate-secret webhooks:write',
  'webhooks.test': 'POST /v1/webhooks/{id}/test webhooks:write',
  'webhooks.listDeliveries': 'GET /v1/webhooks/{id}/deliveries webhooks:read',
  'webhooks.getDelivery': 'GET /v1/webhooks/{id}/deliveries/{deliveryId} webhooks:read',
  'webhooks.retryDelivery': 'POST /v1/webhooks/{id}/deliveries/{deliveryId}/retry webhooks:write',
  'webhooks.replay': 'POST /v1/webhooks/{id}/replay webhooks:write',
  'events.list': 'GET /v1/events events:read',
  'events.stream': 'GET /v1/events/stream events:read',
  'events.getSecret': 'GET /v1/events/secret events:read',
  'providers.list': 'GET /v1/providers accounts:read',
  'channelAccounts.create': 'POST /v1/channel-accounts accounts:write',
  'channelAccounts.list': 'GET /v1/channel-accounts accounts:read',
  'channelAccounts.get': 'GET /v1/channel-accounts/{id} accounts:read',
  'channelAccounts.update': 'PATCH /v1/channel-accounts/{id} accounts:write',
  'channelAccounts.delete': 'DELETE /v1/channel-accounts/{id} accounts:write',
  'channelAccounts.verify': 'POST /v1/channel-accounts/{id}/verify accounts:write',
  'templates.list': 'GET /v1/channel-accounts/{id}/templates templates:read',
  'templates.sync': 'POST /v1/channel-accounts/{id}/templates/sync templates:write',
  'channelAccounts.link': 'POST /v1/channel-accounts/{id}/link accounts:link',
  'channelAccounts.getLink': 'GET /v1/channel-accounts/{id}/link accounts:link',
  'channelAccounts.watchLink': 'GET /v1/channel-accounts/{id}/link/events accounts:link',
  'channelAccounts.unlink': 'POST /v1/channel-accounts/{id}/unlink accounts:link',
  'channelAccounts.createPairing': 'POST /v1/channel-accounts/{id}/pairings conversations:write',
  'channelAccounts.simulateInbound': 'POST /v1/channel-accounts/{id}/simulate-inbound messages:send',
} as const satisfies Readonly<Record<Exclude<keyof Operations, `auth.${string}`>, string>>;

import {
  ContactEventBody,
  EventBody,
  GroupEventBody,
  ReceivedEventBody,
  TestEventBody,
  VerificationEventBody,
} from '@notify/contract';
import {
  type EventName,
  eventNames,
  type GroupEventName,
  groupEventNames,
  type InboundEventName,
  inboundEventNames,
  type SubscribableEvent,
} from '@notify/core';
import type { ShownSchema } from './example.ts';

/** The tag of all events. */
export const eventsTag = 'Events';

/** One event as it is posted to webhooks. */
export interface PostedEvent {
  readonly name: SubscribableEvent | 'webhook.test';
  readonly summary: string;
  readonly description: string;
  readonly schema: ShownSchema;
  readonly example: Readonly<Record<string, unknown>>;
}

const example = {
  messageId: 'msg_01912d68-783e-7a03-8467-5661c1243ad4',
  id: 'evt_01912d68-8a51-7cc2-9d1e-0b5a8f0a3f57',
  tenantId: 'ten_01912d5f-0c1b-7e4e-8a39-7f0d3c1a2b90',
  channelAccountId: '01912d60-5b7e-7d02-b0f4-3c8f2f1e9a11',
  provider: 'sms',
  to: '+4915112345678',
  type: 'text',
  status: 'sent',
  externalId: 'SM0123456789',
  errorCode: null,
  possibleDuplicate: false,
  occurredAt: '2026-01-31T12:00:00.000Z',
  sequence: 2,
};

/** Summary, description, and what its example has of its own. */
const told: Readonly<Record<EventName, readonly [string, string, Readonly<Record<string, unknown>>]>> = {
  'message.queued': [
    'Message queued',
    'The message was accepted and is waiting.',
    { status: 'queued', externalId: null, sequence: 1 },
  ],
  'message.sent': ['Message sent', 'The provider accepted the message.', {}],
  'message.delivered': [
    'Message delivered',
    'The message arrived at the recipient. Telegram sends no delivery receipts, so its messages end at `sent`.',
    { status: 'delivered', sequence: 3 },
  ],
  'message.read': [
    'Message read',
    'The recipient read the message (WhatsApp).',
    { provider: 'whatsapp', status: 'delivered', externalId: 'wamid.HBgN', sequence: 4 },
  ],
  'message.failed': [
    'Message failed',
    'The message will not be sent, or is undeliverable. `delivered` can follow, because providers correct themselves.',
    {
      error: 'The recipient does not accept messages.',
      status: 'failed',
      errorCode: 'recipient-rejected',
    },
  ],
};

const { id, tenantId, channelAccountId, occurredAt } = example;
const ofContact = {
  messageId: null,
  id,
  tenantId,
  channelAccountId,
  provider: 'telegram',
  to: '110201543',
};

/** The events that only webhooks which name them receive. */
const toldInbound: Readonly<Record<InboundEventName, Omit<PostedEvent, 'name'>>> = {
  'message.received': {
    summary: 'Message received',
    description:
      'A person wrote to one of your accounts. `from` is what `to` of an answer takes. A file is read with `GET /v1/messages/{id}/media`.',
    schema: ReceivedEventBody,
    example: {
      event: 'message.received',
      messageId: example.messageId,
      id,
      tenantId,
      channelAccountId,
      provider: 'whatsapp',
      direction: 'inbound',
      from: '+4915112345678',
      to: '+4930123456',
      type: 'text',
      body: { text: 'Can I come at noon?' },
      contact: { name: 'Ada' },
      replyTo: 'msg_01912d60-7d21-7a52-9d3a-6c4f2b1e8a90',
      status: 'delivered',
      externalId: 'wamid.HBgN',
      errorCode: null,
      possibleDuplicate: false,
      occurredAt,
      sequence: 1,
    },
  },
  'contact.paired': {
    summary: 'Contact paired',
    description:
      'A person opened a pairing link and pressed start. `to` reaches this person, and `reference` is what the link was made for.',
    schema: ContactEventBody,
    example: {
      event: 'contact.paired',
      ...ofContact,
      reference: 'customer-4711',
      occurredAt,
      sequence: null,
    },
  },
  'contact.opted-out': {
    summary: 'Contact opted out',
    description:
      'A recipient wants no more messages from the account. `source` says whether a word of theirs, the provider or your API call did it.',
    schema: ContactEventBody,
    example: { event: 'contact.opted-out', ...ofContact, source: 'keyword', occurredAt, sequence: null },
  },
  'contact.opted-in': {
    summary: 'Contact opted in',
    description: 'A recipient wants messages from the account again.',
    schema: ContactEventBody,
    example: { event: 'contact.opted-in', ...ofContact, source: 'keyword', occurredAt, sequence: null },
  },
};

const ofGroup = {
  groupId: 'grp_01912d68-783e-7a03-8467-5661c1243ad3',
  messageId: example.messageId,
  id,
  tenantId,
  channelAccountId,
  provider: 'sms',
  to: '+4915112345678',
  type: 'text',
};

/** The events of groups. Only webhooks that name them receive them. */
const toldGroups: Readonly<Record<GroupEventName, Omit<PostedEvent, 'name'>>> = {
  'group.delivered': {
    summary: 'Group delivered',
    description:
      'One of the messages of a group was delivered, and no further route begins. `messageId` names it. It can follow `group.failed`, because a message that was sent may still arrive.',
    schema: GroupEventBody,
    example: {
      event: 'group.delivered',
      ...ofGroup,
      status: 'delivered',
      errorCode: null,
      deliveredTwice: false,
      occurredAt,
      sequence: 1,
    },
  },
  'group.failed': {
    summary: 'Group failed',
    description: 'The last message of a group failed, and no route is left. `messageId` names that message.',
    schema: GroupEventBody,
    example: {
      event: 'group.failed',
      ...ofGroup,
      error: 'The recipient does not accept messages.',
      status: 'failed',
      errorCode: 'recipient-rejected',
      deliveredTwice: false,
      occurredAt,
      sequence: 1,
    },
  },
};

/** The event of verifications that are held. */
const toldHeld: PostedEvent = {
  name: 'verification.held',
  summary: 'Verifications held',
  description:
    'Too few of the codes sent to numbers of a country prefix were entered, so starts to it are refused with `verification-held` until `heldUntil`.',
  schema: VerificationEventBody,
  example: {
    event: 'verification.held',
    messageId: null,
    id,
    tenantId,
    channelAccountId: null,
    provider: null,
    prefix: '+49',
    starts: 42,
    checked: 2,
    approved: 1,
    heldUntil: '2026-01-31T13:00:00.000Z',
    occurredAt,
    sequence: null,
  },
};

const testExample = Object.fromEntries(Object.keys(example).map((field) => [field, null]));

/** Every event that webhooks receive. */
export const postedEvents: readonly PostedEvent[] = [
  ...eventNames.map((name): PostedEvent => {
    const [summary, description, own] = told[name];
    return { name, summary, description, schema: EventBody, example: { event: name, ...example, ...own } };
  }),
  ...inboundEventNames.map((name): PostedEvent => ({ name, ...toldInbound[name] })),
  ...groupEventNames.map((name): PostedEvent => ({ name, ...toldGroups[name] })),
  toldHeld,
  {
    name: 'webhook.test',
    summary: 'Test event',
    description:
      'Posted by `POST /v1/webhooks/{id}/test`, whichever events the webhook receives. The fields of a message are null.',
    schema: TestEventBody,
    example: {
      event: 'webhook.test',
      ...testExample,
      id: example.id,
      tenantId: example.tenantId,
      occurredAt: example.occurredAt,
    },
  },
];

/** The headers of every posted event: name, description, example. */
export const eventHeaders: readonly (readonly [string, string, string])[] = [
  ['webhook-id', 'The `id` of the event.', example.id],
  ['webhook-timestamp', 'Start of this attempt, in Unix seconds.', '1769860800'],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, `.` and the raw body. The key is the decoded base64 after `whsec_`. After a rotation there is one per secret, separated by spaces. The [Standard Webhooks](https://www.standardwebhooks.com) libraries verify it.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  [
    'X-Svc-Signature',
    '`sha256=` and the hex of HMAC-SHA256 over the raw body. The key is the whole secret, `whsec_` included. After a rotation there is one per secret, separated by commas.',
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  ],
];

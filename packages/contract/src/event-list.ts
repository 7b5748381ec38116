import { channels } from '@notify/core';
import Type, { type Static } from 'typebox';
import { WebhookEventBody } from './events.ts';
import { uuid } from './fields.ts';
import { tagFilter } from './labels.ts';

const cursor = (description: string): Type.TOptional<Type.TString> =>
  Type.Optional(Type.String({ description }));

/** Filters of events. Those that are set must all match. */
const filters = {
  channelAccountId: Type.Optional(
    uuid(
      'Only events of this account; those of a group by any of its routes. The account may have been removed.',
    ),
  ),
  channel: Type.Optional(
    Type.Enum([...channels], {
      description: 'Only events of this channel; those of a group by any of its routes.',
    }),
  ),
  tag: tagFilter('events of messages and groups'),
};

/** Query of `GET /v1/events`. */
export const EventsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: cursor(
      'The `nextCursor` of the previous page, or the `id` of an event of the stream. Without it, the list begins 7 days ago.',
    ),
    ...filters,
  },
  { additionalProperties: false },
);

/** Query of `GET /v1/events/stream`. */
export const EventStreamQuery = Type.Object(
  {
    cursor: cursor(
      'Where to continue, as in the list. The header `Last-Event-ID` goes before it. Without either, the stream begins now.',
    ),
    ...filters,
  },
  { additionalProperties: false },
);

/** An event as a webhook would get it. */
export const ListedEvent = Type.Object({
  headers: Type.Object(
    {
      'content-type': Type.Literal('application/json'),
      'webhook-id': Type.String({ examples: ['evt_01912d68-8a51-7cc2-9d1e-0b5a8f0a3f57'] }),
      'webhook-timestamp': Type.String({
        description: 'When it was read, in Unix seconds.',
        examples: ['1769860800'],
      }),
      'webhook-signature': Type.String({ examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] }),
      'x-svc-signature': Type.String({
        examples: ['sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'],
      }),
    },
    { description: 'The headers that sign the body, made with the secret of `GET /v1/events/secret`.' },
  ),
  body: Type.String({
    description: 'The JSON that a webhook gets, byte for byte. Verify it before parsing it.',
    contentMediaType: 'application/json',
    contentSchema: WebhookEventBody,
    examples: ['{"event":"message.sent","messageId":"msg_01912d68-783e-7a03-8467-5661c1243ad4"}'],
  }),
});
export type ListedEvent = Static<typeof ListedEvent>;

/** A page of events: those of a message by `sequence`, others roughly in the order of their ids. */
export const Events = Type.Object({
  data: Type.Array(ListedEvent),
  nextCursor: Type.String({
    description: 'Continues after this page, now or later. It is valid for 7 days.',
    examples: ['WzEsIjVkNDE0MDJhYmM0YjJhNzYiLFs3NDIsMTc2OTg2MDgwMDAwMCxbXV1d'],
  }),
  hasMore: Type.Boolean({ description: 'False when the page ends with the newest event.' }),
});
export type Events = Static<typeof Events>;

/** The secret that signs the list and the stream. */
export const EventsSecret = Type.Object({
  secret: Type.String({ description: '`whsec_` followed by base64.', examples: ['whsec_MfKQ9r8G…'] }),
});

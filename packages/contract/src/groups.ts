import { advanceAfterSeconds, channels, groupStatuses, messageTypes, mostRoutes } from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { InteractiveContent } from './interactive.ts';
import { labels, shownLabels } from './labels.ts';
import { continuing, listedTimes, paging } from './lists.ts';
import {
  longerIfFormatted,
  MediaContent,
  Message,
  MessageBody,
  MessageDetails,
  SendText,
  timing,
  to,
} from './messages.ts';
import { TemplateContent } from './templates.ts';

/** One way to the recipient. */
export const Route = Type.Object(
  {
    channel: Type.Enum([...channels], { examples: ['whatsapp'] }),
    to,
    text: Type.Optional(SendText.properties.text),
    media: Type.Optional(MediaContent),
    template: Type.Optional(TemplateContent),
    interactive: Type.Optional(InteractiveContent),
    telegram: SendText.properties.telegram,
    channelAccountId: SendText.properties.channelAccountId,
  },
  {
    additionalProperties: false,
    ...longerIfFormatted,
    description: 'One of `text`, `media`, `template` and `interactive` is required.',
    examples: [{ channel: 'sms', to: '+15550001000', text: 'Your table is ready.' }],
  },
);
export type Route = Static<typeof Route>;

const advanceAfter = {
  minimum: advanceAfterSeconds.least,
  maximum: advanceAfterSeconds.most,
  description:
    'How long each route but the last has, waiting included. The next one begins when this is over and the message is not delivered. The last one has until the group expires.',
};

/** Body of `POST /v1/notify/send`. */
export const SendGroup = Type.Object(
  {
    routes: Type.Array(Route, {
      minItems: 1,
      maxItems: mostRoutes,
      description: 'Tried in this order, one after the other.',
      examples: [
        [
          { channel: 'whatsapp', to: '+15550001000', text: 'Your table is ready.' },
          { channel: 'sms', to: '+15550001000', text: 'Your table is ready.' },
        ],
      ],
    }),
    advanceAfterSeconds: Type.Optional(Type.Integer({ ...advanceAfter, default: advanceAfterSeconds.usual })),
    idempotencyKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Repeating a request with the same key returns the first response and creates no second group.',
      }),
    ),
    sendAt: timing.sendAt,
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: 30,
        maximum: 604_800,
        default: 86_400,
        description:
          'The lifetime of the whole group: after it no route begins. Counts from `sendAt`, or else from the request.',
      }),
    ),
    urgent: Type.Optional(
      Type.Boolean({ description: 'Groups ignore quiet hours in any case, so this changes nothing.' }),
    ),
    ...labels,
  },
  { additionalProperties: false },
);
export type SendGroup = Static<typeof SendGroup>;

const id = prefixedId('grp', 'The group ID. Events contain it as `groupId`.');
const status = Type.Enum([...groupStatuses], {
  description:
    '`pending`: a route is under way, and others may follow. `sent`: no further route begins, and the last message was handed to its provider. `delivered`: a message was delivered. `failed`: no further route begins, and the last message failed. A later receipt still corrects `sent` and `failed`.',
});

/** A group as a send answers it. */
export const AcceptedGroup = Type.Object({
  id,
  status,
  messages: Type.Array(Message, { description: 'The message of the first route.' }),
});
export type AcceptedGroup = Static<typeof AcceptedGroup>;

/** One route of a group, and what became of it. */
export const GroupRoute = Type.Object({
  channel: Type.Enum([...channels], { examples: ['whatsapp'] }),
  to: Type.String({ examples: ['+15550001000'] }),
  type: Type.Enum([...messageTypes]),
  body: MessageBody,
  channelAccountId: uuid('The account that was chosen when the group was accepted.'),
  messageId: nullable(prefixedId('msg', 'The message of this route. Null before it begins.')),
  leftFor: nullable(
    Type.Enum(['failed', 'time-over'], {
      description:
        'Why the next route began: the message failed, or the time of the route was over. Null if none has begun after it.',
    }),
  ),
});
export type GroupRoute = Static<typeof GroupRoute>;

const deliveredTwice = Type.Boolean({
  description:
    'Whether more than one message was delivered: one that had been sent arrived after its route was left.',
});

const common = {
  ...shownLabels,
  advanceAfterSeconds: Type.Integer({ examples: [60] }),
  nextRouteAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the next route begins, unless the present one is delivered. Null if none begins.',
    }),
  ),
  createdAt: Timestamp,
  scheduledAt: nullable(Type.String({ format: 'date-time', description: 'The `sendAt` of the group.' })),
  expiresAt: Timestamp,
  updatedAt: Timestamp,
  endedAt: nullable(Type.String({ format: 'date-time', description: 'Since when no further route begins.' })),
};

/** A group as `GET /v1/notify/groups/:id` answers it. */
export const Group = Type.Object({
  id,
  status,
  deliveredTwice,
  verificationId: nullable(
    prefixedId(
      'ver',
      'The verification whose code its messages carry. Null if the group was sent by `send`.',
    ),
  ),
  routes: Type.Array(GroupRoute),
  messages: Type.Array(MessageDetails, {
    description: 'The messages of the routes that have begun, in order.',
  }),
  ...common,
});
export type Group = Static<typeof Group>;

const { body: _, ...listedRoute } = GroupRoute.properties;

/** A group of a list: without its messages, and its routes without their contents. */
export const ListedGroup = Type.Object({
  id,
  status,
  deliveredTwice,
  routes: Type.Array(Type.Object(listedRoute)),
  ...common,
});
export type ListedGroup = Static<typeof ListedGroup>;

/** Query of `GET /v1/groups`. */
export const GroupsQuery = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'The full recipient of any of its routes, spelled as freely as in `GET /v1/messages`.',
        examples: ['+15550001000'],
      }),
    ),
    status: Type.Optional(status),
    ...listedTimes('Only groups accepted'),
    ...paging,
  },
  { additionalProperties: false },
);
export type GroupsQuery = Static<typeof GroupsQuery>;

/** A page of groups, newest first. */
export const Groups = Type.Object({ data: Type.Array(ListedGroup), ...continuing('groups') });
export type Groups = Static<typeof Groups>;

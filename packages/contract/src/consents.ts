import { channels } from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';

const Status = Type.Enum(['opted-out', 'opted-in'], {
  description: 'A message to a recipient who opted out fails with `recipient-opted-out` when it is due.',
});

const Source = Type.Enum(['keyword', 'provider', 'api', 'earlier'], {
  description:
    'Where the change came from. `keyword`: the recipient sent one of the account’s opt-out or opt-in words. `provider`: the provider reported it, or refused a message for this reason. `api`: a request of yours. `earlier`: an opt-out from the time before changes were recorded.',
});

const recipient = Type.String({
  description: 'The phone number in E.164 format, or the chat ID.',
  examples: ['+14155550123'],
});

/** Body of `PUT /v1/consent/:channelAccountId/:recipient`. */
export const ChangeConsent = Type.Object(
  {
    status: Status,
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'Your proof, such as when and how the person asked for messages again. Kept with the change in the history. Ignored if the recipient already has this status, because then nothing changes.',
        examples: ['Asked by telephone on 3 March, ticket 4711'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** What is known of one recipient's consent, with its history. */
export const Consent = Type.Object({
  channelAccountId: uuid('The account whose messages the recipient wants or does not want.'),
  channel: Type.Enum([...channels]),
  recipient,
  status: nullable(Status),
  source: nullable(Source),
  changedAt: nullable(Timestamp),
  history: Type.Array(
    Type.Object({
      status: Type.Enum(['opted-out', 'opted-in', 'removed'], {
        description: '`removed`: the record was deleted by a request of yours.',
      }),
      source: Source,
      changedAt: Timestamp,
      messageId: nullable(
        prefixedId(
          'msg',
          'The message with the recipient’s word, or the one that the provider refused. Null without one.',
        ),
      ),
      note: nullable(Type.String({ description: 'The note of the request that made the change.' })),
    }),
    { description: 'The newest 100 changes, newest first.' },
  ),
});
export type Consent = Static<typeof Consent>;

/** Query of `GET /v1/consent`. */
export const ConsentsQuery = Type.Object(
  {
    channelAccountId: Type.Optional(uuid('Only recipients of this account.')),
    recipient: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          'Only this recipient. The spellings of one person are one: with or without a leading +, and where a country’s numbers have two spellings, either.',
      }),
    ),
    status: Type.Optional(Type.Enum(['opted-out', 'opted-in'])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' })),
  },
  { additionalProperties: false },
);

/** A page of consents, newest change first. */
export const Consents = Type.Object({
  data: Type.Array(
    Type.Object({
      channelAccountId: Consent.properties.channelAccountId,
      channel: Consent.properties.channel,
      recipient,
      status: Status,
      source: Source,
      changedAt: Timestamp,
    }),
  ),
  nextCursor: nullable(Type.String({ description: 'The cursor of the next page. Null on the last page.' })),
});

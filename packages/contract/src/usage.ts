import { channels, countedTags, otherTag } from '@notify/core';
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { tagFilter } from './labels.ts';

function timestamp(example: string, description: string): Type.TString {
  return Type.String({ format: 'date-time', examples: [example], description });
}

/** Query of `GET /v1/usage`. */
export const UsageQuery = Type.Object(
  {
    from: Type.Optional(
      timestamp(
        '2026-01-01T00:00:00.000Z',
        'Rounded down to a whole hour or day (UTC). Default: 24 hours, or 30 days, before `until`.',
      ),
    ),
    until: Type.Optional(
      timestamp('2026-01-31T09:30:00.000Z', 'Rounded up to a whole hour or day (UTC). Default: now.'),
    ),
    per: Type.Optional(
      Type.Enum(['hour', 'day'], {
        default: 'hour',
        description: 'The size of a bucket. At most 31 days by hour, or 366 days by day.',
      }),
    ),
    channel: Type.Optional(Type.Enum([...channels])),
    channelAccountId: Type.Optional(uuid('Only messages of this account.')),
    tag: Type.Optional(
      Type.String({
        ...tagFilter('messages'),
        description: `Only messages with this tag. Of a day (UTC), ${countedTags.toLocaleString('en')} tags have figures, and the messages of any others count under the tag \`${otherTag}\`.`,
      }),
    ),
  },
  { additionalProperties: false },
);

function count(description: string): Type.TInteger {
  return Type.Integer({ minimum: 0, description });
}

/**
 * Counts of messages by progress. Each message counts in the period of its acceptance or receipt, however late its status changed.
 */
const counts = {
  accepted: count('Accepted messages.'),
  waiting: count('Still `queued`.'),
  sent: count('Handed to the provider, whatever their status now.'),
  delivered: count('Confirmed at the recipient.'),
  read: count('Read by the recipient.'),
  failed: count('Failed, and not corrected by a later delivery receipt.'),
  received: count('Inbound messages, which none of the other counts includes.'),
};

const TimeToDelivered = Type.Object(
  {
    p50Ms: Type.Integer({ description: 'The median (p50).' }),
    p95Ms: Type.Integer({ description: 'The 95th percentile (p95).' }),
  },
  {
    description:
      'Time from accepted to delivered, in ms. Computed from a histogram, accurate to 10 %. Null if nothing was delivered.',
  },
);

const totals = {
  ...counts,
  deliveryRate: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Delivered messages ÷ messages no longer waiting. Null if all are waiting, and on telegram, which does not report deliveries.',
    }),
  ),
  timeToDelivered: nullable(TimeToDelivered),
};

function ofChannel<P extends TProperties>(properties: P): TObject<{ channel: Type.TEnum<string[]> } & P> {
  return Type.Object({ channel: Type.Enum([...channels]), ...properties });
}

const WebhookUsage = Type.Object({
  id: prefixedId('wh', 'The webhook ID.'),
  url: Type.String(),
  state: Type.Enum(['healthy', 'failing', 'disabled'], { description: 'As in `GET /v1/webhooks`.' }),
  delivered: count('Successful deliveries.'),
  retried: count('Deliveries that needed a second attempt.'),
  failed: count('Deliveries of events of this period that failed permanently.'),
  attempts: Type.Object(
    {
      '2xx': count('Success.'),
      '3xx': count('Redirects, which are not followed.'),
      '4xx': count('Client errors.'),
      '5xx': count('Server errors.'),
      none: count('No response.'),
    },
    { description: 'Attempts in this period, by status of the response.' },
  ),
});

/** A tenant's figures, as `GET /v1/usage` answers them. */
export const Usage = Type.Object({
  from: Timestamp,
  until: Timestamp,
  per: Type.Enum(['hour', 'day']),
  asOf: nullable(
    timestamp(
      '2026-01-31T09:29:57.000Z',
      'The figures include everything committed up to this time, usually a few seconds ago. Null before the first count.',
    ),
  ),
  totals: Type.Object(totals),
  channels: Type.Array(ofChannel(totals), { description: 'All three channels, or only the requested one.' }),
  buckets: Type.Array(
    Type.Object({
      startsAt: Timestamp,
      ...counts,
      channels: Type.Array(ofChannel(counts), { description: 'Channels with at least one message.' }),
    }),
    { description: 'One per hour or day, in order, including those without messages.' },
  ),
  failures: Type.Array(
    Type.Object({
      channel: Type.Enum([...channels]),
      errorCode: Type.String({ description: 'See docs/errors.md.' }),
      messages: Type.Integer({ minimum: 1 }),
    }),
    { description: 'Failed messages by error code, most frequent first.' },
  ),
  webhooks: Type.Array(WebhookUsage, {
    description: 'All webhooks. The filters of messages do not apply.',
  }),
});
export type Usage = Static<typeof Usage>;

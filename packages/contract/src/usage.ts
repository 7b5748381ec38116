import { channels } from '@notify/core';
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';

function timestamp(description: string): Type.TString {
  return Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'], description });
}

/** Query of `GET /v1/usage`. */
export const UsageQuery = Type.Object(
  {
    from: Type.Optional(
      timestamp('Rounded down to a whole hour or day (UTC). Default: 24 hours, or 30 days, before `until`.'),
    ),
    until: Type.Optional(timestamp('Rounded up to a whole hour or day (UTC). Default: now.')),
    per: Type.Optional(
      Type.Enum(['hour', 'day'], {
        default: 'hour',
        description: 'At most 31 days by the hour, 366 days by the day.',
      }),
    ),
    channel: Type.Optional(Type.Enum([...channels])),
    channelAccountId: Type.Optional(uuid('Only messages of this account.')),
  },
  { additionalProperties: false },
);

function count(description: string): Type.TInteger {
  return Type.Integer({ minimum: 0, description });
}

/** How far messages have come, each counted where it was accepted, however late it got there. */
const counts = {
  accepted: count('All that were accepted.'),
  waiting: count('Of these, still `queued`.'),
  sent: count('Handed to the provider, whatever came after.'),
  delivered: count('Confirmed at the recipient.'),
  read: count('Read by the recipient.'),
  failed: count('Failed, and not corrected by a later report.'),
};

const TimeToDelivered = Type.Object(
  {
    p50Ms: Type.Integer({ description: 'Half of the delivered messages took no longer.' }),
    p95Ms: Type.Integer({ description: '95 of 100 took no longer.' }),
  },
  {
    description:
      'From accepted to delivered, in ms. Read from a histogram, exact to 10 %. Null where nothing was delivered.',
  },
);

const totals = {
  ...counts,
  deliveryRate: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Delivered ÷ all that no longer wait. Null where none is, and on telegram, which does not report deliveries.',
    }),
  ),
  timeToDelivered: nullable(TimeToDelivered),
};

function ofChannel<P extends TProperties>(properties: P): TObject<{ channel: Type.TEnum<string[]> } & P> {
  return Type.Object({ channel: Type.Enum([...channels]), ...properties });
}

const WebhookUsage = Type.Object({
  id: prefixedId('wh', 'The webhook.'),
  url: Type.String(),
  state: Type.Enum(['healthy', 'failing', 'disabled'], { description: 'As `GET /v1/webhooks` has it.' }),
  delivered: count('Deliveries that were answered with 2xx.'),
  retried: count('Deliveries that needed a second attempt.'),
  failed: count('Deliveries of events of this time that were given up.'),
  attempts: Type.Object(
    {
      '2xx': count('Success.'),
      '3xx': count('Redirects, which are not followed.'),
      '4xx': count('Refused.'),
      '5xx': count('Broken.'),
      none: count('No answer came.'),
    },
    { description: 'Attempts of this time, by the status of their answer.' },
  ),
});

/** A tenant's figures, as `GET /v1/usage` answers them. */
export const Usage = Type.Object({
  from: Timestamp,
  until: Timestamp,
  per: Type.Enum(['hour', 'day']),
  asOf: nullable(
    timestamp(
      'All that was committed until then is counted: a few seconds ago. Null before the first count.',
    ),
  ),
  totals: Type.Object(totals),
  channels: Type.Array(ofChannel(totals), { description: 'Of all three channels, or of the one asked for.' }),
  buckets: Type.Array(
    Type.Object({
      startsAt: Timestamp,
      ...counts,
      channels: Type.Array(ofChannel(counts), { description: 'Those with any message.' }),
    }),
    { description: 'One for every hour or day, in order, also where nothing was sent.' },
  ),
  failures: Type.Array(
    Type.Object({
      channel: Type.Enum([...channels]),
      errorCode: Type.String({ description: 'See docs/errors.md.' }),
      messages: Type.Integer({ minimum: 1 }),
    }),
    { description: 'Failed messages by reason, most first.' },
  ),
  webhooks: Type.Array(WebhookUsage, {
    description: 'Every webhook that there is. The filters by channel and account say nothing here.',
  }),
});
export type Usage = Static<typeof Usage>;

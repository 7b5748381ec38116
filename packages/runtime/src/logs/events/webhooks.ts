import { events } from '../event.ts';

/** Posting events to webhooks. */
export const webhookEvents = events({
  'delivery-attempt': {
    level: 'info',
    msg: 'delivery attempt',
    means:
      'A post has ended, with the `status` of the answer, or with `error` and `detail` if there was none. A pack has a `packId` and the number of its `events`, and its first delivery stands for it.',
    fields: ['deliveryId', 'eventId', 'webhookId', 'tenantId', 'attempt', 'decision', 'durationMs'],
    optional: ['messageId', 'packId', 'events', 'status', 'error', 'detail', 'traceId'],
    successes: { where: 'status', is: { least: 200, below: 300 }, by: ['messageId', 'eventId'] },
  },
  'deliveries-claimed': {
    level: 'debug',
    msg: 'deliveries claimed',
    means: 'A turn took deliveries for work.',
    fields: ['webhookId', 'deliveries'],
  },
  'egress-proxy-failed': {
    level: 'error',
    msg: 'egress proxy failed',
    means: "The operator's proxy did not carry the post. This counts as no attempt.",
    fields: ['deliveryId', 'detail'],
  },
  'delivery-release-waits': {
    level: 'warn',
    msg: 'releasing deliveries waits for the database',
    means: 'Claimed deliveries are released when the database is back.',
    fields: ['err', 'deliveries'],
  },
  'delivery-settlement-waits': {
    level: 'warn',
    msg: 'settlement waits for the database',
    means:
      'Results of posts are kept in memory until the database is back. Past their lease a post may be repeated.',
    fields: ['err', 'deliveries'],
  },
  'delivery-not-settled': {
    level: 'error',
    msg: 'delivery attempt not settled',
    means: 'The attempt is not recorded. It is made again when its lease ends.',
    fields: ['err', 'deliveryId'],
  },
  'deliveries-expired': {
    level: 'info',
    msg: 'deliveries expired',
    means: 'Deliveries waited too long for failing webhooks and were given up.',
    fields: ['expired'],
    background: true,
  },
  'webhook-secret-unreadable': {
    level: 'error',
    msg: 'webhook secret cannot be opened',
    means: 'No master key opens the secret. Rotate the secret of the webhook.',
    fields: ['err', 'webhookId', 'tenantId'],
  },
});

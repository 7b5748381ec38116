import { type Channel, channel } from 'node:diagnostics_channel';

/**
 * The tracing hooks: labelled points on the way of a message, with the processes that reach them. Each has a diagnostics
 * channel, `notify.<point>`. A process publishes to it synchronously whenever it reaches the point.
 */
export const points = {
  'accept-begun': { in: ['api'], when: 'a batch of sends is about to be committed' },
  'accept-committed': { in: ['api'], when: 'the batch is committed; no client has a response yet' },
  'accept-answered': { in: ['api'], when: 'all clients have a response; nothing is woken yet' },
  'dispatch-claimed': { in: ['dispatch-worker'], when: 'messages are leased and their attempts begun' },
  'dispatch-calling': { in: ['dispatch-worker'], when: 'the provider is about to be called' },
  'dispatch-answered': { in: ['dispatch-worker'], when: 'the call has ended, with or without a response' },
  'dispatch-settling': { in: ['dispatch-worker'], when: 'a batch of outcomes is about to be committed' },
  'dispatch-settled': { in: ['dispatch-worker'], when: 'the batch is committed; no webhook is woken yet' },
  'dispatch-woken': { in: ['dispatch-worker'], when: 'webhooks with new deliveries are woken' },
  'webhook-claimed': { in: ['webhook-worker'], when: 'deliveries are leased' },
  'webhook-posting': { in: ['webhook-worker'], when: 'the endpoint is about to be called' },
  'webhook-posted': { in: ['webhook-worker'], when: 'the post has ended and is not recorded yet' },
  'webhook-settled': { in: ['webhook-worker'], when: 'a batch of attempts is committed' },
  'receipts-stored': { in: ['api'], when: 'delivery receipts are committed, not yet applied' },
  'receipts-joined': {
    in: ['api', 'dispatch-worker'],
    when: 'delivery receipts are applied to their messages',
  },
  'sweep-found': {
    in: ['dispatch-worker', 'webhook-worker'],
    when: 'the sweeper has found overdue work and woken nothing yet',
  },
} as const satisfies Record<
  string,
  { in: readonly ('api' | 'dispatch-worker' | 'webhook-worker')[]; when: string }
>;

export type Point = keyof typeof points;

const channels = Object.fromEntries(
  Object.keys(points).map((point) => [point, channel(`notify.${point}`)]),
) as Record<Point, Channel>;

/** Publishes that the process has reached the point. Without a subscriber it costs one check. */
export function reached(point: Point): void {
  const told = channels[point];
  if (told.hasSubscribers) told.publish(point);
}

import { type Channel, channel } from 'node:diagnostics_channel';

/**
 * Where a crash tells something: the labelled points of a message's way, with the processes that pass them. Each has a
 * diagnostics channel, `notify.<point>`, that is published to synchronously whenever a process gets there.
 */
export const points = {
  'accept-begun': { in: ['api'], when: 'a batch of sends is about to be committed' },
  'accept-committed': { in: ['api'], when: 'it is committed, and nobody was answered yet' },
  'accept-answered': { in: ['api'], when: 'all were answered, and nobody was woken yet' },
  'dispatch-claimed': { in: ['dispatch-worker'], when: 'messages are leased, their attempts begun' },
  'dispatch-calling': { in: ['dispatch-worker'], when: 'the provider is about to be called' },
  'dispatch-answered': { in: ['dispatch-worker'], when: 'the call has ended, with an answer or without' },
  'dispatch-settling': { in: ['dispatch-worker'], when: 'a batch of outcomes is about to be committed' },
  'dispatch-settled': { in: ['dispatch-worker'], when: 'it is committed, and no webhook was woken yet' },
  'dispatch-woken': { in: ['dispatch-worker'], when: 'webhooks that have work were woken' },
  'webhook-claimed': { in: ['webhook-worker'], when: 'deliveries are leased' },
  'webhook-posting': { in: ['webhook-worker'], when: 'the receiver is about to be called' },
  'webhook-posted': { in: ['webhook-worker'], when: 'the post has ended, and is not recorded' },
  'webhook-settled': { in: ['webhook-worker'], when: 'a batch of attempts is committed' },
  'receipts-stored': { in: ['api'], when: 'reports are committed, and not joined to their messages' },
  'receipts-joined': { in: ['api', 'dispatch-worker'], when: 'reports are joined to their messages' },
  'sweep-found': {
    in: ['dispatch-worker', 'webhook-worker'],
    when: 'the sweeper has found who is overdue, and has woken nobody yet',
  },
} as const satisfies Record<
  string,
  { in: readonly ('api' | 'dispatch-worker' | 'webhook-worker')[]; when: string }
>;

export type Point = keyof typeof points;

const channels = Object.fromEntries(
  Object.keys(points).map((point) => [point, channel(`notify.${point}`)]),
) as Record<Point, Channel>;

/** Says that the process has got there, to whoever listens. Without a listener it costs one look. */
export function reached(point: Point): void {
  const told = channels[point];
  if (told.hasSubscribers) told.publish(point);
}

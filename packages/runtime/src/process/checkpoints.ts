import { type Channel, channel } from 'node:diagnostics_channel';

/**
 * The tracing hooks: labelled checkpoints on the way of a message, with the processes that reach them. The
 * `dispatch-`, `receipts-` and `inbound-` checkpoints are also reached by whatsapp-sessions. Each has a diagnostics
 * channel, `notify.<checkpoint>`. A process publishes to it synchronously whenever it reaches the checkpoint.
 */
export const checkpoints = {
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
  'group-moving': { in: ['dispatch-worker'], when: 'a group is about to be moved' },
  'group-moved': { in: ['dispatch-worker'], when: 'the move of a group is committed; nothing is woken yet' },
  'inbound-stored': { in: ['api', 'dispatch-worker'], when: 'inbound messages are committed' },
  'sweep-found': {
    in: ['dispatch-worker', 'webhook-worker'],
    when: 'the sweeper has found overdue work and woken nothing yet',
  },
} as const satisfies Record<
  string,
  { in: readonly ('api' | 'dispatch-worker' | 'webhook-worker')[]; when: string }
>;

export type Checkpoint = keyof typeof checkpoints;

const channels = Object.fromEntries(
  Object.keys(checkpoints).map((checkpoint) => [checkpoint, channel(`notify.${checkpoint}`)]),
) as Record<Checkpoint, Channel>;

/** Publishes that the process has reached the checkpoint. Without a subscriber it costs one check. */
export function reached(checkpoint: Checkpoint): void {
  const told = channels[checkpoint];
  if (told.hasSubscribers) told.publish(checkpoint);
}

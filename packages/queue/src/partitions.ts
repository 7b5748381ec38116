import { hash } from 'node:crypto';

/** What a turn looks at: a channel account, or a webhook. */
export type TurnKind = 'dispatch' | 'webhooks';

/** `slow` is where accounts and webhooks that are slow or fail take their turns, with slots of its own. */
export type Lane = 'fast' | 'slow';

/** Name of one partition's queue, such as `dispatch-0` or `webhooks-slow-3`. */
export function queueName(kind: TurnKind, lane: Lane, partition: number): string {
  return lane === 'slow' ? `${kind}-slow-${partition}` : `${kind}-${partition}`;
}

/**
 * The partition an id belongs to: the same in every process and release. After a change of `partitions` a turn that
 * waits where nobody looks any more is made good by the sweeper's wake.
 */
export function partitionOf(id: string, partitions: number): number {
  return hash('sha1', id, 'buffer').readUInt32BE(0) % partitions;
}

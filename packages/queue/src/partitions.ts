import { isOwnedLane, type Lane, type OwnedLane, usualOwnedPartitions } from '@notify/core';
import { hash } from 'node:crypto';

/** The thing that a turn works for: a channel account, a webhook, or the groups of a tenant. */
export type TurnKind = 'dispatch' | 'webhooks' | 'groups';

/** The number of partitions per lane. It must be the same in every process. */
export interface PartitionCounts {
  /** Of the lanes `fast` and `slow`. */
  readonly partitions: number;
  /** Of each owned lane; default 16. */
  readonly ownedPartitions?: Partial<Readonly<Record<OwnedLane, number>>>;
}

/** Name of one partition's queue, such as `dispatch-0`, `groups-0`, `webhooks-slow-3` or `whatsapp-web-7`. */
export function queueName(kind: TurnKind, lane: Lane, partition: number): string {
  if (isOwnedLane(lane)) return `${lane}-${partition}`;
  return lane === 'fast' ? `${kind}-${partition}` : `${kind}-${lane}-${partition}`;
}

/** The number of partitions of a lane. */
export function partitionsOf(lane: Lane, counts: PartitionCounts): number {
  return isOwnedLane(lane) ? (counts.ownedPartitions?.[lane] ?? usualOwnedPartitions) : counts.partitions;
}

/**
 * The partition of an id, the same in every process and release. After a change of `partitions`, a turn may wait in a
 * partition that no process takes any more. The sweeper's wake makes up for it.
 */
export function partitionOf(id: string, partitions: number): number {
  return hash('sha1', id, 'buffer').readUInt32BE(0) % partitions;
}

import type { Lane } from '@notify/core';
import { hash } from 'node:crypto';

/** What a turn looks at: a channel account, or a webhook. */
export type TurnKind = 'dispatch' | 'webhooks';

/** Partitions of the lane `whatsapp-web`, which move between its processes, where nobody says otherwise. */
export const usualWhatsappPartitions = 16;

/** How many partitions the lanes have; the same in every process. */
export interface PartitionCounts {
  /** Of the lanes `fast` and `slow`. */
  readonly partitions: number;
  /** Of the lane `whatsapp-web`; 16 where it is left out. */
  readonly whatsappPartitions?: number;
}

/** Name of one partition's queue, such as `dispatch-0`, `webhooks-slow-3` or `whatsapp-web-7`. */
export function queueName(kind: TurnKind, lane: Lane, partition: number): string {
  switch (lane) {
    case 'fast':
      return `${kind}-${partition}`;
    case 'slow':
      return `${kind}-slow-${partition}`;
    case 'whatsapp-web':
      return `whatsapp-web-${partition}`;
  }
}

/** How many partitions a lane has. */
export function partitionsOf(lane: Lane, counts: PartitionCounts): number {
  const { partitions, whatsappPartitions = usualWhatsappPartitions } = counts;
  return lane === 'whatsapp-web' ? whatsappPartitions : partitions;
}

/**
 * The partition an id belongs to: the same in every process and release. After a change of `partitions` a turn that
 * waits where nobody looks any more is made good by the sweeper's wake.
 */
export function partitionOf(id: string, partitions: number): number {
  return hash('sha1', id, 'buffer').readUInt32BE(0) % partitions;
}

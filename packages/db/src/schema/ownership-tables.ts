import type { OwnedLane } from '@notify/core';
import type { Generated } from 'kysely';
import type { Time, TimeOrNull } from './column-types.ts';

/** Which process holds the connections of which accounts. */
export interface OwnershipTables {
  owned_partitions: {
    lane: OwnedLane;
    partition: number;
    /** A process, in `partition_owners`. */
    owner: string | null;
    epoch: Generated<string>;
    leased_until: TimeOrNull;
  };
  /** `partitions`: the number of partitions that the process is configured with. */
  partition_owners: { id: string; lane: OwnedLane; seen_until: Time; partitions: number };
}

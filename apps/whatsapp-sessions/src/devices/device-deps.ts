import type { Random } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { PartitionLease } from '@notify/db/ownership';
import type { Secrets } from '@notify/runtime';
import type { ConnectionDeps } from '../connection/connection.ts';
import type { ReadMessage } from '../inbound/read.ts';
import type { DeviceReceipt } from '../sending/message-updates.ts';

/** The dependencies that all devices of a process share. */
export interface DeviceDeps extends ConnectionDeps {
  readonly db: Db;
  /** Sealed with the master key. */
  readonly secrets: Secrets;
  readonly random: Random;
  /** The account can send again. */
  readonly onConnected: (accountId: string) => void;
  readonly onReceipts: (accountId: string, receipts: readonly DeviceReceipt[]) => void;
  /** Commits a message that a person wrote to the account. */
  readonly onMessage: (accountId: string, message: ReadMessage) => Promise<void>;
  /** A write found that the partition's lease is lost. */
  readonly onLost: (lease: PartitionLease) => void;
}

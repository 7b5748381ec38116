export {
  type ConnectionState,
  findOwnedAccount,
  laneAccounts,
  type OwnedAccounts,
  tellConnectionState,
} from './accounts.ts';
export {
  leavePartitions,
  type PartitionLease,
  type PartitionOwner,
  type PartitionsView,
  preparePartitions,
  releasePartitions,
  renewPartitions,
  type TakenLease,
  takePartitions,
} from './partitions.ts';

import { events } from '../event.ts';

/** Who holds the connections of which accounts. */
export const ownershipEvents = events({
  'partitions-taken': {
    level: 'info',
    msg: 'partitions taken',
    means: 'This process connects the accounts of these partitions.',
    fields: ['partitions'],
    background: true,
  },
  'partition-given-back': {
    level: 'info',
    msg: 'partition given back',
    means: 'Another process may take it.',
    fields: ['partition'],
    background: true,
  },
  'partition-lost': {
    level: 'warn',
    msg: 'partition lost',
    means: 'The lease was not renewed in time. Its connections were ended.',
    fields: ['partition'],
    background: true,
  },
  'partition-not-taken': {
    level: 'warn',
    msg: 'partition could not be taken over',
    means: 'The partition is given up, and a process takes it again.',
    fields: ['err', 'partition'],
    background: true,
  },
  'partition-not-released': {
    level: 'warn',
    msg: 'partition not released; its lease will expire',
    means: 'Other processes wait for the end of the lease, 9 s.',
    fields: ['err', 'partition'],
    background: true,
  },
  'leaving-not-recorded': {
    level: 'warn',
    msg: 'leaving was not recorded; other processes notice when the lease ends',
    means: 'Other processes wait for the end of the leases, 9 s.',
    fields: ['err'],
    background: true,
  },
  'no-partition': {
    level: 'warn',
    msg: null,
    means: 'This process holds no partition: `msg` says why.',
    fields: ['msg', 'partitionCount', 'processes', 'disagreeing'],
    background: true,
  },
  'partitions-open': {
    level: 'info',
    msg: 'this process may take partitions again',
    means: 'The reason of `no-partition` is gone.',
    fields: ['partitionCount', 'processes', 'disagreeing'],
    background: true,
  },
  'connection-failed': {
    level: 'warn',
    msg: 'connection failed; it will be opened again',
    means: 'An unexpected error.',
    fields: ['err', 'accountId'],
  },
  'connection-not-checked': {
    level: 'warn',
    msg: 'connection could not be checked',
    means: 'The next check follows.',
    fields: ['err', 'accountId'],
  },
});

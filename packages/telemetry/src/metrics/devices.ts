import { readGauge } from './read-gauge.ts';
import { counter } from './registry.ts';

/**
 * What a linked device does. `waiting`: it connects again after a pause. `blocked`: WhatsApp refuses its logins, and no process
 * logs in for now. Accounts whose phone is not linked are in none of them.
 */
export const deviceStates = ['connected', 'connecting', 'waiting', 'linking', 'blocked'] as const;

/** Linked WhatsApp devices in this process. */
export const devices = {
  /** `state` is one of `deviceStates`. */
  byState: readGauge('linked_devices', 'Linked devices of this process', ['state']),
  leased: readGauge('device_partitions_leased', 'Partitions that this process holds', []),
  /** `reason` is `new`, `moved` (given by another process) or `taken-over` (its process has ended). */
  leases: counter('device_partition_leases_total', 'Partitions that this process took', ['reason']),
  /**
   * `code` is WhatsApp’s close code; 405 says that our version is retired. `frozen` and `no-ack` are silences that we ended,
   * `ours` is a hand-over or an unlinking, `other` any code that we do not know.
   */
  closes: counter(
    'device_closes_total',
    'Connections that ended, by WhatsApp’s code; those that we ended are ours',
    ['code'],
  ),
};

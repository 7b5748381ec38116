import type { Db } from '@notify/db/connection';
import { type ConnectionState, type PartitionLease, tellConnectionState } from '@notify/db/ownership';
import {
  changeLink,
  forgetDevice,
  holdLogins,
  type LinkChange,
  type LoginHold,
  restrictDevice,
  type Restriction,
  saveDataKey,
} from '@notify/db/whatsapp';
import { demandLease } from '@notify/ownership';

/** The writes of a device's owner. Each write rejects, and writes nothing, when the lease is lost. */
export interface DeviceRecords {
  /** The state of the connection. No message is claimed unless it is `connected`. */
  tell(state: ConnectionState): Promise<void>;
  changeLink(change: LinkChange): Promise<void>;
  saveDataKey(sealed: string): Promise<void>;
  /** The time when WhatsApp accepts first messages to new contacts again. */
  restrict(restriction: Restriction): Promise<void>;
  /** Holds logins in every process, and tells the tenant why. */
  holdLogins(hold: LoginHold): Promise<void>;
  /** Removes all data of the device. `detail` tells the tenant why; null means that it can be linked. */
  forget(detail: string | null): Promise<void>;
}

/** The records of one account under a lease. Calls `onLost` when a write finds the lease lost. */
export function deviceRecords(
  db: Db,
  lease: PartitionLease,
  accountId: string,
  onLost: () => void,
): DeviceRecords {
  return {
    tell: (state) => demandLease(tellConnectionState(db, lease, accountId, state), onLost),
    changeLink: (change) => demandLease(changeLink(db, lease, accountId, change), onLost),
    saveDataKey: (sealed) => demandLease(saveDataKey(db, lease, accountId, sealed), onLost),
    restrict: (restriction) => demandLease(restrictDevice(db, lease, accountId, restriction), onLost),
    holdLogins: (hold) => demandLease(holdLogins(db, lease, accountId, hold), onLost),
    forget: (detail) =>
      demandLease(forgetDevice(db, lease, accountId, { step: 'idle', reason: null, detail }), onLost),
  };
}

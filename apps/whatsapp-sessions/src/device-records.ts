import type { Db } from '@notify/db/connection';
import {
  changeLink,
  type DeviceState,
  forgetDevice,
  holdLogins,
  type LinkChange,
  type LoginHold,
  type PartitionLease,
  restrictDevice,
  type Restriction,
  saveDataKey,
  tellDeviceState,
} from '@notify/db/whatsapp';

/** What the owner of a device writes about it. Each write rejects, and writes nothing, when the lease is lost. */
export interface DeviceRecords {
  /** How the connection stands; while it is not `connected`, no message is claimed. */
  tell(state: DeviceState): Promise<void>;
  changeLink(change: LinkChange): Promise<void>;
  saveDataKey(sealed: string): Promise<void>;
  /** When WhatsApp takes first messages to new contacts again. */
  restrict(restriction: Restriction): Promise<void>;
  /** No login is tried for now, by any process, and the tenant is told why. */
  holdLogins(hold: LoginHold): Promise<void>;
  /** Removes all the device consists of; `detail` tells the tenant why, null that it can be linked. */
  forget(detail: string | null): Promise<void>;
}

/** The records of one account, under a lease; `onLost` is told when a write found it lost. */
export function deviceRecords(
  db: Db,
  lease: PartitionLease,
  accountId: string,
  onLost: () => void,
): DeviceRecords {
  return {
    tell: (state) => demandLease(tellDeviceState(db, lease, accountId, state), onLost),
    changeLink: (change) => demandLease(changeLink(db, lease, accountId, change), onLost),
    saveDataKey: (sealed) => demandLease(saveDataKey(db, lease, accountId, sealed), onLost),
    restrict: (restriction) => demandLease(restrictDevice(db, lease, accountId, restriction), onLost),
    holdLogins: (hold) => demandLease(holdLogins(db, lease, accountId, hold), onLost),
    forget: (detail) =>
      demandLease(forgetDevice(db, lease, accountId, { step: 'idle', reason: null, detail }), onLost),
  };
}

/** Awaits a write that says whether the lease was held; tells `onLost` and rejects where it was not. */
export async function demandLease(write: Promise<boolean>, onLost: () => void): Promise<void> {
  if (await write) return;
  onLost();
  throw new Error('the lease of this device is lost');
}

import { createFairPlaces } from '@notify/turns';

/** What a process does for few devices at once. Tenants are served in turn, so one with many devices delays itself. */
export interface DeviceTurns {
  /** Waits until a phone's chat history may be read. Call the result at its end. */
  readonly turnToRead: (tenantId: string) => Promise<() => void>;
  /**
   * Waits until a device may connect, so that devices do not all connect at once. Call the result when it is connected. A first
   * login makes 812 keys before anything else can run in this process.
   */
  readonly turnToConnect: (tenantId: string, isFirstLogin: boolean) => Promise<() => void>;
}

/** Ten devices connect at once, one logs in for the first time, and three histories are read. */
export function createDeviceTurns(): DeviceTurns {
  // One place is kept from each tenant for the others: a connection or a download may hang for minutes.
  const connecting = createFairPlaces({ places: 10, perGroup: 9 });
  const firstLogins = createFairPlaces({ places: 1, perGroup: 1 });
  const histories = createFairPlaces({ places: 3, perGroup: 2 });
  return {
    turnToRead: (tenantId) => histories.acquire(tenantId),
    turnToConnect: (tenantId, isFirstLogin) => (isFirstLogin ? firstLogins : connecting).acquire(tenantId),
  };
}

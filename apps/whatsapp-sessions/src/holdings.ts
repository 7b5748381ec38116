import { setTimeout as delay } from 'node:timers/promises';
import { type Db, goneDevices, listDevices, type PartitionLease, takeOverDevices } from '@notify/db';
import { partitionOf, type PartitionedTurns, whatsappPartitions } from '@notify/queue';
import type { Log } from '@notify/runtime';
import type { Device } from './device.ts';

export interface HoldingsOptions {
  readonly db: Db;
  readonly log: Log;
  readonly turns: PartitionedTurns;
  readonly createDevice: (accountId: string, lease: PartitionLease) => Device;
}

/** The partitions this process holds, and the devices in them. */
export interface Holdings {
  /** Begins with a partition: its accounts are held until their devices are connected. */
  take(lease: PartitionLease): Promise<void>;
  /** Ends the connections of a partition in good order. */
  give(lease: PartitionLease): Promise<void>;
  /** Ends them before it returns. */
  lose(lease: PartitionLease): void;
  /** The device of an account, where its partition is held. */
  deviceOf(accountId: string): Device | null;
  /** Has those of these accounts looked at that are held here. */
  look(accountIds: readonly string[]): Promise<void>;
  /** Drops the devices of accounts that do not exist any more, and makes those anew that have fallen silent. */
  tend(): Promise<void>;
}

interface Holding {
  readonly lease: PartitionLease;
  readonly devices: Map<string, Device>;
  /** It is being given back: no device begins anew. */
  ending: boolean;
}

/** How long turns may go on before the connections they use are ended, in ms. */
const graceMs = 1_000;

/** Holds nothing at first. */
export function createHoldings({ db, log, turns, createDevice }: HoldingsOptions): Holdings {
  const holdings = new Map<number, Holding>();
  /** What goes on after a partition was lost; it is not taken again before that has ended. */
  const aftermath = new Map<number, Promise<void>>();

  function deviceOf(accountId: string): Device | null {
    const holding = holdings.get(partitionOf(accountId, whatsappPartitions));
    if (holding === undefined) return null;
    const known = holding.devices.get(accountId);
    if (known !== undefined || holding.ending) return known ?? null;
    const device = createDevice(accountId, holding.lease);
    holding.devices.set(accountId, device);
    return device;
  }

  async function accountsOf({ partition }: PartitionLease): Promise<string[]> {
    const ids = await listDevices(db);
    return ids.filter((id) => partitionOf(id, whatsappPartitions) === partition);
  }

  async function look(accountIds: readonly string[]): Promise<void> {
    await Promise.all(
      accountIds.map(async (id) => {
        try {
          await deviceOf(id)?.look();
        } catch (error) {
          log.warn({ err: error, accountId: id }, 'device could not be looked at');
        }
      }),
    );
  }

  return {
    deviceOf,
    look,
    async take(lease) {
      await aftermath.get(lease.partition);
      const ids = await accountsOf(lease);
      if (!(await takeOverDevices(db, lease, ids))) throw new Error('the lease was lost at once');
      holdings.set(lease.partition, { lease, devices: new Map(), ending: false });
      turns.add(lease.partition);
      await look(ids);
    },
    async give(lease) {
      const holding = holdings.get(lease.partition);
      if (holding !== undefined) holding.ending = true;
      const turnsEnded = turns.remove(lease.partition);
      await Promise.race([turnsEnded, delay(graceMs)]);
      const devices = Array.from(holding?.devices.values() ?? []);
      await Promise.all(devices.map((device) => device.end()));
      await turnsEnded;
      // Whoever asks in between is told that the accounts are being connected.
      await takeOverDevices(db, lease, await accountsOf(lease));
      holdings.delete(lease.partition);
    },
    lose(lease) {
      const holding = holdings.get(lease.partition);
      if (holding === undefined || holding.lease.epoch !== lease.epoch) return;
      holdings.delete(lease.partition);
      for (const device of holding.devices.values()) device.cut();
      const ended = Promise.all([
        turns.remove(lease.partition),
        ...Array.from(holding.devices.values(), (device) => device.end()),
      ]).then(() => void aftermath.delete(lease.partition));
      aftermath.set(lease.partition, ended);
    },
    async tend() {
      const devices = Array.from(holdings.values()).flatMap((holding) =>
        Array.from(holding.devices.values()),
      );
      for (const device of devices) device.demandSignOfLife();
      const gone = new Set(
        await goneDevices(
          db,
          devices.map((device) => device.accountId),
        ),
      );
      for (const holding of holdings.values()) {
        for (const [id, device] of holding.devices) {
          if (!gone.has(id)) continue;
          holding.devices.delete(id);
          await device.end();
        }
      }
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { goneDevices, listDevices, type PartitionLease, takeOverDevices } from '@notify/db/whatsapp';
import { partitionOf } from '@notify/queue';
import type { Log } from '@notify/runtime';
import type { LaneTurns } from '@notify/turns';
import type { Device, DeviceActivity } from './devices/device.ts';

export interface HoldingsOptions {
  readonly db: Db;
  readonly log: Log;
  readonly turns: LaneTurns;
  /** The number of partitions. */
  readonly partitions: number;
  readonly createDevice: (accountId: string, lease: PartitionLease) => Device;
}

interface Holding {
  readonly lease: PartitionLease;
  readonly devices: Map<string, Device>;
  /** Devices begin only while it is `held`. */
  state: 'taking' | 'held' | 'ending';
}

/** How long turns may go on before their connections are ended, in ms. */
const graceMs = 1_000;

/** The partitions this process holds, and the devices in them. */
export class Holdings {
  private readonly options: HoldingsOptions;
  private readonly held = new Map<number, Holding>();
  /** The cleanup after the loss of a partition. The partition is taken again only after it has ended. */
  private readonly aftermath = new Map<number, Promise<void>>();

  constructor(options: HoldingsOptions) {
    this.options = options;
  }

  /** The device of an account, if this process holds its partition. */
  deviceOf(accountId: string): Device | null {
    const holding = this.held.get(partitionOf(accountId, this.options.partitions));
    if (holding === undefined) return null;
    const known = holding.devices.get(accountId);
    if (known !== undefined || holding.state !== 'held') return known ?? null;
    const device = this.options.createDevice(accountId, holding.lease);
    holding.devices.set(accountId, device);
    return device;
  }

  /** How many devices of this process do this now. */
  count(activity: DeviceActivity): number {
    let count = 0;
    for (const { devices } of this.held.values())
      for (const device of devices.values()) if (device.activity === activity) count += 1;
    return count;
  }

  /** Looks at the accounts among these whose partitions this process holds. */
  async look(accountIds: readonly string[]): Promise<void> {
    await this.each(accountIds, (id) => this.deviceOf(id)?.look());
  }

  /** Starts a partition. Its accounts are held until their devices are connected. */
  async take(lease: PartitionLease): Promise<void> {
    await this.aftermath.get(lease.partition);
    const holding: Holding = { lease, devices: new Map(), state: 'taking' };
    this.held.set(lease.partition, holding);
    const ids = await this.holdAccounts(lease);
    // The partition may have been lost or given back meanwhile.
    if (this.held.get(lease.partition) !== holding || holding.state !== 'taking') return;
    holding.state = 'held';
    this.options.turns.add(lease.partition);
    await this.look(ids);
  }

  /** Shuts down the connections of a partition in good order. */
  async give(lease: PartitionLease): Promise<void> {
    const holding = this.held.get(lease.partition);
    if (holding === undefined) return;
    holding.state = 'ending';
    const turnsEnded = this.options.turns.remove(lease.partition);
    await Promise.race([turnsEnded, delay(graceMs)]);
    await endAll(holding);
    await turnsEnded;
    // The accounts show as connecting until another process takes the partition.
    await this.holdAccounts(lease);
    this.held.delete(lease.partition);
  }

  /** Ends the connections of a partition before it returns. */
  lose(lease: PartitionLease): void {
    const { partition } = lease;
    const holding = this.held.get(partition);
    if (holding === undefined || holding.lease.epoch !== lease.epoch) return;
    this.held.delete(partition);
    for (const device of holding.devices.values()) device.cut();
    const over = Promise.all([this.options.turns.remove(partition), endAll(holding)]);
    this.aftermath.set(
      partition,
      over.then(() => void this.aftermath.delete(partition)),
    );
  }

  /** Call it every few seconds. Tends every device, and drops the devices of deleted accounts. */
  async tend(): Promise<void> {
    const ids = Array.from(this.held.values()).flatMap(({ devices }) => Array.from(devices.keys()));
    await this.each(ids, (id) => this.deviceOf(id)?.tend());
    const gone = await goneDevices(this.options.db, ids);
    await this.each(gone, async (id) => {
      await this.deviceOf(id)?.end();
      this.held.get(partitionOf(id, this.options.partitions))?.devices.delete(id);
    });
  }

  private async holdAccounts(lease: PartitionLease): Promise<string[]> {
    const all = await listDevices(this.options.db);
    const ids = all.filter((id) => partitionOf(id, this.options.partitions) === lease.partition);
    if (!(await takeOverDevices(this.options.db, lease, ids))) throw new Error('the lease is lost');
    return ids;
  }

  private async each(
    accountIds: readonly string[],
    work: (id: string) => Promise<void> | undefined,
  ): Promise<void> {
    const one = async (id: string): Promise<void> => {
      try {
        await work(id);
      } catch (error) {
        this.options.log.tell('device-not-checked', { err: error, accountId: id });
      }
    };
    await Promise.all(accountIds.map(one));
  }
}

async function endAll({ devices }: Holding): Promise<void> {
  await Promise.all(Array.from(devices.values(), (device) => device.end()));
}

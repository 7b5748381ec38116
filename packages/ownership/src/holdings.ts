import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import type { OwnedAccounts, PartitionLease } from '@notify/db/ownership';
import { partitionOf } from '@notify/queue';
import type { Log } from '@notify/runtime';
import type { LaneTurns } from '@notify/turns';
import type { CreateConnection, OwnedConnection } from './connection.ts';

export interface HoldingsOptions<C extends OwnedConnection> {
  readonly db: Db;
  readonly log: Log;
  readonly turns: Pick<LaneTurns, 'add' | 'remove'>;
  /** The number of partitions. */
  readonly partitions: number;
  readonly accounts: OwnedAccounts;
  readonly create: CreateConnection<C>;
  /** The event that says that a connection could not be checked. */
  readonly notChecked: 'connection-not-checked' | 'device-not-checked';
}

interface Holding<C> {
  readonly lease: PartitionLease;
  readonly connections: Map<string, C>;
  /** Connections begin only while it is `held`. */
  state: 'taking' | 'held' | 'ending';
}

/** How long turns may go on before their connections are ended, in ms. */
const graceMs = 1_000;

/** The partitions this process holds, and the connections of their accounts. */
export class Holdings<C extends OwnedConnection> {
  private readonly options: HoldingsOptions<C>;
  private readonly held = new Map<number, Holding<C>>();
  /** The cleanup after the loss of a partition. The partition is taken again only after it has ended. */
  private readonly aftermath = new Map<number, Promise<void>>();

  constructor(options: HoldingsOptions<C>) {
    this.options = options;
  }

  /** The connection of an account, if this process holds its partition. */
  connectionOf(accountId: string): C | null {
    const holding = this.held.get(partitionOf(accountId, this.options.partitions));
    if (holding === undefined) return null;
    const known = holding.connections.get(accountId);
    if (known !== undefined || holding.state !== 'held') return known ?? null;
    const connection = this.options.create(accountId, holding.lease);
    holding.connections.set(accountId, connection);
    return connection;
  }

  /** All connections of this process. */
  all(): C[] {
    return Array.from(this.held.values()).flatMap(({ connections }) => Array.from(connections.values()));
  }

  /** Looks at the accounts among these whose partitions this process holds. */
  async look(accountIds: readonly string[]): Promise<void> {
    await this.each(accountIds, (id) => this.connectionOf(id)?.look());
  }

  /** Starts a partition. Its accounts are held until they are connected. */
  async take(lease: PartitionLease): Promise<void> {
    await this.aftermath.get(lease.partition);
    const holding: Holding<C> = { lease, connections: new Map(), state: 'taking' };
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
    for (const connection of holding.connections.values()) connection.cut();
    const over = Promise.all([this.options.turns.remove(partition), endAll(holding)]);
    this.aftermath.set(
      partition,
      over.then(() => void this.aftermath.delete(partition)),
    );
  }

  /** Call it every few seconds. Tends every connection, and drops those of accounts that are gone. */
  async tend(): Promise<void> {
    const ids = Array.from(this.held.values()).flatMap(({ connections }) => Array.from(connections.keys()));
    await this.each(ids, (id) => this.connectionOf(id)?.tend());
    const gone = await this.options.accounts.gone(this.options.db, ids);
    await this.each(gone, async (id) => {
      await this.connectionOf(id)?.end();
      this.held.get(partitionOf(id, this.options.partitions))?.connections.delete(id);
    });
  }

  private async holdAccounts(lease: PartitionLease): Promise<string[]> {
    const { db, accounts, partitions } = this.options;
    const all = await accounts.list(db);
    const ids = all.filter((id) => partitionOf(id, partitions) === lease.partition);
    if (!(await accounts.takeOver(db, lease, ids))) throw new Error('the lease is lost');
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
        this.options.log.tell(this.options.notChecked, { err: error, accountId: id });
      }
    };
    await Promise.all(accountIds.map(one));
  }
}

async function endAll<C extends OwnedConnection>({ connections }: Holding<C>): Promise<void> {
  await Promise.all(Array.from(connections.values(), (connection) => connection.end()));
}

import { randomUUID } from 'node:crypto';
import { ownedLanes, type OwnedLane } from '@notify/core';
import { type Db, openDb } from '@notify/db/connection';
import type { PartitionLease } from '@notify/db/ownership';
import {
  createGroupWaker,
  createIntake,
  createMessageSettler,
  createReceipts,
  createWebhookWaker,
  type Intake,
  openFileBucket,
  type Receipts,
  spoolDirOf,
} from '@notify/dispatch';
import { createMediaClient } from '@notify/egress';
import { createSchemaCheck, observe } from '@notify/operations';
import { openWaker, partitionsOf, type Waker, type WakerOptions } from '@notify/queue';
import { createSecrets, every, type Log, queueSettings, type Secrets, type Settings } from '@notify/runtime';
import type { CreateConnection, OwnedConnection } from './connection.ts';
import { Holdings, type HoldingsOptions } from './holdings.ts';
import { type LeaseMeasures, Leases } from './leases.ts';
import { openOwnedTurns, type SendingOver } from './turns.ts';

/** The interval of the look at accounts that changed, which finds lost wakes, and of the check of all connections, in ms. */
const lookEveryMs = 5_000;

/** What `open` may use. */
export interface OwnerParts<C extends OwnedConnection> {
  readonly settings: Settings;
  readonly log: Log;
  readonly db: Db;
  readonly secrets: Secrets;
  /** The settings of an HTTP client of this process. */
  readonly egress: Egress;
  readonly receipts: Receipts;
  readonly intake: Intake;
  /** This process, with a new id at every start. */
  readonly ownerId: string;
  /** The connection of an account, if this process holds its partition. */
  readonly connectionOf: (accountId: string) => C | null;
  /** All connections of this process. */
  readonly connections: () => C[];
  /** The account can send again, so its turn is due. */
  readonly wake: (accountId: string) => void;
  /** A write found that the lease is lost. Cuts the connections of the partition before it returns. */
  readonly lose: (lease: PartitionLease) => void;
}

/** What one process does with the connections of its lane. */
export interface OwnerWork<C extends OwnedConnection> extends SendingOver<C> {
  readonly create: CreateConnection<C>;
  /** Ends what `open` has started beside connections. Default: nothing. */
  readonly close?: () => Promise<void>;
}

export interface OwnerOptions<C extends OwnedConnection> extends Pick<
  HoldingsOptions<C>,
  'accounts' | 'notChecked'
> {
  readonly lane: OwnedLane;
  readonly settings: Settings;
  readonly log: Log;
  /** Servers that the process calls see it. */
  readonly version: string;
  /** The setting with the number of partitions, for operators. */
  readonly partitionsSetting: string;
  readonly measures: LeaseMeasures;
  /** Called once, when the stores are open. */
  open(parts: OwnerParts<C>): OwnerWork<C>;
}

/** A process that holds connections. */
export interface RunningOwner {
  /** The port of `/healthz` and `/readyz`. */
  readonly healthPort: number | null;
  /** Hands every connection over, and closes everything. */
  close(): Promise<void>;
}

type Egress = Omit<Parameters<typeof createMediaClient>[0], 'spoolDir'>;

/** Starts sharing the connections of a lane with the other processes of its kind. */
export async function startOwner<C extends OwnedConnection>(options: OwnerOptions<C>): Promise<RunningOwner> {
  const { lane, settings, log, version } = options;
  const name = ownedLanes[lane];
  const onError = (error: Error): void => log.tell('connection-trouble', { err: error });
  const queue: WakerOptions = { ...queueSettings(settings), onError };
  const pool = { applicationName: `notify-${name}`, onIdleError: onError };
  const db = openDb(settings, {
    ...pool,
    maxConnections: settings.databaseConnections,
    queryTimeoutMs: 30_000,
  });
  // A separate pool, so that other queries cannot delay the renewal of leases.
  const leaseDb = openDb(settings, {
    ...pool,
    maxConnections: 2,
    connectTimeoutMs: 2_000,
    queryTimeoutMs: 3_000,
  });
  const waker = openWaker({ ...queue, onMoved: (masters) => log.tell('redis-moved', { masters }) });
  const egress: Egress = {
    allowPrivate: settings.allowPrivateWebhooks,
    allow: settings.egressAllow,
    proxy: settings.egressProxy,
    userAgent: `Notify/${version}`,
  };
  const media = createMediaClient({ ...egress, spoolDir: spoolDirOf(settings) });
  const objects = openFileBucket(settings, log, version);
  let work: Sharing | null = null;
  const observed = await observe({
    name,
    version,
    settings,
    log,
    checks: {
      postgres: createSchemaCheck(db, log),
      queue: () => waker.ping(),
      turns: async () => work?.demandTaking(),
      partitions: async () => work?.demandPartitions(),
    },
    required: ['postgres', 'queue', 'turns'],
  });
  work = startSharing(options, { queue, db, leaseDb, waker, media, objects, egress });
  return {
    healthPort: observed.healthPort,
    async close() {
      await work?.close();
      await Promise.all([observed.close(), waker.close(), media.close(), objects?.close()]);
      await Promise.all([db.destroy(), leaseDb.destroy()]);
    },
  };
}

interface Stores {
  readonly queue: WakerOptions;
  readonly db: Db;
  readonly leaseDb: Db;
  readonly waker: Waker;
  readonly media: ReturnType<typeof createMediaClient>;
  readonly objects: ReturnType<typeof openFileBucket>;
  readonly egress: Egress;
}

interface Sharing {
  /** Throws if this process can get no partition, and so no connection. */
  demandPartitions(): void;
  /** Throws if the queue answers the turns of a held partition no more. */
  demandTaking(): void;
  close(): Promise<void>;
}

/** The leases, the connections and their turns. */
function startSharing<C extends OwnedConnection>(options: OwnerOptions<C>, stores: Stores): Sharing {
  const { lane, settings, log, accounts, notChecked } = options;
  const { db, waker } = stores;
  const partitions = partitionsOf(lane, stores.queue);
  const secrets = createSecrets(settings.masterKeys);
  const wakeWebhooks = createWebhookWaker(waker, log);
  const wakeGroups = createGroupWaker(waker, log);
  const receipts = createReceipts({ db, log, wakeWebhooks, wakeGroups });
  const settle = createMessageSettler({ db, log, wakeWebhooks, wakeGroups, receipts });
  const ownerId = randomUUID();
  const connectionOf = (accountId: string): C | null => holdings.connectionOf(accountId);
  const opened = options.open({
    settings,
    log,
    db,
    secrets,
    egress: stores.egress,
    receipts,
    intake: createIntake({ db, log, wakeWebhooks }),
    ownerId,
    connectionOf,
    connections: () => holdings.all(),
    wake(accountId) {
      waker
        .wake('dispatch', lane, accountId)
        .catch((error: unknown) => log.tell('wake-left', { err: error, accountId }));
    },
    lose: (lease) => leases.lose(lease),
  });
  const turns = openOwnedTurns({
    ...stores,
    ...opened,
    lane,
    settings,
    partitions,
    log,
    secrets,
    settle,
    wakeWebhooks,
    wakeGroups,
    connectionOf,
  });
  const holdings = new Holdings({ db, log, turns, partitions, accounts, notChecked, create: opened.create });
  const leases = new Leases({
    db: stores.leaseDb,
    log,
    owner: { lane, id: ownerId, partitions },
    setting: options.partitionsSetting,
    measures: options.measures,
    onTaken: (lease) => holdings.take(lease),
    onGiven: (lease) => holdings.give(lease),
    onLost: (lease) => holdings.lose(lease),
  });
  const periodic = [
    every('look-for-connections', lookEveryMs, async () => holdings.look(await accounts.toLookAt(db)), log),
    every('tend-connections', lookEveryMs, () => holdings.tend(), log),
  ];
  return {
    demandPartitions: () => leases.demandUse(),
    demandTaking: () => turns.demandTaking(),
    async close() {
      await Promise.all([leases.close(), opened.close?.()]);
      await Promise.all(periodic.map((one) => one.close()));
      await turns.close();
      receipts.close();
    },
  };
}

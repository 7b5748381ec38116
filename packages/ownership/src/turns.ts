import { type Adapter, adapters as described, type ProviderHttp } from '@notify/channels';
import type { OwnedLane } from '@notify/core';
import { nextDue } from '@notify/db/dispatch';
import { createClaimer, type DispatchDeps, dispatchWork } from '@notify/dispatch';
import type { HttpClient } from '@notify/egress';
import type { WakerOptions } from '@notify/queue';
import type { Settings } from '@notify/runtime';
import { createPermits, type LaneTurns, openLane } from '@notify/turns';
import type { OwnedConnection } from './connection.ts';

/** How the turns of one lane send over its connections. */
export interface SendingOver<C extends OwnedConnection> {
  /** The adapter of one account's turns. It sends over this connection. */
  readonly adapterOf: (connection: C) => Adapter;
  /** The claims that may go now; gives the others back. Default: all go. */
  readonly admit?: (claims: Claims, connection: C) => Promise<Claims>;
}

/** Claimed messages of one account. */
export type Claims = Parameters<NonNullable<DispatchDeps['admit']>>[0];

export interface OwnedTurnsOptions<C extends OwnedConnection>
  extends
    SendingOver<C>,
    Pick<
      DispatchDeps,
      'db' | 'log' | 'secrets' | 'media' | 'objects' | 'settle' | 'wakeWebhooks' | 'wakeGroups'
    > {
  readonly lane: OwnedLane;
  readonly settings: Pick<Settings, 'maxMediaInFlight' | 'receiptWaitMs'>;
  /** The number of partitions of the lane. */
  readonly partitions: number;
  readonly queue: WakerOptions;
  /** The connection of an account, if this process holds its partition. */
  readonly connectionOf: (accountId: string) => C | null;
}

/** Turns of one partition at once: the number of accounts that can wait for the provider's answer. */
const slotsPerPartition = 64;

/** Takes the turns of accounts whose connections this process holds: looks at the account, then sends due messages. */
export function openOwnedTurns<C extends OwnedConnection>(options: OwnedTurnsOptions<C>): LaneTurns {
  const { lane, db, log, settings, queue, connectionOf, adapterOf, admit } = options;
  // Each account sends few messages at a time, so the number of turns limits the calls.
  const callsInFlight = slotsPerPartition * options.partitions;
  const deps: Omit<DispatchDeps, 'adapters'> = {
    db,
    log,
    secrets: options.secrets,
    http: noHttp,
    media: options.media,
    objects: options.objects,
    claim: createClaimer(db, lane, described),
    mediaInFlight: createPermits(settings.maxMediaInFlight),
    maxInFlightOf: new Map(),
    settle: options.settle,
    wakeWebhooks: options.wakeWebhooks,
    wakeGroups: options.wakeGroups,
    receiptWaitMs: settings.receiptWaitMs,
    publicUrl: null,
    providerUrls: [],
    random: Math.random,
  };
  return openLane({
    ...queue,
    kind: 'dispatch',
    lane,
    slots: callsInFlight,
    permits: createPermits(callsInFlight),
    mediaPermits: deps.mediaInFlight,
    async work(id) {
      const connection = connectionOf(id);
      if (connection === null) return null;
      await connection.look();
      const adapter = adapterOf(connection);
      return dispatchWork(id, {
        ...deps,
        adapters: new Map([[adapter.id, adapter]]),
        ...(admit && { admit: (claims: Claims) => admit(claims, connection) }),
      });
    },
    nextDue: (ids) => nextDue(db, ids),
    log,
  });
}

const noClient: HttpClient = {
  request: () => Promise.reject(new Error('accounts with a connection of their own call nobody by HTTP')),
  stream: () => Promise.reject(new Error('accounts with a connection of their own call nobody by HTTP')),
  close: async () => undefined,
};
const noHttp: ProviderHttp = { of: () => noClient, close: async () => undefined };

import { adapters as described, type ProviderHttp } from '@notify/channels';
import { whatsappWeb } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { nextDue } from '@notify/db/dispatch';
import {
  createClaimer,
  type DispatchDeps,
  dispatchWork,
  type WakeGroups,
  type WakeWebhooks,
} from '@notify/dispatch';
import type { HttpClient, MediaClient, ObjectStore } from '@notify/egress';
import type { WakerOptions } from '@notify/queue';
import type { Log, Secrets, Settings } from '@notify/runtime';
import { createPermits, type LaneTurns, openLane } from '@notify/turns';
import type { Device } from './devices/device.ts';
import { adapterOver } from './sending/adapter.ts';
import { admitWithCare } from './sending/care.ts';

export interface DeviceTurnsOptions {
  readonly db: Db;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly media: MediaClient;
  readonly objects: ObjectStore | null;
  readonly settings: Settings;
  readonly queue: WakerOptions;
  readonly settle: DispatchDeps['settle'];
  readonly wakeWebhooks: WakeWebhooks;
  readonly wakeGroups: WakeGroups;
  /** The device of an account, if this process holds its partition. */
  readonly deviceOf: (accountId: string) => Device | null;
}

/** Turns of one partition at once: the number of accounts that can wait for WhatsApp's answer. */
const slotsPerPartition = 64;

/** Takes the turns of linked devices: reads the account's link requests, then sends due messages. */
export function openDeviceTurns(options: DeviceTurnsOptions): LaneTurns {
  const { db, log, secrets, settings, queue, deviceOf } = options;
  // Each account sends one message at a time, so the number of turns limits the calls.
  const callsInFlight = slotsPerPartition * settings.whatsappPartitions;
  const deps: Omit<DispatchDeps, 'adapters'> = {
    db,
    log,
    secrets,
    http: noHttp,
    media: options.media,
    objects: options.objects,
    claim: createClaimer(db, 'whatsapp-web', described),
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
    lane: 'whatsapp-web',
    slots: callsInFlight,
    permits: createPermits(callsInFlight),
    mediaPermits: deps.mediaInFlight,
    async work(id) {
      const device = deviceOf(id);
      if (device === null) return null;
      await device.look();
      const adapters = new Map([
        [whatsappWeb, adapterOver(device, { db, log, ackMs: settings.whatsappAckMs, random: Math.random })],
      ]);
      const care = { db, secrets, isOpen: () => device.live !== null };
      return dispatchWork(id, { ...deps, adapters, admit: (claims) => admitWithCare(claims, care) });
    },
    nextDue: (ids) => nextDue(db, ids),
    log,
  });
}

const noClient: HttpClient = {
  request: () => Promise.reject(new Error('linked devices call nobody by HTTP')),
  stream: () => Promise.reject(new Error('linked devices call nobody by HTTP')),
  close: async () => undefined,
};
const noHttp: ProviderHttp = { of: () => noClient, close: async () => undefined };

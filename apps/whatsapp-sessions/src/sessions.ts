import { whatsappWeb } from '@notify/db/accounts';
import { withSweepLock } from '@notify/db/maintenance';
import { devicesToLookAt, dropOldSent, goneDevices, listDevices, takeOverDevices } from '@notify/db/whatsapp';
import { createHttpClient } from '@notify/egress';
import { type OwnerParts, type OwnerWork, type RunningOwner, startOwner } from '@notify/ownership';
import { every, type Log, type Settings } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import { mendLibrary } from './connection/library.ts';
import { Device } from './devices/device.ts';
import type { DeviceDeps } from './devices/device-deps.ts';
import { createDeviceTurns } from './devices/device-turns.ts';
import { startFileRelay } from './files/relay.ts';
import { createInboundWriter } from './inbound/writer.ts';
import { adapterOver } from './sending/adapter.ts';
import { admitWithCare } from './sending/care.ts';
import { createReceiptWriter } from './sending/receipts.ts';
import { startTellRelay } from './telling/relay.ts';

const dropEveryMs = 3_600_000;

/** Starts sharing the linked devices with the other processes. File servers see `version`. */
export function startWhatsappSessions(settings: Settings, log: Log, version: string): Promise<RunningOwner> {
  mendLibrary(settings.whatsappWebRootKey);
  return startOwner<Device>({
    lane: whatsappWeb,
    settings,
    log,
    version,
    partitionsSetting: 'WHATSAPP_PARTITIONS',
    measures: {
      showHeld: (held) => metrics.devices.leased.read({}, held),
      countTaken: (from) => metrics.devices.leases.inc({ reason: from }),
    },
    notChecked: 'device-not-checked',
    accounts: {
      list: listDevices,
      toLookAt: devicesToLookAt,
      gone: goneDevices,
      takeOver: takeOverDevices,
    },
    open: openDevices,
  });
}

function openDevices(parts: OwnerParts<Device>): OwnerWork<Device> {
  const { db, log, secrets, settings } = parts;
  const sending = { db, log, ackMs: settings.whatsappAckMs, random: Math.random };
  const deps = deviceDeps(parts);
  const beside = startBesideDevices(parts);
  return {
    create: (accountId, lease) => new Device(accountId, lease, deps),
    adapterOf: (device) => adapterOver(device, sending),
    admit: (claims, device) => admitWithCare(claims, { db, secrets, isOpen: () => device.live !== null }),
    close: () => beside.close(),
  };
}

function deviceDeps(parts: OwnerParts<Device>): DeviceDeps {
  const { db, log, secrets, settings, receipts, intake } = parts;
  return {
    db,
    log,
    secrets,
    url: settings.whatsappWebUrl,
    version: settings.whatsappWebVersion,
    keepAliveMs: settings.whatsappKeepAliveMs,
    ackMs: settings.whatsappAckMs,
    random: Math.random,
    ...createDeviceTurns(),
    onConnected: parts.wake,
    onReceipts: createReceiptWriter(db, log, receipts),
    onMessage: createInboundWriter({ db, log, secrets, intake }),
    onLost: parts.lose,
  };
}

/** What serves the api beside sends, and what shows and sweeps devices. */
function startBesideDevices(parts: OwnerParts<Device>): { close(): Promise<void> } {
  const { db, log, secrets, settings, ownerId: holder, connectionOf: deviceOf } = parts;
  const http = createHttpClient(parts.egress);
  const files = startFileRelay({ db, log, secrets, holder, http, mediaUrl: settings.whatsappMediaUrl });
  const tells = startTellRelay({ db, log, holder, deviceOf });
  const dropping = every(
    'drop-old-sent-messages',
    dropEveryMs,
    async () => void (await withSweepLock(db, 'whatsapp-sent', async () => void (await dropOldSent(db)))),
    log,
  );
  const count = (state: string): number =>
    parts.connections().filter(({ activity }) => activity === state).length;
  const shown = metrics.deviceStates.map((state) =>
    metrics.devices.byState.read({ state }, () => count(state)),
  );
  return {
    async close() {
      await Promise.all([files.close(), tells.close(), dropping.close()]);
      await http.close();
      for (const end of shown) end();
    },
  };
}

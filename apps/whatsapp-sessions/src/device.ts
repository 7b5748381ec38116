import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@notify/core';
import {
  changeLink,
  type Db,
  type DeviceRow,
  type DeviceState,
  findDevice,
  forgetDevice,
  type LinkChange,
  linkPlace,
  type PartitionLease,
  restrictDevice,
  saveDataKey,
  tellDeviceState,
} from '@notify/db';
import { createSecrets, type Log, type Secrets } from '@notify/runtime';
import { type AuthenticationCreds, initAuthCreds } from '@whiskeysockets/baileys';
import { afterClose, type CloseCode, linkingFailure } from './close-codes.ts';
import { type DeviceStore, openCreds, openDeviceStore } from './device-store.ts';
import { type DeviceSocket, openSocket, type Report } from './socket.ts';

export interface DeviceDeps {
  readonly db: Db;
  readonly log: Log;
  /** Of the master key. */
  readonly secrets: Secrets;
  readonly url: string | null;
  readonly version: readonly [number, number, number] | null;
  readonly keepAliveMs: number;
  readonly random: Random;
  /** Waits for its turn to connect, so that not all do at once; to be called when the connection stands or fell. */
  readonly turnToConnect: () => Promise<() => void>;
  /** The account can send again. */
  readonly onConnected: (accountId: string) => void;
  readonly onReports: (accountId: string, reports: readonly Report[]) => void;
  /** A write found that the partition's lease is lost. */
  readonly onLost: (lease: PartitionLease) => void;
}

/** One account's device, while this process holds its partition. */
export interface Device {
  readonly accountId: string;
  /** Its connection, where it has one that is open, and where its messages are kept. */
  readonly live: { readonly socket: DeviceSocket; readonly store: DeviceStore } | null;
  /** Reads the account's row and does what it asks for; resolves without waiting for a connection. */
  look(): Promise<void>;
  /** Makes the connection anew where WhatsApp has not been heard for too long. */
  demandSignOfLife(): void;
  /** WhatsApp said that the account may not write to new contacts for now. */
  restrict(): Promise<void>;
  /** Ends the connection and waits for what is being written. */
  end(): Promise<void>;
  /** Ends the connection before it returns. Nothing is written any more. */
  cut(): void;
}

/** How much longer than between two signs of life WhatsApp may be silent, in ms. */
const silenceMs = 15_000;
const restrictionMs = 86_400_000;
/** A pairing code holds as long as the QR codes it stands in for: 60 s and five times 20 s. */
const codeForMs = 160_000;

/** What a device is doing: being linked, or keeping its connection. */
interface Doing {
  readonly what: 'linking' | 'connected';
  readonly phone: string | null;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** A device that does nothing until it looks. */
export function createDevice(accountId: string, lease: PartitionLease, deps: DeviceDeps): Device {
  const { db, log, random } = deps;
  let doing: Doing | null = null;
  let current: { socket: DeviceSocket; store: DeviceStore } | null = null;
  let shown = false;
  let ended = false;
  let looking: Promise<void> = Promise.resolve();

  const lost = (): void => deps.onLost(lease);

  async function demand(work: Promise<boolean>): Promise<void> {
    if (await work) return;
    lost();
    throw new Error('the lease of this device is lost');
  }

  const tell = (state: DeviceState): Promise<void> => demand(tellDeviceState(db, lease, accountId, state));
  const change = (link: LinkChange): Promise<void> => demand(changeLink(db, lease, accountId, link));

  async function lookNow(): Promise<void> {
    if (ended) return;
    const row = await findDevice(db, accountId);
    if (row === null || row.removed) return remove(row);
    if (row.wanted === 'unlink') return unlink(row, 'idle', null);
    if (row.linked) return keepLinked(row);
    if (row.wanted === 'link' && !isLinkingFor(row)) await beginLinking(row);
  }

  /** The same request as the one that is being served, and not a new one, which begins at `idle`. */
  function isLinkingFor(row: DeviceRow): boolean {
    return doing?.what === 'linking' && doing.phone === row.wantedPhone && (row.step !== 'idle' || !shown);
  }

  async function keepLinked(row: DeviceRow): Promise<void> {
    if (row.wanted === 'link') await change({ wanted: null });
    if (doing !== null || row.creds === null || row.dataKey === null) return;
    const secrets = dataSecrets(deps.secrets.open(row.dataKey, dataKeyPlace(row, accountId)));
    const creds = openCreds({ tenantId: row.tenantId, accountId, secrets }, row.creds);
    begin('connected', null, (signal) => keepConnected(row, creds, storeOf(row, secrets), signal));
  }

  async function beginLinking(row: DeviceRow): Promise<void> {
    await stopDoing();
    const key = randomBytes(32).toString('base64');
    const sealed = deps.secrets.seal(key, dataKeyPlace(row, accountId));
    await demand(saveDataKey(db, lease, accountId, sealed));
    const store = storeOf(row, dataSecrets(key));
    shown = false;
    begin('linking', row.wantedPhone, (signal) => link(row, store, signal));
  }

  function begin(
    what: Doing['what'],
    phone: string | null,
    work: (signal: AbortSignal) => Promise<void>,
  ): void {
    const stop = new AbortController();
    const done = work(stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn({ err: error, accountId, what }, 'device stopped');
      })
      .finally(() => {
        if (doing?.stop === stop) doing = null;
      });
    doing = { what, phone, stop, done };
  }

  async function stopDoing(): Promise<void> {
    const { stop, done } = doing ?? {};
    stop?.abort();
    current?.socket.cut(428);
    await done;
  }

  /** One connection from beginning to end. `onOpen` may not fail: what it does is awaited before the end is told. */
  async function connect(
    creds: AuthenticationCreds,
    store: DeviceStore,
    on: { onQr?(qr: string, forMs: number): Promise<void>; onOpen?(): Promise<void> },
    signal: AbortSignal,
  ): Promise<{ code: CloseCode; wasOpen: boolean }> {
    const release = await deps.turnToConnect();
    if (signal.aborted) {
      release();
      return { code: 428, wasOpen: false };
    }
    let wasOpen = false;
    let told: Promise<void> = Promise.resolve();
    const then = (work: () => Promise<void>): void => {
      told = told.then(work).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error, accountId }, 'device could not tell its state');
        socket.cut(428);
      });
    };
    const socket = openSocket({
      creds,
      store,
      url: deps.url,
      version: deps.version,
      keepAliveMs: deps.keepAliveMs,
      events: {
        onQr: (qr, forMs) => {
          release();
          then(() => on.onQr?.(qr, forMs) ?? Promise.resolve());
        },
        onCreds: () => {
          // Before the phone has signed them they are worth nothing.
          if (creds.account !== undefined) then(() => store.saveCreds(creds));
        },
        onOpen: () => {
          wasOpen = true;
          release();
          then(() => on.onOpen?.() ?? Promise.resolve());
        },
        onReports: (reports) => deps.onReports(accountId, reports),
        onRestricted: (until) => then(() => demand(restrictDevice(db, lease, accountId, until))),
      },
    });
    current = { socket, store };
    const code = await socket.closed;
    release();
    current = null;
    await told;
    await store.settled();
    return { code, wasOpen };
  }

  async function link(row: DeviceRow, store: DeviceStore, signal: AbortSignal): Promise<void> {
    const creds = initAuthCreds();
    const phone = row.wantedPhone;
    const show = async (step: 'display-qr' | 'display-code', text: string, forMs: number): Promise<void> => {
      shown = true;
      const sealed = deps.secrets.seal(text, linkPlace(row.tenantId, accountId));
      await change({ step, shown: { sealed, forMs }, reason: null });
    };
    const onQr = async (qr: string, forMs: number): Promise<void> => {
      if (signal.aborted) return;
      if (phone === null) return show('display-qr', qr, forMs);
      if (!shown && current !== null)
        await show('display-code', await current.socket.requestCode(phone), codeForMs);
    };
    const { code } = await connect(creds, store, { onQr }, signal);
    if (signal.aborted) return;
    if (creds.account === undefined) {
      log.info({ accountId, code }, 'linking ended without a phone');
      await change({ step: 'failed', shown: null, reason: linkingFailure(code), wanted: null });
      return;
    }
    log.info({ accountId }, 'device linked');
    await change({ shown: null, wanted: null });
    await keepConnected(row, creds, store, signal);
  }

  async function keepConnected(
    row: DeviceRow,
    creds: AuthenticationCreds,
    store: DeviceStore,
    signal: AbortSignal,
  ): Promise<void> {
    const onOpen = async (): Promise<void> => {
      log.info({ accountId }, 'device connected');
      const phone = /^\d+/.exec(creds.me?.id ?? '')?.[0] ?? null;
      await change({ step: 'connected', shown: null, reason: null, phone });
      await tell({ status: 'connected', detail: null });
      deps.onConnected(accountId);
    };
    for (let failures = 1; !signal.aborted; failures += 1) {
      const { code, wasOpen } = await connect(creds, store, { onOpen }, signal);
      if (signal.aborted) return;
      if (wasOpen) failures = 1;
      log.info({ accountId, code, failures }, 'device disconnected');
      const next = afterClose(code, failures, random);
      if (next.kind === 'forget') return forget({ step: 'idle', reason: null, detail: next.detail });
      if (next.kind === 'stop') return tell({ status: 'action-required', detail: next.detail });
      if (next.state !== null) await tell(next.state);
      await delay(next.afterMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async function remove(row: DeviceRow | null): Promise<void> {
    if (row === null) return endNow();
    if (row.linked || doing !== null) await unlink(row, 'idle', null);
  }

  async function unlink(row: DeviceRow, step: 'idle', detail: string | null): Promise<void> {
    doing?.stop.abort();
    if (row.linked && current?.socket.isOpen) await current.socket.logOut();
    await stopDoing();
    await forget({ step, reason: null, detail });
    log.info({ accountId }, 'device unlinked');
  }

  function forget(why: Parameters<typeof forgetDevice>[3]): Promise<void> {
    return demand(forgetDevice(db, lease, accountId, why));
  }

  async function endNow(): Promise<void> {
    ended = true;
    await stopDoing();
  }

  function storeOf(row: DeviceRow, secrets: Secrets): DeviceStore {
    return openDeviceStore({ db, lease, tenantId: row.tenantId, accountId, secrets, onLost: lost });
  }

  return {
    accountId,
    get live() {
      return current?.socket.isOpen === true ? current : null;
    },
    look() {
      looking = looking.catch(() => undefined).then(lookNow);
      return looking;
    },
    demandSignOfLife() {
      if (current !== null && performance.now() - current.socket.heardAt > deps.keepAliveMs + silenceMs)
        current.socket.cut('frozen');
    },
    restrict: () => demand(restrictDevice(db, lease, accountId, { forMs: restrictionMs })),
    end: endNow,
    cut() {
      ended = true;
      doing?.stop.abort();
      current?.socket.cut(428);
    },
  };
}

function dataSecrets(key: string): Secrets {
  return createSecrets([{ version: 1, key: Buffer.from(key, 'base64') }]);
}

function dataKeyPlace({ tenantId }: DeviceRow, accountId: string) {
  return { tenantId, table: 'whatsapp_links', row: accountId, column: 'data_key' };
}

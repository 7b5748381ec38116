import type { Log } from '@notify/runtime';
import type { AuthenticationCreds } from '@whiskeysockets/baileys';
import type { DeviceStore } from '../devices/device-store.ts';
import type { DeviceTurns } from '../devices/device-turns.ts';
import type { HistoryNotice } from '../history/file.ts';
import { HistoryImporter } from '../history/importer.ts';
import type { ReadMessage } from '../inbound/read.ts';
import type { DeviceReceipt } from '../sending/message-updates.ts';
import type { Closed } from './close-codes.ts';
import { type DeviceSocket, openSocket } from './socket.ts';
import type { TimeLock } from './time-lock.ts';

export interface ConnectionDeps extends DeviceTurns {
  readonly log: Log;
  readonly url: string | null;
  readonly version: readonly [number, number, number] | null;
  /** The interval between keep-alive queries to WhatsApp. */
  readonly keepAliveMs: number;
  /** The longest wait for its answer to a message. */
  readonly ackMs: number;
}

export interface ConnectionOptions {
  readonly accountId: string;
  readonly creds: AuthenticationCreds;
  readonly store: DeviceStore;
  /** Ends the connection at any time. */
  readonly signal: AbortSignal;
  /** The connection has begun. */
  onBegun(socket: DeviceSocket): void;
  /** The callbacks below are written to the database in order. If a write fails, the connection ends. */
  onQr?(qr: string, forMs: number): Promise<void>;
  onOpen?(): Promise<void>;
  onTimeLock(lock: TimeLock): Promise<void>;
  onReceipts(receipts: readonly DeviceReceipt[]): void;
  /** Commits a message that a person wrote. If it rejects, the connection ends. */
  onMessage(message: ReadMessage): Promise<void>;
}

export interface ConnectionEnd extends Closed {
  /** How long the connection was open, in ms. */
  readonly openMs: number;
}

/** Runs one connection from its beginning to its end. Resolves when all its writes are done. */
export async function runConnection(
  options: ConnectionOptions,
  deps: ConnectionDeps,
): Promise<ConnectionEnd> {
  const { accountId, creds, store, signal } = options;
  const connected = await deps.turnToConnect(
    store.tenantId,
    creds.account !== undefined && creds.nextPreKeyId === 1,
  );
  let openedAt: number | null = null;
  let written: Promise<void> = Promise.resolve();

  function write(work: () => Promise<void> | undefined): void {
    written = written.then(work).catch((error: unknown) => {
      if (!signal.aborted) deps.log.tell('device-state-not-written', { err: error, accountId });
      socket.cut(428);
    });
  }

  if (signal.aborted) {
    connected();
    return { code: 428, ban: null, wasOpen: false, openMs: 0 };
  }
  const histories = importer(options, deps, () => socket.mediaHost());
  const events = {
    onQr(qr: string, forMs: number) {
      connected();
      write(() => options.onQr?.(qr, forMs));
    },
    onCreds() {
      // Credentials are worthless before the phone has signed them.
      if (creds.account !== undefined) write(() => store.saveCreds(creds));
    },
    onOpen() {
      openedAt = performance.now();
      connected();
      histories.begin();
      write(() => options.onOpen?.());
    },
    onReceipts: (receipts: readonly DeviceReceipt[]) => options.onReceipts(receipts),
    onMessage: (message: ReadMessage) => options.onMessage(message),
    onHistory: (id: string, notice: HistoryNotice) => histories.add(id, notice),
    onTimeLock: (lock: TimeLock) => write(() => options.onTimeLock(lock)),
  };
  const socket = openSocket({ ...deps, creds, store, events });
  options.onBegun(socket);
  const code = await socket.closed;
  const openMs = openedAt === null ? 0 : performance.now() - openedAt;
  connected();
  await Promise.all([histories.end(), written]);
  await store.settled();
  return { code, ban: socket.ban, wasOpen: openedAt !== null, openMs };
}

function importer(
  { accountId, store }: ConnectionOptions,
  { turnToRead, log }: ConnectionDeps,
  host: () => Promise<string>,
): HistoryImporter {
  return new HistoryImporter({
    accountId,
    tenantId: store.tenantId,
    pending: store.histories,
    keys: store.keys,
    host,
    turnToRead,
    log,
  });
}

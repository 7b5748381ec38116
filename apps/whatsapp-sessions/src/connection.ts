import type { Log } from '@notify/runtime';
import type { AuthenticationCreds } from '@whiskeysockets/baileys';
import type { Closed } from './close-codes.ts';
import type { DeviceStore } from './device-store.ts';
import type { HistoryNotice } from './history/file.ts';
import { HistoryImporter } from './history/importer.ts';
import type { Report } from './reports.ts';
import { type DeviceSocket, openSocket } from './socket.ts';
import type { TimeLock } from './time-lock.ts';

export interface ConnectionDeps {
  readonly log: Log;
  readonly url: string | null;
  readonly version: readonly [number, number, number] | null;
  /** How often WhatsApp is asked for a sign of life. */
  readonly keepAliveMs: number;
  /** How long its answer to a message is waited for. */
  readonly ackMs: number;
  /** Waits for its turn to read what a phone tells of its chats; the result is called when that is done. */
  readonly turnToRead: () => Promise<() => void>;
  /**
   * Waits for its turn to connect, so that not all do at once; the result is called when that is done. A first login
   * makes 812 keys before anything else gets a turn in this process.
   */
  readonly turnToConnect: (isFirstLogin: boolean) => Promise<() => void>;
}

export interface ConnectionOptions {
  readonly accountId: string;
  readonly creds: AuthenticationCreds;
  readonly store: DeviceStore;
  /** Ends it, at any time. */
  readonly signal: AbortSignal;
  /** The connection has begun. */
  onBegun(socket: DeviceSocket): void;
  /** What follows is written in the order it came; where that fails, the connection ends. */
  onQr?(qr: string, forMs: number): Promise<void>;
  onOpen?(): Promise<void>;
  onTimeLock(lock: TimeLock): Promise<void>;
  onReports(reports: readonly Report[]): void;
}

export interface ConnectionEnd extends Closed {
  /** How long it was open, in ms. */
  readonly openMs: number;
}

/** One connection from its beginning to its end. Resolves when nothing of it is being written any more. */
export async function runConnection(
  options: ConnectionOptions,
  deps: ConnectionDeps,
): Promise<ConnectionEnd> {
  const { accountId, creds, store, signal } = options;
  const connected = await deps.turnToConnect(creds.account !== undefined && creds.nextPreKeyId === 1);
  let openedAt: number | null = null;
  let written: Promise<void> = Promise.resolve();

  function write(work: () => Promise<void> | undefined): void {
    written = written.then(work).catch((error: unknown) => {
      if (!signal.aborted) deps.log.warn({ err: error, accountId }, 'device state not written');
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
      // Before the phone has signed them they are worth nothing.
      if (creds.account !== undefined) write(() => store.saveCreds(creds));
    },
    onOpen() {
      openedAt = performance.now();
      connected();
      histories.begin();
      write(() => options.onOpen?.());
    },
    onReports: (reports: readonly Report[]) => options.onReports(reports),
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
    pending: store.histories,
    keys: store.keys,
    host,
    turnToRead,
    log,
  });
}

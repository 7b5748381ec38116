import type { ReceiptStatus } from '@notify/core';
import {
  type AnyMessageContent,
  type AuthenticationCreds,
  Browsers,
  generateWAMessage,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  makeWASocket,
  type proto,
  type UserFacingSocketConfig,
} from '@whiskeysockets/baileys';
import type { Ack } from './ack.ts';
import type { CloseCode } from './close-codes.ts';
import type { DeviceStore } from './device-store.ts';
import { noLog } from './library.ts';
import { reportsOf } from './reports.ts';

/** What a message that was sent has come to at its recipient. */
export interface Report {
  /** WhatsApp's id of the message. */
  readonly id: string;
  readonly status: Extract<ReceiptStatus, 'delivered' | 'read'>;
}

/** What a connection tells while it lasts. */
export interface SocketEvents {
  /** A QR code to show, one after the other, and how long it holds, in ms. */
  onQr?(qr: string, forMs: number): void;
  /** The credentials have changed. */
  onCreds(): void;
  /** WhatsApp has taken the device in; from here on messages can be sent. */
  onOpen(): void;
  onReports(reports: readonly Report[]): void;
  /** WhatsApp has said until when it takes no messages to new contacts. */
  onRestricted(until: Date): void;
}

export interface SocketOptions {
  readonly creds: AuthenticationCreds;
  readonly store: DeviceStore;
  readonly url: string | null;
  readonly version: readonly [number, number, number] | null;
  readonly keepAliveMs: number;
  readonly events: SocketEvents;
}

/** One connection of one device, from its beginning to its end; every reconnection is another. */
export interface DeviceSocket {
  /** WhatsApp has taken the device in, and the connection stands. */
  readonly isOpen: boolean;
  /** When WhatsApp was last heard, by `performance.now()`. */
  readonly heardAt: number;
  /** Resolves, and never rejects, when the connection has ended. */
  readonly closed: Promise<CloseCode>;
  /** The JID of a phone number, null where it is not on WhatsApp. Rejects when that cannot be found out now. */
  lookUp(phone: string): Promise<string | null>;
  /** Whether the recipient has a device to encrypt for; `fresh` asks WhatsApp in any case. */
  hasDevice(jid: string, fresh: boolean): Promise<boolean>;
  /** Makes the message, its file encrypted and uploaded. */
  prepare(jid: string, content: AnyMessageContent, id: string): Promise<proto.IMessage>;
  /** Encrypts and writes it. */
  relay(jid: string, message: proto.IMessage, id: string): Promise<void>;
  /** The server's answer to a message; null when none came within `withinMs`, or the connection ended. */
  ackOf(id: string, withinMs: number): Promise<Ack | null>;
  /** Asks for a code to be typed on the phone; to be called after the first QR. */
  requestCode(phone: string): Promise<string>;
  /** Has WhatsApp remove this device, as far as that can be had, and ends the connection. */
  logOut(): Promise<void>;
  /** Cuts the connection at once, because of `code`. */
  cut(code: CloseCode): void;
}

type Sock = ReturnType<typeof makeWASocket>;

const queryMs = 15_000;
const firstQrMs = 60_000;
const nextQrMs = 20_000;
const logOutMs = 3_000;

/** Opens a connection. It begins at once; what becomes of it, `events` and `closed` tell. */
export function openSocket(options: SocketOptions): DeviceSocket {
  const { events } = options;
  const sock = makeWASocket(configOf(options));
  const acks = new Map<string, (ack: Ack) => void>();
  const ended = Promise.withResolvers<CloseCode>();
  let cutBecause: CloseCode | null = null;
  let isOpen = false;
  let heardAt = performance.now();
  let qrMs = firstQrMs;

  sock.ws.on('frame', () => {
    heardAt = performance.now();
  });
  sock.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Record<string, string> }) => {
    acks.get(attrs['id'] ?? '')?.({ error: attrs['error'] ?? null });
  });
  sock.ev.on('creds.update', () => events.onCreds());
  sock.ev.on('messages.update', (updates) => events.onReports(reportsOf(updates)));
  sock.ev.on('connection.update', (update) => {
    if (update.qr !== undefined) {
      events.onQr?.(update.qr, qrMs);
      qrMs = nextQrMs;
    }
    if (update.reachoutTimeLock?.isActive && update.reachoutTimeLock.timeEnforcementEnds)
      events.onRestricted(update.reachoutTimeLock.timeEnforcementEnds);
    if (update.connection === 'open' && cutBecause === null) {
      isOpen = true;
      events.onOpen();
    }
    if (update.connection === 'close') end(cutBecause ?? codeOf(update.lastDisconnect?.error));
  });

  function end(code: CloseCode): void {
    isOpen = false;
    ended.resolve(code);
  }

  function cut(code: CloseCode): void {
    cutBecause ??= code;
    isOpen = false;
    // `sock.end()` would wait for the server to close its side, for up to 30 s.
    terminate(sock);
    void sock.end(undefined).then(
      () => end(code),
      () => end(code),
    );
  }

  return {
    get isOpen() {
      return isOpen;
    },
    get heardAt() {
      return heardAt;
    },
    closed: ended.promise,
    lookUp: (phone) => lookUp(sock, phone),
    hasDevice: async (jid, fresh) => (await sock.getUSyncDevices([jid], !fresh, false)).length > 0,
    async prepare(jid, content, id) {
      const made = await generateWAMessage(jid, content, {
        userJid: sock.user?.id ?? '',
        upload: sock.waUploadToServer,
        messageId: id,
        logger: noLog,
      });
      if (!made.message) throw new Error('Baileys made an empty message');
      return made.message;
    },
    async relay(jid, message, id) {
      await sock.relayMessage(jid, message, { messageId: id });
    },
    async ackOf(id, withinMs) {
      const answer = Promise.withResolvers<Ack | null>();
      acks.set(id, answer.resolve);
      const timer = setTimeout(() => answer.resolve(null), withinMs);
      void ended.promise.then(() => answer.resolve(null));
      try {
        return await answer.promise;
      } finally {
        clearTimeout(timer);
        acks.delete(id);
      }
    },
    requestCode: (phone) => sock.requestPairingCode(phone),
    async logOut() {
      const timer = setTimeout(() => cut(401), logOutMs);
      await sock.logout().catch(() => undefined);
      await ended.promise;
      clearTimeout(timer);
    },
    cut,
  };
}

function configOf({ creds, store, url, version, keepAliveMs }: SocketOptions): UserFacingSocketConfig {
  return {
    auth: { creds, keys: store.keys },
    ...(url === null ? {} : { waWebSocketUrl: url }),
    ...(version === null ? {} : { version: [...version] }),
    browser: Browsers.ubuntu('Chrome'),
    logger: noLog,
    // Else receipts are merged into messages of our own, and no update is ever told.
    emitOwnEvents: false,
    // Else the phone shows no notifications any more.
    markOnlineOnConnect: false,
    // We only send: no history, no groups, no status.
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    shouldIgnoreJid: (jid) =>
      isJidGroup(jid) === true || isJidBroadcast(jid) === true || isJidNewsletter(jid) === true,
    // What was sent is asked of the store, not kept in memory.
    enableRecentMessageCache: false,
    getMessage: async ({ id }) => (id ? store.findSent(id) : undefined),
    defaultQueryTimeoutMs: queryMs,
    keepAliveIntervalMs: keepAliveMs,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 200 },
  };
}

async function lookUp(sock: Sock, phone: string): Promise<string | null> {
  const found = await sock.onWhatsApp(phone);
  if (found === undefined) throw new Error('WhatsApp did not say whether the number exists');
  return found.find(({ exists }) => exists)?.jid ?? null;
}

/** Baileys keeps the WebSocket to itself. */
function terminate(sock: Sock): void {
  const client = sock.ws as unknown as { socket: { terminate(): void } | null };
  client.socket?.terminate();
}

function codeOf(error: unknown): CloseCode {
  const code = (error as { output?: { statusCode?: unknown } } | undefined)?.output?.statusCode;
  return typeof code === 'number' ? code : 428;
}

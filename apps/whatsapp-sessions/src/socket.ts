import {
  type AnyMessageContent,
  areJidsSameUser,
  type BinaryNode,
  type ConnectionState,
  generateWAMessage,
  getBinaryNodeChild,
  jidDecode,
  makeWASocket,
  type proto,
  type WAMessage,
} from '@whiskeysockets/baileys';
import type { Ack } from './ack.ts';
import type { CloseCode } from './close-codes.ts';
import { DeviceLists, followDeviceLists } from './device-lists.ts';
import { noticeOf } from './history/file.ts';
import { noLog } from './library.ts';
import { lidQuery, namesLid } from './lid.ts';
import { guardListeners } from './listeners.ts';
import { type Ban, banOf } from './login-refusals.ts';
import { reportsOf } from './reports.ts';
import { createResender } from './resends.ts';
import { RetryCounts } from './retry-counts.ts';
import { configOf } from './socket-config.ts';
import type { SocketEvents, SocketOptions } from './socket-options.ts';
import { readTimeLock, type TimeLock, timeLockOf, timeLockQuery } from './time-lock.ts';
import { raiseUsyncError } from './usync-errors.ts';

type Sock = ReturnType<typeof makeWASocket>;

const firstQrMs = 60_000;
const nextQrMs = 20_000;
const logOutMs = 3_000;
const askMs = 5_000;

/** Opens a connection. It begins at once; what becomes of it, `events` and `closed` tell. */
export function openSocket(options: SocketOptions): DeviceSocket {
  const [lists, counts] = [new DeviceLists(), new RetryCounts()];
  const getMessage = createResender({
    store: options.store,
    counts,
    isOwn: (jid) => socket.isOwn(jid),
    // Keys may have to be fetched before.
    ackOf: (id) => socket.resentAckOf(id, 2 * options.ackMs),
    onReport: (report) => options.events.onReports([report]),
  });
  const caches = { userDevicesCache: lists, msgRetryCounterCache: counts };
  const sock = makeWASocket({ ...configOf(options), ...caches, getMessage });
  const socket: DeviceSocket = new DeviceSocket(sock, options.events);
  followDeviceLists(sock, lists);
  return socket;
}

/** One connection of one device, from its beginning to its end; every reconnection is another. */
export class DeviceSocket {
  /** Resolves, and never rejects, when the connection has ended. */
  readonly closed: Promise<CloseCode>;
  /** When WhatsApp was last heard, by `performance.now()`. */
  heardAt = performance.now();
  /** WhatsApp has taken the device in, and the connection stands. */
  isOpen = false;
  /** What WhatsApp said of a ban when it refused the login. */
  ban: Ban | null = null;
  private readonly sock: Sock;
  private readonly events: SocketEvents;
  private readonly acks = new Map<string, Set<(ack: Ack) => void>>();
  private readonly untilEnd = new Set<() => void>();
  private isOver = false;
  private readonly ended = Promise.withResolvers<CloseCode>();
  private cutBecause: CloseCode | null = null;
  /** The phone has removed the device: Baileys takes that for a conflict where it comes without a code. */
  private isRemoved = false;
  private qrMs = firstQrMs;

  constructor(sock: Sock, events: SocketEvents) {
    this.sock = sock;
    this.events = events;
    this.closed = this.ended.promise;
    guardListeners(sock.ws, () => this.cut(428));
    sock.ws.on('frame', (frame: unknown) => this.onFrame(frame));
    sock.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Record<string, string> }) =>
      this.acks.get(attrs['id'] ?? '')?.forEach((tell) => tell({ error: attrs['error'] ?? null })),
    );
    sock.ev.on('creds.update', () => events.onCreds());
    sock.ev.on('messages.update', (updates) => events.onReports(reportsOf(updates)));
    sock.ev.on('messages.upsert', ({ messages }) => messages.forEach((message) => this.onMessage(message)));
    sock.ev.on('connection.update', (update) => this.onUpdate(update));
  }

  /** The JID of a phone number, null where it is not on WhatsApp. Rejects when that cannot be found out now. */
  async lookUp(phone: string): Promise<string | null> {
    const found = await this.sock.onWhatsApp(phone);
    if (found === undefined) throw new Error('WhatsApp did not say whether the number exists');
    return found.find(({ exists }) => exists)?.jid ?? null;
  }

  /** Whether the recipient has a device to encrypt for; `fresh` asks WhatsApp in any case. */
  async hasDevice(jid: string, fresh: boolean): Promise<boolean> {
    return (await this.sock.getUSyncDevices([jid], !fresh, false)).length > 0;
  }

  /** Whether WhatsApp names the recipient's LID; Baileys encrypts for no other identity. Rejects when that is not known now. */
  async hasLid(jid: string): Promise<boolean> {
    const { user } = jidDecode(jid) ?? {};
    if (user === undefined) return false;
    const known = await this.sock.authState.keys.get('lid-mapping', [user]);
    if (known[user] !== undefined) return true;
    const answer = (await this.sock.query(lidQuery(jid, this.sock.generateMessageTag()))) as BinaryNode;
    return namesLid(answer);
  }

  /** Makes the message, its file encrypted and uploaded. Rejects at once when the connection ends. */
  async prepare(jid: string, content: AnyMessageContent, id: string): Promise<proto.IMessage> {
    const making = generateWAMessage(jid, content, {
      userJid: this.sock.user?.id ?? '',
      upload: this.sock.waUploadToServer,
      messageId: id,
      logger: noLog,
    });
    const made = await this.beforeEnd(making);
    if (made === null) throw new Error('the connection to WhatsApp was lost');
    if (!made.message) throw new Error('Baileys made an empty message');
    return made.message;
  }

  /** Encrypts and writes it. */
  async relay(jid: string, message: proto.IMessage, id: string): Promise<void> {
    await this.sock.relayMessage(jid, message, { messageId: id });
  }

  /** The server's answer to a message; null when none came within `withinMs`, or the connection ended. */
  async ackOf(id: string, withinMs: number): Promise<Ack | null> {
    const answer = Promise.withResolvers<Ack | null>();
    const waiting = this.acks.get(id) ?? new Set();
    this.acks.set(id, waiting.add(answer.resolve));
    const timer = setTimeout(() => answer.resolve(null), withinMs);
    try {
      return await this.beforeEnd(answer.promise);
    } finally {
      clearTimeout(timer);
      waiting.delete(answer.resolve);
      if (waiting.size === 0) this.acks.delete(id);
    }
  }

  /** The same for a message that is sent again; undefined where the connection has ended. */
  async resentAckOf(id: string, withinMs: number): Promise<Ack | null | undefined> {
    const ack = await this.ackOf(id, withinMs);
    return ack === null && this.isOver ? undefined : ack;
  }

  /** Whether a JID is one of the linked phone's devices. */
  isOwn(jid: string): boolean {
    const { id, lid } = this.sock.user ?? {};
    return areJidsSameUser(jid, id) || areJidsSameUser(jid, lid);
  }

  /** Asks for a code to be typed on the phone; to be called after the first QR. */
  requestCode(phone: string): Promise<string> {
    return this.sock.requestPairingCode(phone);
  }

  /** Has WhatsApp remove this device, and ends the connection. Whether WhatsApp has confirmed it, within 3 s. */
  async logOut(): Promise<boolean> {
    const removal = {
      tag: 'iq',
      attrs: { to: 's.whatsapp.net', type: 'set', xmlns: 'md' },
      content: [
        {
          tag: 'remove-companion-device',
          attrs: { jid: this.sock.authState.creds.me?.id ?? '', reason: 'user_initiated' },
        },
      ],
    };
    const confirmed = await Promise.race([
      this.sock.query(removal, logOutMs).then(
        () => true,
        () => null,
      ),
      this.closed.then((code) => code === 401),
    ]);
    this.cut(401);
    return confirmed ?? (await this.closed) === 401;
  }

  /** Cuts the connection at once, because of `code`. */
  cut(code: CloseCode): void {
    this.cutBecause ??= code;
    this.isOpen = false;
    // `sock.end()` alone would wait for the server to close its side, for up to 30 s.
    terminate(this.sock);
    const end = (): void => this.end(code);
    this.sock.end(undefined).then(end, end);
  }

  /** The host that files are on. Rejects when WhatsApp does not say now. */
  async mediaHost(): Promise<string> {
    const { hosts } = await this.sock.refreshMediaConn(false);
    const [host] = hosts;
    if (host === undefined) throw new Error('WhatsApp named no media host');
    return host.hostname;
  }

  /** Of messages that come in, only what our own phone says of its chats is of use. */
  private onMessage({ key, message }: WAMessage): void {
    const notice = key.fromMe === true ? noticeOf(message) : null;
    if (key.id && notice !== null) this.events.onHistory(key.id, notice);
  }

  /** The end of WhatsApp's restriction on first messages to new contacts. Rejects where it does not say in time. */
  async askTimeLock(): Promise<TimeLock> {
    return readTimeLock((await this.sock.query(timeLockQuery(), askMs)) as BinaryNode);
  }

  private onFrame(frame: unknown): void {
    this.heardAt = performance.now();
    // What comes before the end of the handshake is bytes.
    if (frame instanceof Uint8Array) return;
    const stanza = frame as BinaryNode;
    this.ban = banOf(stanza) ?? this.ban;
    this.isRemoved ||= removesDevice(stanza);
    raiseUsyncError(stanza);
  }

  private onUpdate({ qr, connection, lastDisconnect, reachoutTimeLock }: Partial<ConnectionState>): void {
    if (qr !== undefined) {
      this.events.onQr?.(qr, this.qrMs);
      this.qrMs = nextQrMs;
    }
    if (reachoutTimeLock !== undefined) this.events.onTimeLock(timeLockOf(reachoutTimeLock));
    if (connection === 'open' && this.cutBecause === null) {
      this.isOpen = true;
      this.events.onOpen();
    }
    if (connection === 'close') this.end(codeOf(lastDisconnect?.error));
  }

  private end(code: CloseCode): void {
    this.isOpen = false;
    this.isOver = true;
    this.ended.resolve(this.cutBecause ?? (this.isRemoved ? 401 : code));
    for (const tell of this.untilEnd) tell();
  }

  /** What a promise comes to, null where the connection ends before. `closed` would keep what is hung on it, of each message. */
  private async beforeEnd<T>(promise: Promise<T>): Promise<T | null> {
    const over = Promise.withResolvers<null>();
    const tell = (): void => over.resolve(null);
    if (this.isOver) tell();
    this.untilEnd.add(tell);
    try {
      return await Promise.race([promise, over.promise]);
    } finally {
      this.untilEnd.delete(tell);
    }
  }
}

/** Baileys keeps the WebSocket to itself. */
function terminate(sock: Sock): void {
  const client = sock.ws as unknown as { socket: { terminate(): void } | null };
  client.socket?.terminate();
}

function removesDevice(stanza: BinaryNode): boolean {
  return (
    stanza.tag === 'stream:error' &&
    getBinaryNodeChild(stanza, 'conflict')?.attrs['type'] === 'device_removed'
  );
}

function codeOf(error: unknown): CloseCode {
  const code = (error as { output?: { statusCode?: unknown } } | undefined)?.output?.statusCode;
  return typeof code === 'number' ? code : 428;
}

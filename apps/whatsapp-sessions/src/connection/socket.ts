import type { Quoted } from '@notify/channels';
import {
  type AnyMessageContent,
  areJidsSameUser,
  type BinaryNode,
  type ConnectionState,
  generateWAMessage,
  jidDecode,
  makeWASocket,
  type proto,
  type WAMessage,
} from '@whiskeysockets/baileys';
import { noticeOf } from '../history/file.ts';
import { quoted } from '../inbound/quoted.ts';
import { Receiver } from '../inbound/receiver.ts';
import type { Ack } from '../sending/ack.ts';
import { lidQuery, namesLid } from '../sending/lid.ts';
import { receiptsOf } from '../sending/message-updates.ts';
import { createResender } from '../sending/resends.ts';
import { RetryCounts } from '../sending/retry-counts.ts';
import type { CloseCode } from './close-codes.ts';
import { DeviceLists, followDeviceLists } from './device-lists.ts';
import { noLog } from './library.ts';
import { guardListeners } from './listeners.ts';
import { type Ban, banOf } from './login-refusals.ts';
import { configOf } from './socket-config.ts';
import { codeOf, removesDevice, terminate } from './socket-end.ts';
import type { SocketEvents, SocketOptions } from './socket-options.ts';
import { readTimeLock, type TimeLock, timeLockOf, timeLockQuery } from './time-lock.ts';
import { raiseUsyncError } from './usync-errors.ts';

type Sock = ReturnType<typeof makeWASocket>;

const firstQrMs = 60_000;
const nextQrMs = 20_000;
const logOutMs = 3_000;
const askMs = 5_000;

/** Opens a connection, which starts at once. `events` and `closed` report its progress and its end. */
export function openSocket(options: SocketOptions): DeviceSocket {
  const [lists, counts] = [new DeviceLists(), new RetryCounts()];
  const getMessage = createResender({
    store: options.store,
    counts,
    isOwn: (jid) => socket.isOwn(jid),
    // Twice as long, because keys may have to be fetched first.
    ackOf: (id) => socket.resentAckOf(id, 2 * options.ackMs),
    onReceipt: (receipt) => options.events.onReceipts([receipt]),
  });
  const cut = (): void => socket.cut(428);
  const { creds, store, events } = options;
  const receiver = new Receiver({
    creds,
    commit: (message) => events.onMessage(message),
    refer: (file, id) => store.referTo(file, id),
    cut,
  });
  const caches = { userDevicesCache: lists, msgRetryCounterCache: counts };
  const { makeSignalRepository } = receiver;
  const sock = makeWASocket({ ...configOf(options, cut), ...caches, getMessage, makeSignalRepository });
  const socket: DeviceSocket = new DeviceSocket(sock, events, receiver, counts);
  followDeviceLists(sock, lists);
  return socket;
}

/** One connection of one device, from its beginning to its end. Each reconnection is a new one. */
export class DeviceSocket {
  /** Resolves, and never rejects, when the connection has ended. */
  readonly closed: Promise<CloseCode>;
  /** When WhatsApp last sent anything, by `performance.now()`. */
  heardAt = performance.now();
  /** WhatsApp has accepted the login, and the connection is still open. */
  isOpen = false;
  /** The ban that WhatsApp announced when it refused the login. */
  ban: Ban | null = null;
  private readonly sock: Sock;
  private readonly events: SocketEvents;
  private readonly receiver: Receiver;
  private readonly counts: RetryCounts;
  private readonly acks = new Map<string, Set<(ack: Ack) => void>>();
  private readonly untilEnd = new Set<() => void>();
  private isOver = false;
  private readonly ended = Promise.withResolvers<CloseCode>();
  private cutBecause: CloseCode | null = null;
  /** The phone has removed the device. Without a code, Baileys mistakes that for a conflict. */
  private isRemoved = false;
  private qrMs = firstQrMs;

  constructor(sock: Sock, events: SocketEvents, receiver: Receiver, counts: RetryCounts) {
    this.sock = sock;
    this.events = events;
    this.receiver = receiver;
    this.counts = counts;
    this.closed = this.ended.promise;
    guardListeners(sock.ws, {
      onUnreadable: () => this.cut(428),
      before: { 'CB:message': (stanza) => receiver.takeWithheld(stanza as BinaryNode) },
    });
    sock.ws.on('frame', (frame: unknown) => this.onFrame(frame));
    sock.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Record<string, string> }) =>
      this.acks.get(attrs['id'] ?? '')?.forEach((tell) => tell({ error: attrs['error'] ?? null })),
    );
    sock.ev.on('creds.update', () => events.onCreds());
    sock.ev.on('messages.update', (updates) => events.onReceipts(receiptsOf(updates)));
    sock.ev.on('messages.upsert', ({ messages, requestId }) => {
      for (const message of messages) this.onMessage(message, requestId !== undefined);
    });
    sock.ev.on('connection.update', (update) => this.onUpdate(update));
  }

  /** The JID of a phone number, null if it is not on WhatsApp. Rejects when WhatsApp cannot say now. */
  async lookUp(phone: string): Promise<string | null> {
    const found = await this.sock.onWhatsApp(phone);
    if (found === undefined) throw new Error('WhatsApp did not say whether the number exists');
    return found.find(({ exists }) => exists)?.jid ?? null;
  }

  /** Whether the recipient has a device to encrypt for. With `fresh`, WhatsApp is always asked. */
  async hasDevice(jid: string, fresh: boolean): Promise<boolean> {
    return (await this.sock.getUSyncDevices([jid], !fresh, false)).length > 0;
  }

  /**
   * Whether WhatsApp names the recipient's LID, the only identity Baileys encrypts for. Rejects when WhatsApp cannot
   * say now.
   */
  async hasLid(jid: string): Promise<boolean> {
    const { user } = jidDecode(jid) ?? {};
    if (user === undefined) return false;
    const known = await this.sock.authState.keys.get('lid-mapping', [user]);
    if (known[user] !== undefined) return true;
    const answer = (await this.sock.query(lidQuery(jid, this.sock.generateMessageTag()))) as BinaryNode;
    return namesLid(answer);
  }

  /** The LID of a phone number, as far as it is stored. */
  async lidOf(phone: string): Promise<string | null> {
    const known = await this.sock.authState.keys.get('lid-mapping', [phone]);
    return known[phone] === undefined ? null : `${known[phone]}@lid`;
  }

  /**
   * Tells a person that messages of theirs were read. False, and nothing is told, if the phone's owner has turned read
   * receipts off, by what WhatsApp said of it first on this connection.
   */
  async markRead(jid: string, ids: readonly string[]): Promise<boolean> {
    const privacy = await this.sock.fetchPrivacySettings();
    if (privacy['readreceipts'] !== 'all') return false;
    await this.sock.sendReceipts(
      ids.map((id) => ({ remoteJid: jid, id, fromMe: false })),
      'read',
    );
    return true;
  }

  /** Shows a chat that the phone's owner types. WhatsApp ends that by itself. */
  async showTyping(jid: string): Promise<void> {
    await this.sock.sendPresenceUpdate('composing', jid);
  }

  /**
   * Makes the message, with its file encrypted and uploaded. It quotes `answered`. Rejects at once when the connection
   * ends.
   */
  async prepare(
    jid: string,
    content: AnyMessageContent,
    id: string,
    answered: Quoted | null,
  ): Promise<proto.IMessage> {
    const making = generateWAMessage(jid, content, {
      ...(answered === null ? {} : { quoted: quoted(jid, answered) }),
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

  /** Encrypts the message and writes it. */
  async relay(jid: string, message: proto.IMessage, id: string): Promise<void> {
    await this.sock.relayMessage(jid, message, { messageId: id });
  }

  /** The server's answer to a message; null if none came within `withinMs`, or the connection ended. */
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

  /** The same for a resent message; undefined if the connection has ended. */
  async resentAckOf(id: string, withinMs: number): Promise<Ack | null | undefined> {
    const ack = await this.ackOf(id, withinMs);
    return ack === null && this.isOver ? undefined : ack;
  }

  /** Whether a JID is one of the linked phone's devices. */
  isOwn(jid: string): boolean {
    const { id, lid } = this.sock.user ?? {};
    return areJidsSameUser(jid, id) || areJidsSameUser(jid, lid);
  }

  /** Asks for a code to be typed on the phone. Call it after the first QR code. */
  requestCode(phone: string): Promise<string> {
    return this.sock.requestPairingCode(phone);
  }

  /** Asks WhatsApp to remove this device, and ends the connection. Returns whether WhatsApp confirmed it within 3 s. */
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

  /** Ends the connection at once, with `code`. */
  cut(code: CloseCode): void {
    this.cutBecause ??= code;
    this.isOpen = false;
    // `sock.end()` alone would wait up to 30 s for the server to close its side.
    terminate(this.sock);
    const end = (): void => this.end(code);
    this.sock.end(undefined).then(end, end);
  }

  /** The host of media files. Rejects when WhatsApp cannot say now. */
  async mediaHost(): Promise<string> {
    const { hosts } = await this.sock.refreshMediaConn(false);
    const [host] = hosts;
    if (host === undefined) throw new Error('WhatsApp named no media host');
    return host.hostname;
  }

  /** Messages of people were committed when they were decrypted, but for those that our phone has sent again. */
  private onMessage(received: WAMessage, isResent: boolean): void {
    const { key, message } = received;
    const notice = key.fromMe === true ? noticeOf(message) : null;
    if (key.id && notice !== null) this.events.onHistory(key.id, notice);
    if (isResent) this.receiver.takeResent(received).catch(() => undefined);
  }

  /**
   * Asks for the end of WhatsApp's restriction on first messages to new contacts. Rejects without an answer in time.
   */
  async askTimeLock(): Promise<TimeLock> {
    return readTimeLock((await this.sock.query(timeLockQuery(), askMs)) as BinaryNode);
  }

  private onFrame(frame: unknown): void {
    this.heardAt = performance.now();
    // Frames are bytes before the end of the handshake.
    if (frame instanceof Uint8Array) return;
    const stanza = frame as BinaryNode;
    this.receiver.note(stanza);
    this.counts.note(stanza);
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

  /**
   * The result of a promise, null if the connection ends first. A race against `closed` would keep a handler for each
   * message.
   */
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

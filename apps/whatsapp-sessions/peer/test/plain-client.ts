import { Agent } from 'node:https';
import {
  type AuthenticationCreds,
  type BinaryNode,
  type ConnectionState,
  initAuthCreds,
  makeWASocket,
  type proto,
  type SignalDataSet,
  type SignalKeyStore,
  type UserFacingSocketConfig,
  type WASocket,
} from '@whiskeysockets/baileys';
import { mendLibrary, noLog } from '../../src/connection/library.ts';
import type { WhatsappPeer } from '../client.ts';

/** The stored state of a linked client. With it, the client reconnects without a scan. */
export interface Session {
  readonly creds: AuthenticationCreds;
  readonly keys: SignalKeyStore;
  /** Messages by id, for recipients that ask again. */
  readonly sent: Map<string, proto.IMessage>;
}

/** Baileys with as little around it as possible, and a record of its events. */
export interface PlainClient extends AsyncDisposable {
  readonly socket: WASocket;
  readonly session: Session;
  /** Server acks, by message id: the error in it, or null. */
  readonly acks: Map<string, string | null>;
  /** Types of the received receipts, by message id, in order. `delivered` has no type on the wire. */
  readonly receipts: Map<string, string[]>;
  /** Baileys' statuses for these receipts, by message id. For receipts that arrive together it emits only the last. */
  readonly statuses: Map<string, number[]>;
  /** Updates of the connection, in order. */
  readonly updates: Partial<ConnectionState>[];
  /** Resolves as soon as `condition` holds. Checked after each event. */
  until(condition: () => boolean): Promise<void>;
  /** The code with which the connection closes. */
  closed(): Promise<number>;
  /** Sends a text and remembers it; does not wait for the ack. */
  text(to: string, text: string, id: string): Promise<void>;
}

/** A session that is not linked yet. */
export function newSession(): Session {
  return { creds: initAuthCreds(), keys: memoryKeys(), sent: new Map() };
}

/** Opens a connection without waiting for its result. The peer is the only server that this process trusts. */
export function connect(
  peer: Pick<WhatsappPeer, 'url' | 'rootPublicKey' | 'mediaCertificate'>,
  session: Session,
  options: Partial<UserFacingSocketConfig> = {},
): PlainClient {
  mendLibrary(Buffer.from(peer.rootPublicKey, 'base64'));
  leaveTimersBehind();
  const agent = new Agent({ ca: peer.mediaCertificate });
  const socket = makeWASocket({
    auth: { creds: session.creds, keys: session.keys },
    waWebSocketUrl: peer.url,
    logger: noLog,
    emitOwnEvents: false,
    markOnlineOnConnect: false,
    shouldSyncHistoryMessage: () => false,
    getMessage: async ({ id }) => session.sent.get(id ?? ''),
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 10 },
    fetchAgent: agent,
    ...options,
  });
  return listen(socket, session);
}

/** Connects until the session is open. `phone`, if given, reads the QR code. */
export async function open(
  peer: WhatsappPeer,
  session: Session,
  phone: string,
  options: Partial<UserFacingSocketConfig> = {},
): Promise<PlainClient> {
  const client = connect(peer, session, options);
  if (session.creds.me === undefined) {
    await peer.scan(await qrOf(client), phone);
    await client.closed();
    return open(peer, session, phone, options);
  }
  await client.until(() => client.updates.some(({ connection }) => connection === 'open'));
  return client;
}

/** The first QR code that a client shows. */
export async function qrOf(client: PlainClient): Promise<string> {
  const shown = () => client.updates.find(({ qr }) => qr !== undefined)?.qr;
  await client.until(() => shown() !== undefined);
  return shown() ?? '';
}

function listen(socket: WASocket, session: Session): PlainClient {
  const acks = new Map<string, string | null>();
  const receipts = new Map<string, string[]>();
  const statuses = new Map<string, number[]>();
  const updates: Partial<ConnectionState>[] = [];
  const waiting = new Set<() => void>();
  const look = () => waiting.forEach((check) => check());
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  socket.ev.on('creds.update', (update) => Object.assign(session.creds, update));
  socket.ev.on('connection.update', (update) => {
    updates.push(update);
    look();
  });
  socket.ev.on('messages.update', (changes) => {
    for (const { key, update } of changes) {
      if (typeof update.status === 'number') add(statuses, key.id ?? '', update.status);
    }
    look();
  });
  socket.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => {
    acks.set(attrs['id'] ?? '', attrs['error'] ?? null);
    look();
  });
  socket.ws.on('CB:receipt', ({ attrs }: BinaryNode) => {
    add(receipts, attrs['id'] ?? '', attrs['type'] ?? 'delivered');
    look();
  });
  const close = () => updates.find(({ connection }) => connection === 'close');
  return {
    socket,
    session,
    acks,
    receipts,
    statuses,
    updates,
    until,
    async closed() {
      await until(() => close() !== undefined);
      const error = close()?.lastDisconnect?.error as { output?: { statusCode?: number } } | undefined;
      return error?.output?.statusCode ?? 0;
    },
    async text(to, text, id) {
      const message = await socket.sendMessage(`${to}@s.whatsapp.net`, { text }, { messageId: id });
      if (message?.message) session.sent.set(id, message.message);
    },
    async [Symbol.asyncDispose]() {
      await socket.end(undefined);
    },
  };
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}

/** Baileys leaves timers of up to a minute behind after a socket has ended. Test processes must not wait for them. */
function leaveTimersBehind(): void {
  const start = globalThis.setTimeout;
  if (start.name === 'startUnreferenced') return;
  const startUnreferenced = (...args: Parameters<typeof start>) => start(...args).unref();
  Object.assign(globalThis, { setTimeout: startUnreferenced });
}

function memoryKeys(): SignalKeyStore {
  const rows = new Map<string, unknown>();
  return {
    get: (type, ids) =>
      Object.fromEntries(
        ids.flatMap((id) => (rows.has(`${type} ${id}`) ? [[id, rows.get(`${type} ${id}`)]] : [])),
      ) as never,
    set(data: SignalDataSet) {
      for (const [type, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values)) {
          if (value === null) rows.delete(`${type} ${id}`);
          else rows.set(`${type} ${id}`, value);
        }
      }
    },
  };
}

import { type Db, whenDatabaseIsBack } from '@notify/db/connection';
import type { PartitionLease } from '@notify/db/ownership';
import {
  countAskedAgain,
  type KeyChange,
  listKeys,
  readKeys,
  saveCreds,
  saveSent,
  writeKeys,
} from '@notify/db/whatsapp';
import { demandLease } from '@notify/ownership';
import type { Secrets } from '@notify/runtime';
import {
  type AuthenticationCreds,
  BufferJSON,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys';
import type { PendingHistories, PendingHistory } from '../history/importer.ts';
import { movingTokens } from '../history/privacy-tokens.ts';
import type { FilePlace } from '../inbound/content.ts';
import { type FileReference, referTo } from '../inbound/file-reference.ts';

/** All data of a device, in Postgres, sealed with the account's own key. */
export interface DeviceStore {
  readonly tenantId: string;
  readonly keys: SignalKeyStore;
  /** The chat histories that the phone has announced and that are still to be read. */
  readonly histories: PendingHistories;
  /** Stores the current credentials. Writes run one after the other. */
  saveCreds(creds: AuthenticationCreds): Promise<void>;
  /** Keeps a message, in case a recipient cannot read it and asks for it again. */
  saveSent(id: string, messageId: string, content: proto.IMessage): Promise<void>;
  /**
   * Returns a message that a device asks for again, and how often it has asked; null when the message is no longer
   * kept.
   */
  askedAgain(id: string, device: string): Promise<SentAgain | null>;
  /** The reference to the file of a received message. Its key is sealed with the account's own key. */
  referTo(file: FilePlace, messageId: string): FileReference;
  /** Resolves when no write is running. */
  settled(): Promise<void>;
  /**
   * Refuses every later write, and resolves when no write is running. Call it before the device is forgotten: after its
   * connection has ended, the library finishes decrypting and would store keys of a removed device.
   */
  close(): Promise<void>;
}

/** A message that a recipient's device asks for again. */
export interface SentAgain {
  readonly content: proto.IMessage;
  readonly times: number;
}

export interface DeviceStoreOptions {
  readonly db: Db;
  readonly lease: PartitionLease;
  readonly tenantId: string;
  readonly accountId: string;
  /** Sealed with the account's data key. */
  readonly secrets: Secrets;
  /** Called when a write finds that the lease is lost. */
  readonly onLost: () => void;
}

/** Opens the store of one device. A write that finds the lease lost rejects and writes nothing. */
export function openDeviceStore(options: DeviceStoreOptions): DeviceStore {
  const { db, lease, accountId, secrets, onLost } = options;
  const writing = new Set<Promise<void>>();
  let lastCreds: Promise<void> = Promise.resolve();
  let isClosed = false;

  function track(work: () => Promise<void>): Promise<void> {
    if (isClosed) return Promise.reject(new Error('the device is being removed'));
    const done = work().finally(() => writing.delete(done));
    writing.add(done);
    return done;
  }

  function write(work: () => Promise<boolean>): Promise<void> {
    return track(() => demandLease(work(), onLost));
  }

  async function settled(): Promise<void> {
    while (writing.size > 0) await Promise.allSettled(writing);
  }

  function saveCredsInOrder(sealed: string): Promise<void> {
    const before = lastCreds;
    lastCreds = write(() => saveAfter(before, sealed));
    return lastCreds;
  }

  async function saveAfter(before: Promise<void>, sealed: string): Promise<boolean> {
    await before.catch(() => undefined);
    return saveCreds(db, lease, accountId, sealed);
  }

  return {
    tenantId: options.tenantId,
    keys: movingTokens(keyStore(options, write)),
    histories: pendingHistories(options, write),
    saveCreds: (creds) => saveCredsInOrder(secrets.seal(encode(creds), credsPlace(options))),
    async saveSent(id, messageId, content) {
      const bytes = Buffer.from(proto.Message.encode(content).finish());
      const sealed = secrets.seal(bytes.toString('base64'), sentPlace(options, id));
      await track(() => saveSent(db, { accountId, id }, messageId, sealed));
    },
    async askedAgain(id, device) {
      const sent = await whenDatabaseIsBack(
        () => countAskedAgain(db, { accountId, id }, device),
        () => undefined,
      );
      if (sent === null) return null;
      const bytes = Buffer.from(secrets.open(sent.content, sentPlace(options, id)), 'base64');
      return { content: proto.Message.decode(bytes), times: sent.times };
    },
    referTo: (file, messageId) => referTo(file, messageId, options, secrets),
    settled,
    close() {
      isClosed = true;
      return settled();
    },
  };
}

/** The Signal keys as Baileys reads them. Nothing is kept in memory, because Baileys itself caches within a send. */
function keyStore(
  options: DeviceStoreOptions,
  write: (work: () => Promise<boolean>) => Promise<void>,
): SignalKeyStore {
  const { db, lease, accountId, secrets } = options;

  async function set(data: SignalDataSet): Promise<void> {
    const changes = changesOf(data).map(({ type, id, value }): KeyChange => {
      const sealed = value === null ? null : secrets.seal(encode(value), keyPlace(options, type, id));
      return { type, id, value: sealed };
    });
    if (changes.length > 0) await write(() => writeKeys(db, lease, accountId, changes));
  }

  async function get<T extends keyof SignalDataTypeMap>(
    type: T,
    ids: string[],
  ): Promise<Record<string, SignalDataTypeMap[T]>> {
    const rows = await readKeys(db, accountId, type, ids);
    return Object.fromEntries(
      Array.from(rows, ([id, sealed]) => [
        id,
        revive(type, secrets.open(sealed, keyPlace(options, type, id))),
      ]),
    );
  }

  return { get, set };
}

function pendingHistories(
  options: DeviceStoreOptions,
  write: (work: () => Promise<boolean>) => Promise<void>,
): PendingHistories {
  const { db, lease, accountId, secrets } = options;
  const type = 'history';
  return {
    async list() {
      const rows = await listKeys(db, accountId, type);
      const open = ([id, sealed]: [string, string]): [string, PendingHistory] => [
        id,
        decode(secrets.open(sealed, keyPlace(options, type, id))) as PendingHistory,
      ];
      return new Map(Array.from(rows, open));
    },
    save(id, pending) {
      const value = pending === null ? null : secrets.seal(encode(pending), keyPlace(options, type, id));
      return write(() => writeKeys(db, lease, accountId, [{ type, id, value }]));
    },
  };
}

/** Reads credentials that `saveCreds` stored. */
export function openCreds(
  options: Pick<DeviceStoreOptions, 'tenantId' | 'accountId' | 'secrets'>,
  sealed: string,
): AuthenticationCreds {
  return decode(options.secrets.open(sealed, credsPlace(options))) as AuthenticationCreds;
}

function changesOf(data: SignalDataSet): { type: string; id: string; value: unknown }[] {
  return Object.entries(data).flatMap(([type, values]) =>
    Object.entries(values).map(([id, value]) => ({ type, id, value: value as unknown })),
  );
}

function revive<T extends keyof SignalDataTypeMap>(type: T, text: string): SignalDataTypeMap[T] {
  const value = decode(text) as SignalDataTypeMap[T];
  if (type !== 'app-state-sync-key') return value;
  return proto.Message.AppStateSyncKeyData.fromObject(value as object) as unknown as SignalDataTypeMap[T];
}

function encode(value: unknown): string {
  return JSON.stringify(value, BufferJSON.replacer);
}

function decode(text: string): unknown {
  return JSON.parse(text, BufferJSON.reviver);
}

type Whose = Pick<DeviceStoreOptions, 'tenantId' | 'accountId'>;

function keyPlace({ tenantId, accountId }: Whose, type: string, id: string) {
  return { tenantId, table: 'whatsapp_keys', row: JSON.stringify([accountId, type, id]), column: 'value' };
}

function credsPlace({ tenantId, accountId }: Whose) {
  return { tenantId, table: 'whatsapp_links', row: accountId, column: 'creds' };
}

function sentPlace({ tenantId, accountId }: Whose, id: string) {
  return { tenantId, table: 'whatsapp_sent', row: JSON.stringify([accountId, id]), column: 'content' };
}

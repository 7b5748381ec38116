import {
  Browsers,
  isJidNewsletter,
  isJidStatusBroadcast,
  type SignalKeyStore,
  type UserFacingSocketConfig,
} from '@whiskeysockets/baileys';
import { noLog } from './library.ts';
import type { SocketOptions } from './socket-options.ts';

const queryMs = 15_000;

/** Baileys' configuration for one connection. Calls `cut` when keys cannot be read or written. */
export function configOf(
  { creds, store, url, version, keepAliveMs }: SocketOptions,
  cut: () => void,
): UserFacingSocketConfig {
  return {
    auth: { creds, keys: demanded(store.keys, cut) },
    ...(url === null ? {} : { waWebSocketUrl: url }),
    ...(version === null ? {} : { version: [...version] }),
    browser: Browsers.ubuntu('Chrome'),
    logger: noLog,
    // Otherwise receipts are merged into our own messages, and no update is emitted.
    emitOwnEvents: false,
    // Otherwise the phone shows no notifications any more.
    markOnlineOnConnect: false,
    // We read tokens and LIDs from a history ourselves; Baileys would read all messages.
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    shouldIgnoreJid: (jid) => isJidStatusBroadcast(jid) || isJidNewsletter(jid) === true,
    // Sent messages are read from the store, not kept in memory.
    enableRecentMessageCache: false,
    defaultQueryTimeoutMs: queryMs,
    keepAliveIntervalMs: keepAliveMs,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 200 },
  };
}

/**
 * Ends the connection when keys cannot be read or written. Baileys would take a message for unreadable, and tell WhatsApp
 * so. Over the next connection it arrives again.
 */
function demanded(keys: SignalKeyStore, cut: () => void): SignalKeyStore {
  async function demand<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      cut();
      throw error;
    }
  }
  return {
    get: (type, ids) => demand(() => keys.get(type, ids)),
    set: (data) => demand(() => keys.set(data)),
  };
}

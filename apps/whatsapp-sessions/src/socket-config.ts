import {
  Browsers,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  type UserFacingSocketConfig,
} from '@whiskeysockets/baileys';
import { noLog } from './library.ts';
import type { SocketOptions } from './socket-options.ts';

const queryMs = 15_000;

/** Baileys' configuration for one connection. */
export function configOf({ creds, store, url, version, keepAliveMs }: SocketOptions): UserFacingSocketConfig {
  return {
    auth: { creds, keys: store.keys },
    ...(url === null ? {} : { waWebSocketUrl: url }),
    ...(version === null ? {} : { version: [...version] }),
    browser: Browsers.ubuntu('Chrome'),
    logger: noLog,
    // Otherwise receipts are merged into our own messages, and no update is emitted.
    emitOwnEvents: false,
    // Otherwise the phone shows no notifications any more.
    markOnlineOnConnect: false,
    // We only send: no groups, no status. We read tokens and LIDs from a history ourselves; Baileys would read all
    // messages.
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    shouldIgnoreJid: (jid) =>
      isJidGroup(jid) === true || isJidBroadcast(jid) === true || isJidNewsletter(jid) === true,
    // Sent messages are read from the store, not kept in memory.
    enableRecentMessageCache: false,
    defaultQueryTimeoutMs: queryMs,
    keepAliveIntervalMs: keepAliveMs,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 200 },
  };
}

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

/** How Baileys is set up for one connection. */
export function configOf({ creds, store, url, version, keepAliveMs }: SocketOptions): UserFacingSocketConfig {
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
    // We only send: no groups, no status. Of a history we take tokens and LIDs ourselves; Baileys would read all messages.
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    shouldIgnoreJid: (jid) =>
      isJidGroup(jid) === true || isJidBroadcast(jid) === true || isJidNewsletter(jid) === true,
    // What was sent is asked of the store, not kept in memory.
    enableRecentMessageCache: false,
    defaultQueryTimeoutMs: queryMs,
    keepAliveIntervalMs: keepAliveMs,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 200 },
  };
}

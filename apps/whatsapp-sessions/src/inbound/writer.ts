import {
  type Inbound,
  isGroupAddress,
  type MovedContact,
  receivesFrom,
  type WhatsappWebSettings,
} from '@notify/channels';
import { contactKey, databaseFault } from '@notify/core';
import { whatsappWeb } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { type DeviceRow, findDevice, hasConversation } from '@notify/db/whatsapp';
import {
  type Intake,
  inboundAccount,
  openIfReadable,
  type ReceivingAccount,
  unreadable,
} from '@notify/dispatch';
import type { Log, Secrets } from '@notify/runtime';
import type { ReadMessage } from './read.ts';

export interface WriterDeps {
  readonly db: Db;
  readonly log: Log;
  /** Sealed with the master key. */
  readonly secrets: Secrets;
  readonly intake: Intake;
}

/**
 * Commits a message that a person wrote to an account, if its settings say that it receives such. Rejects while the database is away.
 */
export type WriteMessage = (accountId: string, message: ReadMessage) => Promise<void>;

const maxKnown = 10_000;

/**
 * Stores what people write to all accounts of the process. A message that the database refuses for good becomes an
 * `unsupported` one: refused again and again, it would keep the account from connecting.
 */
export function createInboundWriter({ db, log, secrets, intake }: WriterDeps): WriteMessage {
  /** Whose conversation has their number already, or who have none under their LID. */
  const settled = new Set<string>();

  function settle(who: string): void {
    settled.add(who);
    const [oldest] = settled;
    if (settled.size > maxKnown && oldest !== undefined) settled.delete(oldest);
  }

  /** The new address of a conversation that is still known by its LID. */
  async function moveOf(who: string, accountId: string, { moved }: ReadMessage): Promise<MovedContact[]> {
    if (moved === null || settled.has(who)) return [];
    return (await hasConversation(db, accountId, contactKey('whatsapp', moved.from))) ? [moved] : [];
  }

  function settingsOf({ tenantId, settings }: DeviceRow, accountId: string): WhatsappWebSettings {
    // A message is stored without settings that cannot be read.
    const opened = openIfReadable({ secrets, log }, { id: accountId, tenantId, settings });
    return opened?.settings ?? {};
  }

  return async (accountId, message) => {
    const row = await findDevice(db, accountId);
    if (row === null || row.removed) return;
    const { tenantId } = row;
    const settings = settingsOf(row, accountId);
    const { from } = message.inbound;
    if (!receivesFrom(from, settings)) return;
    const own = { id: accountId, tenant_id: tenantId, channel: 'whatsapp', provider: whatsappWeb } as const;
    const account = accountFor(from, own, settings);
    const who = `${accountId} ${message.moved?.from}`;
    const moved = await moveOf(who, accountId, message);
    const store = (inbound: Inbound) => intake.store(account, { inbound: [inbound], moved, consents: [] });
    try {
      await store(message.inbound);
    } catch (error) {
      const fault = databaseFault(error);
      if (fault !== 'data' && fault !== null) throw error;
      log.tell('inbound-unstorable', { err: error, accountId });
      await store(unreadable(message.inbound));
    }
    if (message.moved !== null) settle(who);
  };
}

/** In a group no word is about consent: one of its members said it, and no send could go to the group anyway. */
function accountFor(
  from: string,
  row: Parameters<typeof inboundAccount>[0],
  settings: WhatsappWebSettings,
): ReceivingAccount {
  const account = inboundAccount(row, settings);
  return isGroupAddress(from) ? { ...account, keywords: { stop: [], start: [] } } : account;
}

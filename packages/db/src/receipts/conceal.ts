import { codeMask, plainWords } from '@notify/core';
import { sql } from 'kysely';
import { int, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import { type NewReceipt, storeReceipts } from './store.ts';

/**
 * The receipts without what may be a one-time code. Some gateways quote the message in their receipts (the `text:` of SMPP 3.4,
 * appendix B), in any encoding. So a receipt keeps the plain words of its text, and no provider's id that cannot be one, if its message
 * carries a code, or if the message is not known yet and the tenant has sent codes within a day. A receipt that says no more
 * than that costs nothing, as nearly all do.
 */
export async function concealed(
  trx: Statements,
  receipts: readonly NewReceipt[],
  messageIds: readonly (string | null)[],
): Promise<readonly NewReceipt[]> {
  const told = receipts.flatMap((receipt, index) =>
    hides(receipt) ? [{ receipt, index, messageId: messageIds[index] ?? null }] : [],
  );
  if (told.length === 0) return receipts;
  const asked = unnestRows('r', told, {
    place: int((one) => one.index),
    account_id: uuid((one) => one.receipt.accountId),
    message_id: uuid((one) => one.messageId),
  });
  const { rows } = await sql<{ place: number }>`
    select place from ${asked}
    where coalesce(
      (select m.body::text like ${`%${codeMask}%`} from messages m
        where m.id = r.message_id and m.channel_account_id = r.account_id),
      exists (
        select from channel_accounts a join verifications v on v.tenant_id = a.tenant_id
        where a.id = r.account_id and v.created_at > now() - interval '1 day'
      ))`.execute(trx);
  const secret = new Set(rows.map(({ place }) => place));
  return receipts.map((receipt, index) => (secret.has(index) ? withoutQuotes(receipt) : receipt));
}

/** Stores receipts that could not be taken, without what may be a one-time code. Returns their ids for `applyReceipts`. */
export async function storeConcealed(db: Statements, receipts: readonly NewReceipt[]): Promise<string[]> {
  const messageIds = receipts.map((receipt) => receipt.messageId);
  return storeReceipts(db, await concealed(db, receipts, messageIds));
}

function hides(receipt: NewReceipt): boolean {
  const { text, externalId } = withoutQuotes(receipt);
  return text !== receipt.text || externalId !== receipt.externalId;
}

function withoutQuotes(receipt: NewReceipt): NewReceipt {
  const { text, externalId } = receipt;
  return {
    ...receipt,
    externalId: externalId !== null && /\s/.test(externalId) ? null : externalId,
    ...(text === undefined ? {} : { text: plainWords(text) }),
  };
}

import { codeMask, withoutNumbers } from '@notify/core';
import { sql } from 'kysely';
import { int, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import type { NewReceipt } from './store.ts';

/** What may be a one-time code, or a part of one. */
const longNumber = /\d{4,}/;

/**
 * The receipts without what may be a one-time code. Some gateways quote the message in their receipts (the `text:` of SMPP 3.4,
 * appendix B). So a text loses its longer numbers if its message carries a code, or if the message is not known yet and the tenant
 * has sent codes within a day. Receipts without longer numbers, as nearly all are, cost nothing.
 */
export async function concealed(
  trx: Statements,
  receipts: readonly NewReceipt[],
  messageIds: readonly (string | null)[],
): Promise<readonly NewReceipt[]> {
  const told = receipts.flatMap((receipt, index) =>
    longNumber.test(receipt.text ?? '') ? [{ receipt, index, messageId: messageIds[index] ?? null }] : [],
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
  return receipts.map((receipt, index) =>
    secret.has(index) && receipt.text !== undefined
      ? { ...receipt, text: withoutNumbers(receipt.text) }
      : receipt,
  );
}

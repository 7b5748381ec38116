import { type ReceiptStatus, scrub } from '@notify/core';
import { sql } from 'kysely';
import { int, text, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';

/** A delivery receipt to store. It names the message by our id or by the provider's. */
export interface NewReceipt {
  readonly accountId: string;
  readonly messageId: string | null;
  readonly externalId: string | null;
  readonly part: number | null;
  readonly status: ReceiptStatus;
  readonly errorCode?: string;
  readonly providerCode?: string;
  readonly text?: string;
}

/** Commits receipts before they are applied. Returns their ids for `applyReceipts`. */
export async function storeReceipts(db: Statements, receipts: readonly NewReceipt[]): Promise<string[]> {
  if (receipts.length === 0) return [];
  const stored = unnestRows('r', receipts, {
    account_id: uuid((one) => one.accountId),
    message_id: uuid((one) => one.messageId),
    external_id: text((one) => scrubbed(one.externalId, 512)),
    part: int((one) => one.part),
    status: text((one) => one.status),
    error_code: text((one) => one.errorCode ?? null),
    provider_code: text((one) => scrubbed(one.providerCode, 512)),
    text: text((one) => scrubbed(one.text, 4_096)),
  });
  const { rows } = await sql<{ id: string }>`
    insert into receipts (account_id, message_id, external_id, part, status, error_code, provider_code, text)
    select account_id, message_id, external_id, part, status, error_code, provider_code, text from ${stored}
    returning id`.execute(db);
  return rows.map((row) => row.id);
}

export function scrubbed(text: string | null | undefined, maxLength: number): string | null {
  return text === null || text === undefined ? null : scrub(text, maxLength);
}

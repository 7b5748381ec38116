import type { Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import { type Statements, transact } from '../connection/transact.ts';
import { recordRefusals } from '../consents/refusals.ts';
import {
  type LockedMessage,
  lockMessages,
  type ReachedStatus,
  type Traced,
} from '../messages/status-changes.ts';
import { type AppliedReceipt, applyMatched, passAwaitedParts, refusedIn } from './matched.ts';
import { concealed } from './conceal.ts';
import { type NewReceipt, scrubbed, storeReceipts } from './store.ts';

export interface TakenReceipts {
  /** Receipts that were applied to their messages. */
  readonly applied: number;
  /** The ids of the others, which are stored, for `applyReceipts`. */
  readonly stored: readonly string[];
  readonly webhooks: readonly Wake[];
  readonly reached: readonly ReachedStatus[];
  /** Tenants with groups to move. */
  readonly groups: readonly Wake[];
  /** The messages of the applied receipts. */
  readonly messages: readonly Traced[];
}

/**
 * Takes new receipts in one commit: applies each to its message, in the order given, and stores the others. Those are
 * receipts whose message is unknown so far, of another account, or locked by another transaction. Waits for no lock of
 * a message. `traced` says whether to read the senders' `traceparent`.
 */
export async function takeReceipts(
  db: Db,
  given: readonly NewReceipt[],
  traced = false,
): Promise<TakenReceipts> {
  return transact(db, async (trx, commit) => {
    const ids = await messagesOf(trx, given);
    const receipts = await concealed(trx, given, ids);
    const [messages, at] = await Promise.all([
      lockMessages(
        trx,
        ids.flatMap((id) => id ?? []),
        { whenLocked: 'skip locked', traced },
      ),
      transactionTime(trx),
    ]);
    const own = new Map<string, LockedMessage>();
    const matched: AppliedReceipt[] = [];
    const others: NewReceipt[] = [];
    for (const [index, receipt] of receipts.entries()) {
      const message = messages.get(ids[index] ?? '');
      if (message?.accountId === receipt.accountId) {
        own.set(message.id, message);
        matched.push(toApplied(receipt, message.id, at));
      } else others.push(receipt);
    }
    const passed = await passAwaitedParts(trx, matched);
    const told = await recordRefusals(trx, refusedIn(matched));
    const [stored, { webhooks, reached, groups }] = await commit(
      Promise.all([storeReceipts(trx, others), applyMatched(trx, matched, passed, own)]),
    );
    return {
      applied: matched.length,
      stored,
      webhooks: [...webhooks, ...told],
      reached,
      groups,
      messages: [...own.values()],
    };
  });
}

/** The message of each receipt: the one it names, or the account's newest with the provider's id. Null without one. */
async function messagesOf(trx: Statements, receipts: readonly NewReceipt[]): Promise<(string | null)[]> {
  const unnamed = receipts.filter((receipt) => receipt.messageId === null && receipt.externalId !== null);
  if (unnamed.length === 0) return receipts.map((receipt) => receipt.messageId);
  const asked = unnestRows(
    'r',
    unnamed,
    {
      account_id: uuid((one) => one.accountId),
      external_id: text((one) => scrubbed(one.externalId, 512)),
    },
    'ordinal',
  );
  const { rows } = await sql<{ id: string | null }>`
    select (
      select m.id from messages m
      where m.channel_account_id = r.account_id and m.external_id = r.external_id and m.received_at is null
      order by m.id desc limit 1
    ) from ${asked} order by ordinal`.execute(trx);
  const found = new Map(unnamed.map((receipt, index) => [receipt, rows[index]!.id]));
  return receipts.map((receipt) => receipt.messageId ?? found.get(receipt) ?? null);
}

/** When the transaction began, by the database's clock. */
async function transactionTime(trx: Statements): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(trx);
  return rows[0]!.now;
}

function toApplied(receipt: NewReceipt, message: string, at: Date): AppliedReceipt {
  return {
    message,
    external_id: scrubbed(receipt.externalId, 512),
    part: receipt.part,
    status: receipt.status,
    error_code: receipt.errorCode ?? null,
    provider_code: scrubbed(receipt.providerCode, 512),
    text: scrubbed(receipt.text, 4_096),
    at,
  };
}

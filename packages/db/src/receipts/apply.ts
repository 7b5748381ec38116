import type { Wake } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import { type Statements, transact } from '../connection/transact.ts';
import { recordRefusals } from '../consents/refusals.ts';
import { lockMessages, type ReachedStatus, type Traced } from '../messages/status-changes.ts';
import { type AppliedReceipt, applyMatched, passAwaitedParts, refusedIn } from './matched.ts';

interface ExternalId {
  readonly accountId: string;
  readonly externalId: string;
}

/** The stored receipts to apply: some by id, those that name settled messages by the provider's id, or all due ones. */
export type ReceiptScope =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'external'; readonly messages: readonly ExternalId[] }
  | { readonly kind: 'due'; readonly limit: number };

export interface AppliedReceipts {
  /** Receipts that were read. */
  readonly seen: number;
  /** Receipts among them that found their message and were deleted. */
  readonly applied: number;
  readonly webhooks: readonly Wake[];
  readonly reached: readonly ReachedStatus[];
  /** Tenants with groups to move. */
  readonly groups: readonly Wake[];
  /** The messages of the applied receipts. */
  readonly messages: readonly Traced[];
}

const nothing: AppliedReceipts = { seen: 0, applied: 0, webhooks: [], reached: [], groups: [], messages: [] };

interface ReceiptRow extends Omit<AppliedReceipt, 'message'> {
  readonly id: string;
  readonly message: string | null;
}

/**
 * Applies stored receipts to their messages, oldest first. A receipt changes only messages of its own account. A
 * receipt without a message stays, is tried again at growing intervals, and is removed after a day (`dropOldReceipts`). `traced` says
 * whether to read the senders' `traceparent`.
 */
export async function applyReceipts(db: Db, scope: ReceiptScope, traced = false): Promise<AppliedReceipts> {
  // Receipts seldom arrive before their message's settlement, so one read spares most transactions.
  if (scope.kind === 'external' && !(await hasReceipts(db, scope))) return nothing;
  return transact(db, async (trx, commit) => {
    const receipts = await lockReceipts(trx, scope);
    if (receipts.length === 0) return nothing;
    const matched = receipts.filter(
      (receipt): receipt is ReceiptRow & AppliedReceipt => receipt.message !== null,
    );
    const ids = matched.map((receipt) => receipt.message);
    const [messages, passed] = await Promise.all([
      lockMessages(trx, ids, { traced }),
      passAwaitedParts(trx, matched),
    ]);
    const told = await recordRefusals(trx, refusedIn(matched));
    const [{ webhooks, reached, groups }] = await commit(
      Promise.all([
        applyMatched(trx, matched, passed, messages),
        removeReceipts(
          trx,
          matched.map((receipt) => receipt.id),
        ),
        postpone(
          trx,
          receipts.filter((receipt) => receipt.message === null).map((receipt) => receipt.id),
        ),
      ]),
    );
    return {
      seen: receipts.length,
      applied: matched.length,
      webhooks: [...webhooks, ...told],
      reached,
      groups,
      messages: [...messages.values()],
    };
  });
}

async function hasReceipts(db: Db, scope: ReceiptScope): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`
    select exists (select from receipts r where ${scopeCondition(scope)}) as some`.execute(db);
  return rows[0]!.some;
}

/** Two statements, because one that locks must not choose among partitions (docs/decisions/0012-write-path.md). */
async function lockReceipts(trx: Statements, scope: ReceiptScope): Promise<ReceiptRow[]> {
  const locked = await sql<{ id: string }>`
    select r.id from receipts r where ${scopeCondition(scope)}
    order by r.id limit ${scope.kind === 'due' ? scope.limit : 10_000} for update skip locked`.execute(trx);
  if (locked.rows.length === 0) return [];
  const { rows } = await sql<ReceiptRow>`
    select l.id, l.external_id, l.part, l.status, l.error_code, l.provider_code, l.text,
      case when l.message_id is null then l.received_at else greatest(l.received_at, l.apply_at) end as at, coalesce(
      (select m.id from messages m where m.id = l.message_id and m.channel_account_id = l.account_id
        and m.received_at is null),
      (select m.id from messages m where l.message_id is null and m.channel_account_id = l.account_id
        and m.external_id = l.external_id and m.received_at is null order by m.id desc limit 1)
    ) as message
    from receipts l where l.id = any (${locked.rows.map((row) => row.id)}::bigint[]) order by l.id`.execute(
    trx,
  );
  return rows;
}

function scopeCondition(scope: ReceiptScope) {
  switch (scope.kind) {
    case 'ids':
      return sql`r.id = any (${[...scope.ids]}::bigint[]) and r.apply_at <= now()`;
    case 'external':
      return sql`r.message_id is null and r.account_id = any (${scope.messages.map((message) => message.accountId)}::uuid[])
        and r.external_id = any (${scope.messages.map((message) => message.externalId)}::text[])
        and (r.account_id, r.external_id) in (select account_id, external_id from ${externalIds(scope.messages)})`;
    case 'due':
      return sql`r.apply_at <= now()`;
  }
}

function externalIds(messages: readonly ExternalId[]): RawBuilder<unknown> {
  return unnestRows('m', messages, {
    account_id: uuid((one) => one.accountId),
    external_id: text((one) => one.externalId),
  });
}

async function removeReceipts(trx: Statements, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`delete from receipts where id = any (${[...ids]}::bigint[])`.execute(trx);
}

/** Doubles the time that a receipt has waited, so that receipts without a message cost little. */
async function postpone(trx: Statements, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update receipts set apply_at = now() + greatest(interval '2 seconds', now() - received_at)
    where id = any (${[...ids]}::bigint[])`.execute(trx);
}

/** Postpones the first of the due receipts, as if its message were missing. Returns its id. */
export async function postponeFirstDue(db: Db): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from receipts where apply_at <= now() order by id limit 1`.execute(db);
  const [first] = rows;
  if (first === undefined) return null;
  await postpone(db, [first.id]);
  return first.id;
}

/** Removes receipts that found no message within a day. Returns the number removed. */
export async function dropOldReceipts(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from receipts where received_at < now() - interval '24 hours' and apply_at < now() + interval '24 hours'`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

import { type Change, type ReceiptStatus, scrub, type Wake } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { int, text, unnestRows, uuid } from '../connection/rows.ts';
import { type Statements, transact } from '../connection/transact.ts';
import { optedOutCode, suppressRecipients } from '../dispatch/consent.ts';
import {
  type StatusChange,
  lockMessages,
  type LockedMessage,
  writeStatusChanges,
} from '../messages/status-changes.ts';
import type { MessageReceipt } from '../schema/tables.ts';

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
export async function storeReceipts(db: Db, receipts: readonly NewReceipt[]): Promise<string[]> {
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

function scrubbed(text: string | null | undefined, maxLength: number): string | null {
  return text === null || text === undefined ? null : scrub(text, maxLength);
}

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
}

interface ReceiptRow {
  id: string;
  message: string | null;
  external_id: string | null;
  part: number | null;
  status: ReceiptStatus;
  error_code: string | null;
  provider_code: string | null;
  text: string | null;
  at: Date;
}

/**
 * Applies stored receipts to their messages, oldest first. A receipt changes only messages of its own account. A
 * receipt without a message stays, is tried again at growing intervals, and is removed after a day (`dropOldReceipts`).
 */
export async function applyReceipts(db: Db, scope: ReceiptScope): Promise<AppliedReceipts> {
  return transact(db, async (trx, commit) => {
    const receipts = await lockReceipts(trx, scope);
    if (receipts.length === 0) return { seen: 0, applied: 0, webhooks: [] };
    const matched = receipts.filter((receipt) => receipt.message !== null);
    const ids = matched.map((receipt) => receipt.message!);
    const [messages, passed] = await Promise.all([lockMessages(trx, ids), passAwaitedParts(trx, matched)]);
    const sent = passed.filter(({ messageId, part }) => part >= (messages.get(messageId)?.parts ?? 1));
    const [webhooks] = await commit(
      Promise.all([
        writeStatusChanges(trx, messages, [...matched.map(toStatusChange), ...sent.map(toSent)]),
        suppressRecipients(
          trx,
          matched.filter(tellsOptOut).map((receipt) => receipt.message!),
        ),
        dropAnswered(trx, messages),
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
    return { seen: receipts.length, applied: matched.length, webhooks };
  });
}

async function lockReceipts(trx: Statements, scope: ReceiptScope): Promise<ReceiptRow[]> {
  const { rows } = await sql<ReceiptRow>`
    with locked as (
      select * from receipts r where ${scopeCondition(scope)}
      order by r.id limit ${scope.kind === 'due' ? scope.limit : 10_000} for update skip locked
    )
    select l.id, l.external_id, l.part, l.status, l.error_code, l.provider_code, l.text,
      case when l.message_id is null then l.received_at else greatest(l.received_at, l.apply_at) end as at, coalesce(
      (select m.id from messages m where m.id = l.message_id and m.channel_account_id = l.account_id),
      (select m.id from messages m where l.message_id is null and m.channel_account_id = l.account_id
        and m.external_id = l.external_id order by m.id desc limit 1)
    ) as message
    from locked l order by l.id`.execute(trx);
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

function tellsOptOut(receipt: ReceiptRow): boolean {
  return receipt.status === 'failed' && receipt.error_code === optedOutCode;
}

function toStatusChange(receipt: ReceiptRow): StatusChange {
  const failed = receipt.status === 'failed';
  return {
    messageId: receipt.message!,
    change: toChange(receipt),
    // The external id of a message is that of its first part.
    externalId: (receipt.part ?? 0) === 0 ? receipt.external_id : null,
    receipt: toMessageReceipt(receipt),
    ...(failed ? { error: receipt.text ?? 'The provider reported a failure.' } : {}),
  };
}

/** The part of a receipt that is kept with its message. */
function toMessageReceipt({ at, status, part, error_code, provider_code, text }: ReceiptRow): MessageReceipt {
  return {
    at: at.toISOString(),
    status,
    ...(part === null ? {} : { part }),
    ...(error_code === null ? {} : { errorCode: error_code }),
    ...(provider_code === null ? {} : { providerCode: provider_code }),
    ...(text === null ? {} : { text: scrub(text, 512) }),
  };
}

function toChange(receipt: ReceiptRow): Change {
  switch (receipt.status) {
    case 'failed':
      return { kind: 'failed', errorCode: receipt.error_code ?? 'delivery-failed' };
    case 'sent':
    case 'delivered':
    case 'read':
      return { kind: receipt.status, ...(receipt.part === null ? {} : { part: receipt.part }) };
  }
}

interface PassedPart {
  readonly messageId: string;
  /** The next part, from 0. */
  readonly part: number;
}

/**
 * A part whose outcome was unknown has arrived: its message goes on with the next part, or is sent if it was the last.
 */
async function passAwaitedParts(trx: Statements, receipts: readonly ReceiptRow[]): Promise<PassedPart[]> {
  const told = receipts.filter((receipt) => receipt.part !== null && receipt.status !== 'failed');
  if (told.length === 0) return [];
  const parts = unnestRows('t', told, {
    message_id: uuid((receipt) => receipt.message),
    part: int((receipt) => receipt.part),
  });
  const { rows } = await sql<PassedPart>`
    with awaited as (
      select d.message_id from dispatch_due d
      join (select distinct * from ${parts}) t on t.message_id = d.message_id and t.part = d.part
      where d.message_id = any (${told.map((receipt) => receipt.message)}::uuid[])
        and d.awaiting_receipt and d.claimed_by is null order by d.message_id for update of d
    )
    update dispatch_due d set part = d.part + 1, awaiting_receipt = false, due_at = now()
    from awaited a
    where a.message_id = d.message_id and d.message_id = any (array(select message_id from awaited))
    returning d.message_id as "messageId", d.part`.execute(trx);
  return rows;
}

function toSent({ messageId }: PassedPart): StatusChange {
  return { messageId, change: { kind: 'sent' } };
}

/** Drops the due rows of messages that a receipt has settled. A message being worked on is left to its settlement. */
async function dropAnswered(trx: Statements, messages: ReadonlyMap<string, LockedMessage>): Promise<void> {
  const answered = [...messages.values()]
    .filter((message) => message.status !== 'queued')
    .map((one) => one.id);
  if (answered.length === 0) return;
  await sql`
    with waiting as (
      select message_id from dispatch_due
      where message_id = any (${answered}::uuid[]) and claimed_by is null
      order by message_id for update
    )
    delete from dispatch_due where message_id = any (array(select message_id from waiting))`.execute(trx);
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

import { type Change, type ReceiptStatus, scrub } from '@notify/core';
import { sql } from 'kysely';
import { int, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import { optedOutCode } from '../consents/refusals.ts';
import {
  type LockedMessage,
  type StatusChange,
  writeStatusChanges,
  type WrittenChanges,
} from '../messages/status-changes.ts';
import { partOf } from '../schema/part-progress.ts';
import type { MessageReceipt } from '../schema/tables.ts';

/** A receipt and the id of its message. */
export interface AppliedReceipt {
  readonly message: string;
  readonly external_id: string | null;
  readonly part: number | null;
  readonly status: ReceiptStatus;
  readonly error_code: string | null;
  readonly provider_code: string | null;
  readonly text: string | null;
  readonly at: Date;
}

/** Applies receipts to their locked messages, in the order given. */
export async function applyMatched(
  trx: Statements,
  receipts: readonly AppliedReceipt[],
  passed: readonly PassedPart[],
  messages: Map<string, LockedMessage>,
): Promise<WrittenChanges> {
  const sent = passed.filter(({ messageId, part }) => part >= (messages.get(messageId)?.parts ?? 1));
  const changes = [...receipts.map(toStatusChange), ...sent.map(toSent)];
  const overtaken = [...messages.values()].filter(({ status }) => status === 'queued').map(({ id }) => id);
  const [written] = await Promise.all([
    writeStatusChanges(trx, messages, changes),
    countAttempts(trx, overtaken),
    dropAnswered(trx, messages),
  ]);
  return written;
}

/** Counts the running attempts of messages whose receipts overtake their settlement. */
async function countAttempts(trx: Statements, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await sql`
    update messages m set
      attempts = greatest(attempts, (select attempts from dispatch_due where message_id = m.id))
    where id = any (${messageIds}::uuid[])`.execute(trx);
}

/** The messages whose recipients opted out, as their receipts say. */
export function refusedIn(receipts: readonly AppliedReceipt[]): string[] {
  return receipts
    .filter((receipt) => receipt.status === 'failed' && receipt.error_code === optedOutCode)
    .map((receipt) => receipt.message);
}

function toStatusChange(receipt: AppliedReceipt): StatusChange {
  const failed = receipt.status === 'failed';
  return {
    messageId: receipt.message,
    change: toChange(receipt),
    // The external id of a message is that of its first part.
    externalId: (receipt.part ?? 0) === 0 ? receipt.external_id : null,
    receipt: toMessageReceipt(receipt),
    ...(failed ? { error: receipt.text ?? 'The provider reported a failure.' } : {}),
  };
}

/** The part of a receipt that is kept with its message. */
function toMessageReceipt({
  at,
  status,
  part,
  error_code,
  provider_code,
  text,
}: AppliedReceipt): MessageReceipt {
  return {
    at: at.toISOString(),
    status,
    ...(part === null ? {} : { part }),
    ...(error_code === null ? {} : { errorCode: error_code }),
    ...(provider_code === null ? {} : { providerCode: provider_code }),
    ...(text === null ? {} : { text: scrub(text, 512) }),
  };
}

function toChange(receipt: AppliedReceipt): Change {
  switch (receipt.status) {
    case 'failed':
      return { kind: 'failed', errorCode: receipt.error_code ?? 'delivery-failed' };
    case 'sent':
    case 'delivered':
    case 'read':
      return { kind: receipt.status, ...(receipt.part === null ? {} : { part: receipt.part }) };
  }
}

export interface PassedPart {
  readonly messageId: string;
  /** The next part, from 0. */
  readonly part: number;
}

/**
 * A part whose outcome was unknown has arrived: its message goes on with the next part, or is sent if it was the last.
 */
export async function passAwaitedParts(
  trx: Statements,
  receipts: readonly AppliedReceipt[],
): Promise<PassedPart[]> {
  const told = receipts.filter((receipt) => receipt.part !== null && receipt.status !== 'failed');
  if (told.length === 0) return [];
  const parts = unnestRows('t', told, {
    message_id: uuid((receipt) => receipt.message),
    part: int((receipt) => receipt.part),
  });
  const { rows } = await sql<PassedPart>`
    with awaited as (
      select d.message_id from dispatch_due d
      join (select distinct * from ${parts}) t on t.message_id = d.message_id and t.part = ${partOf(sql`d.part`)}
      where d.message_id = any (${told.map((receipt) => receipt.message)}::uuid[])
        and d.awaiting_receipt and d.claimed_by is null order by d.message_id for update of d
    )
    update dispatch_due d set part = d.part + 1, awaiting_receipt = false, due_at = now()
    from awaited a
    where a.message_id = d.message_id and d.message_id = any (array(select message_id from awaited))
    returning d.message_id as "messageId", ${partOf(sql`d.part`)} as part`.execute(trx);
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

import { type Decision, scrub, type Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { bool, float8, int, text, unnestRows, uuid } from '../connection/rows.ts';
import { type Statements, transact } from '../connection/transact.ts';
import { optedOutCode, recordRefusals } from '../consents/refusals.ts';
import {
  type StatusChange,
  lockMessages,
  type LockedMessage,
  type ReachedStatus,
  writeStatusChanges,
} from '../messages/status-changes.ts';
import { storedProgress } from '../schema/part-progress.ts';
import { updateAccounts } from './settle-accounts.ts';
import { type Settlement, toldBy } from './settlement.ts';

export interface Settled {
  readonly webhooks: readonly Wake[];
  /** Messages whose lease was lost during the attempt. If the provider accepted one, that is kept as a receipt. */
  readonly lost: readonly string[];
  /** The settlements that counted, because their lease was held. */
  readonly settled: ReadonlySet<Settlement>;
  readonly reached: readonly ReachedStatus[];
  /** Tenants with groups to move. */
  readonly groups: readonly Wake[];
  /** Messages that are sent again although the provider may have them, marked `possible_duplicate`. */
  readonly repeated: readonly string[];
  /** Accounts that never passed a check, and now had their first message accepted. */
  readonly connected: readonly string[];
}

/**
 * Settles attempts in one transaction: messages with their events and deliveries, next due times, the attempts
 * themselves, receipts foreseen by the provider, opt-outs, and the accounts' state, written once per batch. A settlement counts
 * only while its lease is held. An acceptance that comes later is certain knowledge, so it is stored as a receipt. `traced`: the
 * senders' `traceparent` is handed on with the events.
 */
export async function settleMessages(
  db: Db,
  settlements: readonly Settlement[],
  traced = false,
): Promise<Settled> {
  return transact(db, async (trx, commit) => {
    const ids = settlements.map((settlement) => settlement.messageId);
    const [messages, held] = await Promise.all([lockMessages(trx, ids, { traced }), lockLeases(trx, ids)]);
    const mine = settlements.filter((settlement) => held.get(settlement.messageId) === settlement.holder);
    const lost = settlements.filter((settlement) => held.get(settlement.messageId) !== settlement.holder);
    const attempted = mine.filter((settlement) => settlement.attempted);
    const open = new Set(mine.filter((one) => isOpen(messages, one)).map((one) => one.messageId));
    const changes = mine.map((one) => toStatusChange(one, open));
    const optedOut = mine.filter(tellsOptOut).map((settlement) => settlement.messageId);
    const told = await recordRefusals(trx, optedOut);
    const [{ webhooks, reached, groups }, , , , , connected] = await commit(
      Promise.all([
        writeStatusChanges(trx, messages, changes),
        insertAttempts(trx, attempted),
        moveDue(trx, mine, open),
        insertForeseen(trx, settlements),
        insertLate(trx, lost),
        updateAccounts(trx, mine),
      ]),
    );
    return {
      webhooks: [...webhooks, ...told],
      lost: lost.map((settlement) => settlement.messageId),
      settled: new Set(mine),
      reached,
      groups,
      repeated: mine
        .filter((one) => open.has(one.messageId) && mayDuplicate(one))
        .map((one) => one.messageId),
      connected,
    };
  });
}

/** Our own refusal says nothing new, and the recipient may have opted in since the claim. */
function tellsOptOut({ tookMs, decision }: Settlement): boolean {
  return tookMs !== null && decision.kind === 'failed' && decision.errorCode === optedOutCode;
}

async function lockLeases(trx: Statements, ids: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ message_id: string; claimed_by: string | null }>`
    select message_id, claimed_by from dispatch_due where message_id = any (${ids}::uuid[])
    order by message_id for update`.execute(trx);
  return new Map(rows.map((row) => [row.message_id, row.claimed_by]));
}

/** Whether the message is still to be sent: no receipt has ended it during the attempt. */
function isOpen(messages: ReadonlyMap<string, LockedMessage>, settlement: Settlement): boolean {
  return messages.get(settlement.messageId)?.status === 'queued';
}

function toStatusChange(settlement: Settlement, open: ReadonlySet<string>): StatusChange {
  const { decision, outcome } = settlement;
  const accepted = outcome.kind === 'accepted';
  return {
    messageId: settlement.messageId,
    change:
      decision.kind === 'sent'
        ? { kind: 'sent' }
        : decision.kind === 'failed' && open.has(settlement.messageId)
          ? { kind: 'failed', errorCode: decision.errorCode }
          : null,
    ...(accepted ? { externalId: scrubbed(outcome.externalId) } : {}),
    ...(decision.kind === 'failed' ? { error: scrub(decision.text) } : {}),
    attempts: burnt(settlement),
    parts: settlement.parts,
    segments: settlement.segments,
    possibleDuplicate: mayDuplicate(settlement),
  };
}

function mayDuplicate({ decision }: Settlement): boolean {
  return decision.kind === 'resend' && decision.possibleDuplicate;
}

/** Attempts used when this one is settled. A throttle or a broken account uses none. */
function burnt({ attempts, decision }: Settlement): number {
  return isUnburnt(decision) ? attempts - 1 : attempts;
}

function isUnburnt(decision: Decision): boolean {
  return ['pause-account', 'pause-recipient', 'break-account'].includes(decision.kind);
}

async function insertAttempts(trx: Statements, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  const attempts = unnestRows('a', settlements, {
    message_id: uuid((one) => one.messageId),
    number: int((one) => one.attempts),
    part: int((one) => one.part),
    outcome: text((one) => one.outcome.kind),
    provider_code: text(({ outcome }) => ('providerCode' in outcome ? scrubbed(outcome.providerCode) : null)),
    text: text(({ outcome }) => toldBy(outcome)),
  });
  await sql`
    insert into attempts (message_id, number, part, outcome, provider_code, text, started_at, ended_at)
    select a.message_id, a.number, a.part, a.outcome, a.provider_code, a.text,
      coalesce(d.attempt_began_at, now()), now()
    from ${attempts}
    left join dispatch_due d on d.message_id = a.message_id
      and d.message_id = any (${settlements.map((one) => one.messageId)}::uuid[])`.execute(trx);
}

function scrubbed(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : scrub(text, 512);
}

/** The row in `dispatch_due` after a decision; null when the row leaves. */
interface NextDueRow {
  readonly afterMs: number;
  readonly awaiting: boolean;
  /** As stored: the next part and the cut. */
  readonly part: number;
  readonly throttled: number;
  readonly resent: number;
}

function nextRow(settlement: Settlement): NextDueRow | null {
  const { decision, part } = settlement;
  const here = settlement.parts > 1 ? storedProgress(settlement) : part;
  // Where nothing went out, the next attempt chooses the cut.
  const base = { afterMs: 0, awaiting: false, part: part === 0 ? 0 : here, throttled: 0, resent: 0 };
  switch (decision.kind) {
    case 'sent':
    case 'failed':
      return null;
    case 'next-part':
      return { ...base, part: here + 1 };
    case 'retry':
      return { ...base, afterMs: decision.afterMs };
    case 'pause-recipient':
      return { ...base, afterMs: decision.afterMs, throttled: 1 };
    case 'pause-account':
      return { ...base, throttled: 1 };
    case 'break-account':
      return base;
    case 'await-receipt':
      return { ...base, part: here, afterMs: decision.afterMs, awaiting: true };
    case 'resend':
      return { ...base, afterMs: decision.afterMs, resent: 1 };
  }
}

async function moveDue(
  trx: Statements,
  settlements: readonly Settlement[],
  open: ReadonlySet<string>,
): Promise<void> {
  const leaving: string[] = [];
  const staying: Staying[] = [];
  for (const settlement of settlements) {
    const next = open.has(settlement.messageId) ? nextRow(settlement) : null;
    if (next === null) leaving.push(settlement.messageId);
    else staying.push({ settlement, next });
  }
  await Promise.all([removeDue(trx, leaving), postponeDue(trx, staying)]);
}

interface Staying {
  readonly settlement: Settlement;
  readonly next: NextDueRow;
}

async function removeDue(trx: Statements, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await sql`delete from dispatch_due where message_id = any (${ids}::uuid[])`.execute(trx);
}

async function postponeDue(trx: Statements, staying: readonly Staying[]): Promise<void> {
  if (staying.length === 0) return;
  const next = unnestRows('n', staying, {
    message_id: uuid((one) => one.settlement.messageId),
    after_ms: float8((one) => one.next.afterMs),
    awaiting: bool((one) => one.next.awaiting),
    part: int((one) => one.next.part),
    attempts: int((one) => burnt(one.settlement)),
    throttled: int((one) => one.next.throttled),
    resent: int((one) => one.next.resent),
  });
  await sql`
    update dispatch_due d set
      claimed_by = null, claimed_until = null, attempt_began_at = null,
      due_at = now() + make_interval(secs => n.after_ms / 1000), has_slot = false, awaiting_receipt = n.awaiting, part = n.part,
      attempts = n.attempts, throttles = d.throttles + n.throttled, resends = d.resends + n.resent
    from ${next}
    where d.message_id = n.message_id
      and d.message_id = any (${staying.map(({ settlement }) => settlement.messageId)}::uuid[])`.execute(trx);
}

async function insertForeseen(trx: Statements, settlements: readonly Settlement[]): Promise<void> {
  const foreseen = settlements.flatMap(({ outcome, accountId, messageId }) =>
    outcome.kind === 'accepted'
      ? (outcome.receipts ?? []).map((receipt) => ({ accountId, messageId, receipt }))
      : [],
  );
  if (foreseen.length === 0) return;
  const receipts = unnestRows('r', foreseen, {
    account_id: uuid((one) => one.accountId),
    message_id: uuid((one) => one.messageId),
    status: text((one) => one.receipt.status),
    error_code: text((one) => one.receipt.errorCode ?? null),
    text: text((one) => one.receipt.text ?? null),
    after_ms: float8((one) => one.receipt.afterMs),
  });
  await sql`
    insert into receipts (account_id, message_id, status, error_code, text, apply_at)
    select account_id, message_id, status, error_code, text, now() + make_interval(secs => after_ms / 1000)
    from ${receipts}`.execute(trx);
}

/** An acceptance whose lease was lost still shows that the message was sent. */
async function insertLate(trx: Statements, lost: readonly Settlement[]): Promise<void> {
  const late = lost.flatMap(({ accountId, messageId, outcome, part, parts }) =>
    outcome.kind === 'accepted'
      ? [{ accountId, messageId, externalId: scrubbed(outcome.externalId), part: parts > 1 ? part : null }]
      : [],
  );
  if (late.length === 0) return;
  const receipts = unnestRows('r', late, {
    account_id: uuid((one) => one.accountId),
    message_id: uuid((one) => one.messageId),
    external_id: text((one) => one.externalId),
    part: int((one) => one.part),
  });
  await sql`
    insert into receipts (account_id, message_id, external_id, part, status)
    select account_id, message_id, external_id, part, 'sent'
    from ${receipts}`.execute(trx);
}

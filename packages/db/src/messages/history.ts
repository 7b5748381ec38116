import type { EventKind, Outcome } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { MessageReceipt } from '../schema/tables.ts';
import { isCancelable } from './cancel.ts';
import {
  type EventDelivery,
  type MessageEventRow,
  readDeliveries,
  readEvents,
  type Telling,
} from './events.ts';
import { messageColumns, type MessageRow } from './look-up.ts';

/** A message with its account, receipts and current attempt. */
export interface TracedMessage extends MessageRow {
  readonly reports: readonly MessageReceipt[];
  readonly resend_of: string | null;
  readonly resent_as: string | null;
  /** Null when the message has no account, or the account is gone. */
  readonly account_name: string | null;
  readonly account_provider: string | null;
  readonly cancelable: boolean;
  /** When it is due. Null when it does not wait, or is held until somebody acts. */
  readonly next_attempt_at: Date | null;
  /** When the current attempt began. */
  readonly began_at: Date | null;
  readonly part: number | null;
}

/** An ended attempt at the provider. */
export interface AttemptRow {
  readonly number: number;
  readonly part: number;
  readonly outcome: Outcome['kind'];
  readonly providerCode: string | null;
  readonly text: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** A message with its attempts, events and deliveries. */
export interface MessageHistoryRow {
  readonly message: TracedMessage;
  readonly attempts: readonly AttemptRow[];
  readonly events: readonly MessageEventRow[];
  readonly deliveries: readonly EventDelivery[];
}

/** The most rows read of each kind. */
const atMost = 200;

/** The history of a message, or null when the tenant has no message of that id. */
export async function readHistory(
  db: Db,
  tenantId: string,
  messageId: string,
): Promise<MessageHistoryRow | null> {
  const message = await trace(db, tenantId, messageId);
  if (message === null) return null;
  const attempts = await readAttempts(db, messageId);
  const events = await readEvents(db, message, tellingsOf(message, attempts));
  const deliveries = await readDeliveries(db, tenantId, events, atMost);
  return { message, attempts, events, deliveries };
}

async function trace(db: Db, tenantId: string, messageId: string): Promise<TracedMessage | null> {
  const { rows } = await sql<TracedMessage>`
    select m.*, a.name as account_name, a.provider as account_provider,
      coalesce(${isCancelable}, s.message_id is not null) as cancelable, d.part,
      case when d.claimed_by is not null then d.attempt_began_at end as began_at,
      case when d.claimed_by is null and coalesce(d.message_id, s.message_id) is not null and not coalesce(a.blocked, false)
        then nullif(greatest(d.due_at, s.due_at, a.paused_until, a.paced_until), 'infinity') end as next_attempt_at
    from (
      select ${messageColumns}, reports, resend_of, resent_as from messages
      where id = ${messageId}::uuid and tenant_id = ${tenantId}::uuid
    ) m
    left join channel_accounts a on a.id = m.channel_account_id and a.tenant_id = m.tenant_id
    left join dispatch_due d on d.message_id = m.id
    left join scheduled_messages s on s.message_id = m.id`.execute(db);
  return rows[0] ?? null;
}

async function readAttempts(db: Db, messageId: string): Promise<readonly AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select number, part, outcome, provider_code as "providerCode", text, started_at as "startedAt",
      ended_at as "endedAt"
    from attempts where message_id = ${messageId}::uuid order by id desc limit ${atMost}`.execute(db);
  return rows.toReversed();
}

/** An event of the version before got its id at most this much after `updated_at`, in ms. */
const toldWithinMs = 30_000;

/**
 * When the id of each event was made: from the time of its step until the latest change of the message, which no set clock makes
 * earlier. A corrected failure has no such time: it came after the first attempt, if there was one.
 */
function tellingsOf(message: TracedMessage, attempts: readonly AttemptRow[]): Telling[] {
  const times = stepTimes(message);
  const until = new Date(message.updated_at.getTime() + toldWithinMs);
  return message.emitted.map((kind) => ({
    event: `message.${kind}`,
    from: times[kind] ?? attempts[0]?.startedAt ?? message.created_at,
    until,
  }));
}

/** The stored time of each step of a message. Null when the step was not taken, or was corrected later. */
export function stepTimes(message: TracedMessage): Readonly<Record<EventKind | 'received', Date | null>> {
  return {
    received: message.received_at,
    queued: message.created_at,
    sent: message.sent_at,
    delivered: message.delivered_at,
    read: message.read_at,
    failed: message.failed_at,
  };
}

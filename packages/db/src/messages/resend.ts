import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { type Accepted, acceptMessages } from './accept.ts';
import type { AcceptItem, AcceptRules } from './accept-statement.ts';
import { findMessagesOf, isOutbound, type MessageRow, type OutboundRow } from './look-up.ts';

/** A message, and the latest resend of it. */
export interface Resend {
  readonly message: MessageRow;
  readonly successor: OutboundRow | null;
  /** Whether it is a route of a group that has not ended, so that another route may follow. */
  readonly isInOpenGroup: boolean;
  /** The sender's `traceparent` of the message. Null where it is not read. */
  readonly traceparent: string | null;
}

/**
 * Null when the tenant has no message of that id. Without `traced` the sender's `traceparent` is not read, so its column may be
 * missing, as before an update.
 */
export async function findResend(
  db: Db,
  tenantId: string,
  messageId: string,
  traced = false,
): Promise<Resend | null> {
  const { rows } = await sql<{
    resent_as: string | null;
    in_open_group: boolean;
    traceparent?: string | null;
  }>`
    select resent_as, exists (
        select from message_groups g where g.id = group_id and g.ended_at is null
      ) as in_open_group${traced ? sql`, traceparent` : sql``} from messages where id = ${messageId}::uuid and tenant_id = ${tenantId}::uuid`.execute(
    db,
  );
  const successorId = rows[0]?.resent_as ?? null;
  const ids = [messageId, ...(successorId === null ? [] : [successorId])];
  const messages = await findMessagesOf(db, tenantId, ids);
  const message = messages.find(({ id }) => id === messageId);
  if (message === undefined) return null;
  return {
    message,
    successor: messages.filter(isOutbound).find(({ id }) => id === successorId) ?? null,
    isInOpenGroup: rows[0]?.in_open_group ?? false,
    traceparent: rows[0]?.traceparent ?? null,
  };
}

/** The failed message. */
export interface Original {
  readonly messageId: string;
  /** Whether the failed message may have arrived. */
  readonly possibleDuplicate: boolean;
}

/** Accepts one message as `acceptMessages` does, and links it with the one it replaces, in the same commit. */
export async function acceptResend(
  db: Db,
  item: AcceptItem,
  original: Original,
  rules: AcceptRules,
): Promise<Accepted> {
  return db.transaction().execute(async (trx) => {
    const accepted = await acceptMessages(trx, [item], rules);
    const [result] = accepted.results;
    if (result?.kind === 'accepted' && !result.repeated)
      await link(trx, item.tenantId, original, result.message.id);
    return accepted;
  });
}

async function link(trx: Trx, tenantId: string, original: Original, newId: string): Promise<void> {
  await sql`
    update messages set resent_as = ${newId}::uuid
    where id = ${original.messageId}::uuid and tenant_id = ${tenantId}::uuid`.execute(trx);
  await sql`
    update messages set resend_of = ${original.messageId}::uuid, possible_duplicate = ${original.possibleDuplicate}
    where id = ${newId}::uuid and tenant_id = ${tenantId}::uuid`.execute(trx);
}

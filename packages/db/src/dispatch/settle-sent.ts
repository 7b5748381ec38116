import { scrub, type Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { int, text, unnestRows, uuid } from '../connection/rows.ts';
import { idInOrder, insertEvents, laterThan, webhooksToWake } from '../messages/insert-events.ts';
import { slowCallMs } from './settle-accounts.ts';
import { type Settlement, toldBy } from './settlement.ts';

export interface SettledSent {
  /** The ids of the messages that were settled. */
  readonly messageIds: ReadonlySet<string>;
  readonly webhooks: readonly Wake[];
}

/**
 * Whether `settleSent` may settle it: the provider accepted a message of one part at once. Most attempts end like this.
 */
export function isPlainSuccess({ outcome, decision, ...one }: Settlement): boolean {
  return (
    outcome.kind === 'accepted' &&
    decision.kind === 'sent' &&
    (outcome.receipts ?? []).length === 0 &&
    one.parts === 1 &&
    one.attempted &&
    (one.tookMs ?? 0) < slowCallMs
  );
}

/**
 * Settles plain successes in one statement, without a round trip for locks. Leaves out a message whose lease was lost,
 * that a receipt has changed already, that is a route of a group, or whose account a success would change. `settleMessages` settles those. Locks
 * messages in id order, and then their due rows. Finds the values of a message by their place in arrays, because a
 * statement that locks must not choose among partitions by a join (docs/decisions/0012-write-path.md). `traced`: the senders'
 * `traceparent` is handed on with the events.
 */
export async function settleSent(
  db: Db,
  settlements: readonly Settlement[],
  traced = false,
): Promise<SettledSent> {
  const ids = settlements.map((one) => one.messageId);
  const accounts = [...new Set(settlements.map((one) => one.accountId))];
  const ended = unnestRows('s', settlements, {
    message_id: uuid((one) => one.messageId),
    account_id: uuid((one) => one.accountId),
    holder: uuid((one) => one.holder),
    attempts: int((one) => one.attempts),
    told: text((one) => toldBy(one.outcome)),
  });
  const externalIds = settlements.map(({ outcome }) =>
    outcome.kind === 'accepted' && outcome.externalId !== null ? scrub(outcome.externalId, 512) : null,
  );
  const attempts = settlements.map((one) => one.attempts);
  const segments = settlements.map((one) => one.segments);
  const events = sql`
        select ${idInOrder(sql`updated_at`, sql`2`)} as event_id, 'message.sent' as event, 2 as sequence,
          tenant_id, id as message_id, channel_account_id as account_id, channel, recipient, type, 'sent' as status, external_id, null as error,
          null as error_code, possible_duplicate, metadata, tags${traced ? sql`, traceparent` : sql``}
        from sent`;
  const { rows } = await sql<{ messages: string[] | null; webhooks: Wake[] | null }>`
    with queued as materialized (
      select id from messages
      where id = any (${ids}::uuid[]) and status = 'queued' and emitted = '{queued}' and parts = 1
        and group_id is null
      order by id for update
    ),
    leased as materialized (
      select message_id, claimed_by, attempt_began_at from dispatch_due
      where message_id = any (array(select id from queued)) and claimed_by is not null
      order by message_id for update
    ),
    held as materialized (
      select d.message_id as id, d.attempt_began_at, s.attempts, s.told
      from ${ended}
      join leased d on d.message_id = s.message_id and d.claimed_by = s.holder
      join channel_accounts a on a.id = s.account_id and a.id = any (${accounts}::uuid[])
      where a.status = 'connected' and a.status_detail is null and a.failures_in_row = 0
        and a.lane <> 'slow' and a.last_connected_at is not null
    ),
    sent as (
      update messages m set
        status = 'sent', emitted = '{queued,sent}', updated_at = ${laterThan(sql`m.updated_at`)}, sent_at = now(),
        (external_id, attempts, segments) = (
          select coalesce(m.external_id, (${externalIds}::text[])[place]), (${attempts}::int[])[place],
            coalesce((${segments}::int[])[place], m.segments)
          from array_position(${ids}::uuid[], m.id) place
        )
      where m.id = any (array(select id from held))
      returning m.*
    ),
    gone as (delete from dispatch_due where message_id = any (array(select id from held))),
    recorded as (
      insert into attempts (message_id, number, part, outcome, text, started_at, ended_at)
      select id, attempts, 0, 'accepted', told, coalesce(attempt_began_at, now()), now() from held
    ),
    ${insertEvents(events, { traced, labelled: true })}
    select (select json_agg(id) from held) as messages,
      (select json_agg(woken) from (${webhooksToWake}) woken) as webhooks`.execute(db);
  const { messages, webhooks } = rows[0]!;
  return { messageIds: new Set(messages), webhooks: webhooks ?? [] };
}

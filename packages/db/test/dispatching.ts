import type { Decision, Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import {
  type Claimed,
  claimMessages,
  type ClaimRequest,
  type ClaimTerms,
  type Settlement,
  settleMessages,
} from '@notify/db/dispatch';
import { acceptMessages } from '@notify/db/messages';
import type { Database } from '@notify/db/schema';
import { type TestTenant, textItem } from '@notify/testkit';
import { type Selectable, sql } from 'kysely';
import type { Settled } from '../src/dispatch/settle.ts';

/** Terms of acceptance, as they are by default. */
export const rules = { idempotencyDays: 7, blockExpiredTrials: false };
export const accepted: Outcome = { kind: 'accepted', externalId: 'ext-1' };
export const unknown: Outcome = { kind: 'unknown', text: 'no answer' };

/** Has messages of a tenant accepted; their ids. */
export async function send(db: Db, tenant: TestTenant, count = 1, bulk = false): Promise<string[]> {
  const items = Array.from({ length: count }, () => textItem(tenant, { bulk }));
  const { results } = await acceptMessages(db, items, rules);
  return results.map((result) => (result.kind === 'accepted' ? result.message.id : result.kind));
}

/** Claims as a turn of the tenant's account does. */
export async function claim(
  db: Db,
  tenant: TestTenant,
  changes: Partial<ClaimRequest & ClaimTerms> = {},
): Promise<Claimed[]> {
  const { limit = 10, singlesSinceBulk = 0, lane = 'fast' } = changes;
  const { leaseMs = { sandbox: { text: 15_000, media: 60_000 } } } = changes;
  const wanted = new Map([[tenant.accountId, { limit, singlesSinceBulk }]]);
  return (await claimMessages(db, wanted, { lane, leaseMs })).get(tenant.accountId) ?? [];
}

/** The end of a claimed attempt. */
export function settlement(claimed: Claimed, outcome: Outcome, decision: Decision): Settlement {
  return {
    accountId: claimed.account.id,
    settings: claimed.account.settings,
    messageId: claimed.messageId,
    holder: claimed.holder,
    attempts: claimed.attempts,
    part: claimed.part,
    parts: 1,
    cut: claimed.cut,
    segments: 1,
    outcome,
    decision,
    attempted: true,
    tookMs: 5,
  };
}

/** Settles one claim. */
export async function settle(
  db: Db,
  claimed: Claimed,
  outcome: Outcome,
  decision: Decision,
): Promise<Settled> {
  return settleMessages(db, [settlement(claimed, outcome, decision)]);
}

/** The message as it stands. */
export function message(db: Db, id: string): Promise<Selectable<Database['messages']>> {
  return db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** When and how the message is due; undefined once it is settled. */
export function due(db: Db, id: string): Promise<Selectable<Database['dispatch_due']> | undefined> {
  return db.selectFrom('dispatch_due').selectAll().where('message_id', '=', id).executeTakeFirst();
}

/** Every event told so far, as `sequence event`. */
export async function eventNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('events').select(['event', 'sequence']).orderBy('id').execute();
  return rows.map((row) => `${row.sequence} ${row.event}`);
}

/** Ends every lease, as time does. */
export async function endLease(db: Db): Promise<void> {
  await sql`update dispatch_due set claimed_until = now() - interval '1 second' where claimed_by is not null`.execute(
    db,
  );
}

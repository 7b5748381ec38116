import type { GroupStatus, LeftFor } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { type Moved, moveGroupOn } from '@notify/db/groups';
import type { TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { type AcceptedGroup, acceptGroup, type NewGroup } from '../../src/groups/accept.ts';
import { rules } from '../dispatching.ts';

/** A group of so many texts, each from the tenant's account to its own recipient. */
export function textGroup(tenant: TestTenant, routes: number, changes: Partial<NewGroup> = {}): NewGroup {
  return {
    tenantId: tenant.tenantId,
    keyId: tenant.keyId,
    routes: Array.from({ length: routes }, (_, at) => ({
      channel: 'sms',
      accountId: tenant.accountId,
      to: `+1555000200${at}`,
      type: 'text',
      body: { text: `route ${at}` },
    })),
    sendAt: null,
    expiresInSeconds: 86_400,
    advanceAfterSeconds: 60,
    idempotencyKey: null,
    requestHash: 'ab'.repeat(32),
    ...changes,
  };
}

/** Has a group accepted, in its own transaction, which a refusal leaves as it was. */
export function acceptOwn(db: Db, group: NewGroup): Promise<AcceptedGroup> {
  return db.transaction().execute((trx) => acceptGroup(trx, group, rules));
}

/** Has a group accepted; its id and that of its first message. */
export async function sendGroup(
  db: Db,
  group: NewGroup,
): Promise<{ readonly groupId: string; readonly messageId: string }> {
  const result = await acceptOwn(db, group);
  if (result.kind !== 'accepted') throw new Error(`refused: ${result.code}`);
  return { groupId: result.groupId, messageId: result.message.id };
}

/** Moves a group, of accounts whose providers report deliveries unless it says otherwise. */
export function move(db: Db, groupId: string, reports = true): Promise<Moved | null> {
  return moveGroupOn(db, groupId, { reports: () => reports, traced: false });
}

/** A group as it stands. */
export interface Standing {
  readonly status: GroupStatus;
  readonly ended: boolean;
  readonly twice: boolean;
  readonly ids: readonly string[];
  readonly left: readonly LeftFor[];
  readonly told: readonly string[];
  /** How often it is to be looked at. */
  readonly due: number;
  /** The status and error code of each of its messages. */
  readonly messages: readonly string[];
}

export async function standing(db: Db, groupId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select status, ended_at is not null as ended, delivered_twice as twice, message_ids as ids, left_for as left, told,
      (select count(*)::int from group_due where group_id = g.id) as due,
      array(select concat_ws(' ', m.status, m.error_code) from messages m where m.id = any (g.message_ids) order by m.id)
        as messages
    from message_groups g where id = ${groupId}::uuid`.execute(db);
  return rows[0]!;
}

/** Lets time pass for a group and its messages. */
export async function passFor(db: Db, groupId: string, seconds: number): Promise<void> {
  const back = sql`make_interval(secs => ${seconds}::float8)`;
  const ids = sql`any (array(select unnest(message_ids) from message_groups where id = ${groupId}::uuid))`;
  await db.transaction().execute(async (trx) => {
    await sql`update message_groups set route_ends_at = route_ends_at - ${back}, expires_at = expires_at - ${back}
      where id = ${groupId}::uuid`.execute(trx);
    await sql`update messages set expires_at = expires_at - ${back} where id = ${ids}`.execute(trx);
    await sql`update dispatch_due set expires_at = expires_at - ${back} where message_id = ${ids}`.execute(
      trx,
    );
    await sql`update group_due set due_at = due_at - ${back} where group_id = ${groupId}::uuid`.execute(trx);
  });
}

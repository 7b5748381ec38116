import { sql, type Selectable } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { findMessagesOf, isOutbound, type OutboundRow } from '../messages/look-up.ts';
import type { Database } from '../schema/tables.ts';

/** A group as its row is now, with the messages of the routes that have begun, in order. */
export interface GroupRow extends Pick<
  Selectable<Database['message_groups']>,
  | 'id'
  | 'tenant_id'
  | 'routes'
  | 'message_ids'
  | 'left_for'
  | 'status'
  | 'delivered_twice'
  | 'advance_after'
  | 'route_ends_at'
  | 'expires_at'
  | 'scheduled_at'
  | 'created_at'
  | 'updated_at'
  | 'ended_at'
> {
  readonly messages: readonly OutboundRow[];
}

/** Null if the tenant has no group of that id. */
export async function findGroup(db: Db, tenantId: string, groupId: string): Promise<GroupRow | null> {
  const { rows } = await sql<Omit<GroupRow, 'messages'>>`
    select id, tenant_id, routes, message_ids, left_for, status, delivered_twice, advance_after, route_ends_at, expires_at,
      scheduled_at, created_at, updated_at, ended_at
    from message_groups where id = ${groupId}::uuid and tenant_id = ${tenantId}::uuid`.execute(db);
  const [group] = rows;
  if (group === undefined) return null;
  const messages = await findMessagesOf(db, tenantId, group.message_ids);
  return { ...group, messages: messages.filter(isOutbound) };
}

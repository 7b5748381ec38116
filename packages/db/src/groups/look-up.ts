import { sql, type Selectable } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { findMessagesOf, isOutbound, type OutboundRow } from '../messages/look-up.ts';
import type { StoredRoute } from '../schema/group-tables.ts';
import type { Database } from '../schema/tables.ts';

/** A group as its row is now, with its routes as lists show them. */
export interface ListedGroupRow extends Pick<
  Selectable<Database['message_groups']>,
  | 'id'
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
  | 'metadata'
  | 'tags'
> {
  readonly routes: readonly Omit<StoredRoute, 'body'>[];
}

/** A group as its row is now, with the messages of the routes that have begun, in order. */
export interface GroupRow extends ListedGroupRow {
  readonly routes: readonly StoredRoute[];
  readonly messages: readonly OutboundRow[];
  /** The verification whose code its messages carry. Null for a group that was sent as one. */
  readonly verificationId: string | null;
}

const columns = sql`id, message_ids, left_for, status, delivered_twice, advance_after, route_ends_at, expires_at, scheduled_at,
      created_at, updated_at, ended_at, metadata, tags`;

/** Null if the tenant has no group of that id. */
export async function findGroup(db: Db, tenantId: string, groupId: string): Promise<GroupRow | null> {
  const { rows } = await sql<Omit<GroupRow, 'messages'>>`
    select ${columns}, routes, (select v.id from verifications v where v.group_id = g.id) as "verificationId"
    from message_groups g where id = ${groupId}::uuid and tenant_id = ${tenantId}::uuid`.execute(db);
  const [group] = rows;
  if (group === undefined) return null;
  const messages = await findMessagesOf(db, tenantId, group.message_ids);
  return { ...group, messages: messages.filter(isOutbound) };
}

/** Groups of the tenant in the order of these ids, without the contents of their routes. Unknown ones are left out. */
export async function findListedGroups(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<ListedGroupRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ListedGroupRow>`
    select ${columns}, (
        select json_agg(json_build_object('channel', route -> 'channel', 'to', route -> 'to', 'type', route -> 'type',
          'accountId', route -> 'accountId') order by ordinal)
        from json_array_elements(routes) with ordinality stored (route, ordinal)
      ) as routes
    from message_groups where tenant_id = ${tenantId}::uuid and id = any (${ids}::uuid[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

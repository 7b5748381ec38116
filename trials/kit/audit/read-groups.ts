import { sql } from 'kysely';
import type { GroupRecord } from './audit-groups.ts';
import { type Grouping, groupNumbers } from '../load/grouping.ts';
import { textsTo } from '../load/sent-texts.ts';
import type { System } from '../system/system.ts';

/** What all sides know of these groups. The rows are read first, so that the ledgers hold everything that they say was sent. */
export async function readGroups(
  system: System<unknown>,
  sent: readonly Grouping[],
): Promise<readonly GroupRecord[]> {
  if (sent.length === 0) return [];
  const { rows } = await sql<Omit<GroupRecord['rows'][number], 'routes'> & { key: string; routes: Route[] }>`
    select k.key, g.id, g.status, g.ended_at is not null as ended, g.left_for as "leftFor", (
      select json_agg(json_build_object(
        'messageId', m.id, 'status', m.status, 'createdAt', ${ms('m.created_at')},
        'storedAt', ${ms('uuid_extract_timestamp(m.id)')}, 'failedAt', ${ms('m.failed_at')},
        'deliveredAt', ${ms('m.delivered_at')}, 'possibleDuplicate', m.possible_duplicate, 'calledAt', (
          select coalesce(json_agg(${ms('a.started_at')}), '[]'::json) from attempts a where a.message_id = m.id
        )) order by r.place)
      from unnest(g.message_ids) with ordinality r (id, place) join messages m on m.id = r.id
    ) as routes
    from message_groups g join idempotency_keys k on k.tenant_id = g.tenant_id and k.message_id = g.message_ids[1]`.execute(
    system.db,
  );
  const taken = new Map<string, number>();
  for (const one of await textsTo(system, groupNumbers))
    taken.set(one.messageId, (taken.get(one.messageId) ?? 0) + one.taken);
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return sent.map(({ key, tenant, ids, wrong }) => ({
    key,
    policy: tenant.policy,
    ids: [...ids],
    wrong,
    rows: (byKey.get(key) ?? []).map((row) => ({
      ...row,
      routes: row.routes.map((route) => ({ ...route, taken: taken.get(route.messageId) ?? 0 })),
    })),
  }));
}

type Route = Omit<GroupRecord['rows'][number]['routes'][number], 'taken'>;

/** A time in ms, in SQL. */
function ms(column: string) {
  return sql`(extract(epoch from ${sql.raw(column)}) * 1000)::float8`;
}

import { type RawBuilder, sql } from 'kysely';
import { bigint, int, unnestRows, uuid } from '../connection/rows.ts';

/** What a process works on for a tenant, and when it last began something for it. */
export interface TenantShare {
  readonly tenantId: string;
  /** Accounts of the tenant that this process works on. */
  readonly held: number;
  /** Rises with each beginning. A tenant with a lower one has waited longer. */
  readonly servedAt: number;
}

/** How the slots of a process are shared between tenants. */
export interface TenantShares {
  /** Tenants that are missing here hold nothing and come first. */
  readonly tenants: readonly TenantShare[];
  /** The most accounts of one tenant at once. */
  readonly perTenant: number;
}

/** Rows that are looked at beyond the limit, because other processes may be claiming the first ones. */
const spare = 100;

/** One tenant may have all. */
export const noShares: TenantShares = { tenants: [], perTenant: 2 ** 31 - 1 };

/**
 * The IDs of the accounts to claim next, in SQL: `limit` of the rows of `table` that are due, locked. Those of tenants that hold
 * the fewest come first, then those of the tenant that was served least recently, then the longest due. So a tenant with
 * many accounts delays itself, and others by one account at most. `isDue` is a condition on the row `s`.
 */
export function fairlyDue(
  table: 'account_template_syncs' | 'update_sources',
  isDue: RawBuilder<boolean>,
  limit: number,
  { tenants, perTenant }: TenantShares,
): RawBuilder<unknown> {
  const shares = unnestRows('t', tenants, {
    tenant_id: uuid((one) => one.tenantId),
    held: int((one) => one.held),
    served_at: bigint((one) => String(one.servedAt)),
  });
  return sql`
    select s.account_id from (
      select * from (
        select s.account_id, s.due_at, coalesce(t.served_at, 0) as served_at,
          coalesce(t.held, 0) + row_number() over (partition by a.tenant_id order by s.due_at) as place
        from ${sql.table(table)} s
        join channel_accounts a on a.id = s.account_id
        left join ${shares} on t.tenant_id = a.tenant_id
        where ${isDue}
      ) ranked where place <= ${perTenant}::bigint order by place, served_at, due_at limit ${limit + spare}
    ) r join ${sql.table(table)} s on s.account_id = r.account_id
    where ${isDue}
    order by r.place, r.served_at, r.due_at limit ${limit} for update of s skip locked`;
}

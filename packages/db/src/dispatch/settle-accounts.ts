import { type RawBuilder, sql } from 'kysely';
import { bool, float8, int, text, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import type { Settlement } from './settlement.ts';

/** A call slower than this moves an account to the slow lane. A faster success moves it back. In ms. */
export const slowCallMs = 2_000;
/** This many failures in a row move an account to the slow lane. */
const slowAfterFailures = 3;

/** An earlier message's success must not resume an account that is held until somebody acts. */
const isGoing = sql`a.status <> 'action-required' and coalesce(a.paused_until < 'infinity', true)`;

/** Accounts with a connection of their own stay in their lane. */
const nextLane = sql`
  case when a.lane not in ('fast', 'slow') then a.lane
    when u.slow or (not u.succeeded and a.failures_in_row + u.failures >= ${slowAfterFailures}) then 'slow'
    when u.succeeded then 'fast' else a.lane end`;

interface AccountUpdate {
  readonly id: string;
  readonly pauseMs: number | null;
  readonly pauseReason: string | null;
  readonly broken: string | null;
  /** The sealed settings that failed. The account may have other settings by now. */
  readonly brokenSettings: string | null;
  readonly failures: number;
  /** Whether the provider answered about a message: it accepted or rejected it. */
  readonly succeeded: boolean;
  readonly accepted: boolean;
  readonly slow: boolean;
}

function toAccountUpdate(id: string, settlements: readonly Settlement[]): AccountUpdate {
  let pauseMs: number | null = null;
  let pauseReason: string | null = null;
  let broken: string | null = null;
  let brokenSettings: string | null = null;
  for (const { decision, settings } of settlements) {
    if (decision.kind === 'break-account') [broken, brokenSettings] = [decision.text, settings];
    if (decision.kind === 'pause-account' && decision.afterMs > (pauseMs ?? -1)) {
      pauseMs = decision.afterMs;
      pauseReason = decision.text;
    }
  }
  const called = settlements.filter((settlement) => settlement.tookMs !== null);
  const slowest = Math.max(0, ...called.map((settlement) => settlement.tookMs ?? 0));
  return {
    id,
    pauseMs,
    pauseReason,
    broken,
    brokenSettings,
    failures: settlements.filter((one) => one.attempted && ['retry', 'unknown'].includes(one.outcome.kind))
      .length,
    succeeded: settlements.some(({ outcome }) => outcome.kind === 'accepted' || outcome.kind === 'rejected'),
    accepted: settlements.some(({ outcome }) => outcome.kind === 'accepted'),
    slow: slowest >= slowCallMs,
  };
}

function tableOf(updates: readonly AccountUpdate[]): RawBuilder<unknown> {
  return unnestRows('u', updates, {
    id: uuid((one) => one.id),
    pause_ms: float8((one) => one.pauseMs),
    pause_reason: text((one) => one.pauseReason),
    broken: text((one) => one.broken),
    broken_settings: text((one) => one.brokenSettings),
    failures: int((one) => one.failures),
    succeeded: bool((one) => one.succeeded),
    accepted: bool((one) => one.accepted),
    slow: bool((one) => one.slow),
  });
}

/**
 * Writes each account at most once, and only if it changes. A broken connection counts only against the settings that
 * the call used. Only an accepted message is the first success of an account. Returns the ids of accounts that have been
 * `connecting` since they were made, and now are connected.
 */
export async function updateAccounts(trx: Statements, settlements: readonly Settlement[]): Promise<string[]> {
  const updates = [...Map.groupBy(settlements, (settlement) => settlement.accountId)]
    .map(([id, list]) => toAccountUpdate(id, list))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  if (updates.length === 0) return [];
  const ids = updates.map((one) => one.id);
  const telling = updates.filter(
    ({ broken, pauseMs, failures, slow }) => broken ?? pauseMs ?? (failures > 0 || slow),
  );
  const { rows } = await sql<{ id: string; first: boolean }>`
    with a as (
      select * from channel_accounts
      where id = any (${ids}::uuid[]) and (
        id = any (${telling.map((one) => one.id)}::uuid[])
        or failures_in_row > 0 or lane = 'slow' or status <> 'connected' or last_connected_at is null
        or status_detail is not null)
      order by id for no key update
    ),
    u as (
      select u.id, u.pause_ms, u.pause_reason, u.accepted or (u.succeeded and a.last_connected_at is not null) as works,
        a.status = 'connecting' and a.last_connected_at is null and a.lane in ('fast', 'slow') as untried,
        case when u.broken_settings = a.settings then u.broken end as broken,
        case when u.succeeded then 0 else a.failures_in_row + u.failures end as failures_in_row,
        ${nextLane} as lane
      from ${tableOf(updates)}
      join a on a.id = u.id
    )
    update channel_accounts a set
      failures_in_row = u.failures_in_row,
      lane = u.lane,
      status = case when u.broken is not null then 'action-required'
        when u.works and ${isGoing} then 'connected' else a.status end,
      status_detail = case when u.broken is not null then u.broken
        when u.works and ${isGoing} then null else a.status_detail end,
      last_connected_at = case when u.works and u.broken is null and ${isGoing} and a.last_connected_at is null then now()
        else a.last_connected_at end,
      paused_until = case when u.broken is not null then 'infinity'
        else greatest(a.paused_until, now() + make_interval(secs => u.pause_ms / 1000)) end,
      pause_reason = coalesce(u.broken, u.pause_reason, a.pause_reason)
    from u
    where a.id = u.id and a.id = any (${ids}::uuid[])
      and (u.broken is not null or u.pause_ms is not null
        or a.failures_in_row <> u.failures_in_row or a.lane <> u.lane
        or (u.works and ${isGoing} and (
          a.last_connected_at is null or a.status <> 'connected' or a.status_detail is not null)))
    returning a.id, u.untried and a.status = 'connected' as first`.execute(trx);
  return rows.flatMap(({ id, first }) => (first ? [id] : []));
}

import { accountLanes, failuresUntilFailing, type Lane } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import { mayLeave } from '../holds/hold.ts';
import type { BacklogKind } from './figures.ts';

/** How the items of one kind wait. In its SQL, `d` is an item and `s` its account or webhook. */
export interface Backlog {
  /** The items that wait, indexed by subject, part and `due_at`. */
  readonly table: RawBuilder<unknown>;
  /** The name of the table. */
  readonly name: string;
  readonly subject: RawBuilder<string>;
  readonly subjects: RawBuilder<unknown>;
  readonly lanes: readonly Lane[];
  /** Whether items of `s` may go now. */
  readonly mayGo: RawBuilder<boolean>;
  /** Whether `d` is due and not in work. */
  readonly isDue: RawBuilder<boolean>;
  /** Since when `d` could have gone: the time of a pause, or at the account's own pace, does not count. */
  readonly dueSince: RawBuilder<Date>;
  /** Conditions that divide the items of a subject. The index has the items of each part in the order of `due_at`. */
  readonly parts: readonly RawBuilder<boolean>[];
}

export const backlogs: Readonly<Record<BacklogKind, Backlog>> = {
  messages: {
    table: sql.table('dispatch_due'),
    name: 'dispatch_due',
    subject: sql.ref('account_id'),
    subjects: sql.table('channel_accounts'),
    lanes: accountLanes,
    mayGo: sql`s.deleted_at is null and not s.blocked
      and coalesce(greatest(s.paused_until, s.paced_until) <= now(), true) and ${mayLeave}`,
    isDue: sql`d.due_at <= now() and d.expires_at > now() and coalesce(d.claimed_until < now(), true)`,
    dueSince: sql`greatest(d.due_at, s.paused_until, s.paced_until)`,
    parts: [sql`not d.bulk`, sql`d.bulk`],
  },
  deliveries: {
    table: sql.table('delivery_due'),
    name: 'delivery_due',
    subject: sql.ref('webhook_id'),
    subjects: sql.table('webhooks'),
    lanes: ['fast', 'slow'],
    // A failing webhook gets one probe now and then; all else waits.
    mayGo: sql`s.is_active and s.failure_count < ${sql.lit(failuresUntilFailing)}
      and coalesce(s.paused_until <= now(), true) and ${mayLeave}`,
    isDue: sql`d.due_at <= now() and coalesce(d.claimed_until < now(), true)`,
    // An event may wait for others of its pack, so it counts as late only after that.
    dueSince: sql`greatest(d.due_at + make_interval(secs => coalesce(s.pack_max_wait_ms, 0)::float8 / 1000), s.paused_until)`,
    parts: [sql`true`],
  },
};

import { looksPumped, pumping, repeatSeconds, startsOfRecipient, type Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import { countedStarts } from './counts.ts';
import { keyWorks } from './key-works.ts';
import { metBy } from './met-by.ts';
import type { NewVerification, Started } from './new-verification.ts';

/** A start that a limit refuses. */
export interface Limited {
  readonly kind: 'limited';
  /** The recipient was started too often, or the hour of the prefix is used up. */
  readonly by: 'recipient' | 'prefix';
  readonly retryAfterSeconds: number;
}

/** A start to a prefix that is held. */
export interface Held {
  readonly kind: 'held';
  readonly retryAfterSeconds: number;
  /** Whether the hold begins with this start. Of several starts that see the same at once, only one tells of it. */
  readonly isNew: boolean;
  /** Those with the event of a new hold. */
  readonly webhooks: readonly Wake[];
}

/** What decides about a start, read under the lock of its recipient. */
export interface Circumstances {
  /** The id for the new verification. */
  readonly id: string;
  readonly expiresAt: Date;
  /** Whether the key of the caller still works. */
  readonly keyWorks: boolean;
  /** A pending verification that was started just now. */
  readonly repeated: Started | null;
  /** Seconds until the recipient may be started again. Null: now. */
  readonly recipientWaitSeconds: number | null;
  /** The limit of the prefix. */
  readonly startsPerHour: number;
  /** Those that count against it: of the sandbox if this start is, real ones otherwise. */
  readonly startsThisHour: number;
  readonly hourEndsInSeconds: number;
  /** Seconds until the hold ends. Null if the prefix is not held. */
  readonly heldSeconds: number | null;
  /** Holds in a row. */
  readonly holds: number;
  readonly looksPumped: boolean;
  /** What the guard has seen. */
  readonly seen: Seen;
}

/** Figures of the verifications to a prefix that had time for a check. */
export interface Seen {
  readonly starts: number;
  readonly checked: number;
  readonly approved: number;
}

interface Row extends Omit<Circumstances, 'repeated' | 'looksPumped' | 'seen' | 'startsPerHour'>, Seen {
  repeatedId: string | null;
  repeatedExpiresAt: Date;
  repeatedSandbox: boolean;
  startsPerHour: number | null;
  guarded: boolean;
}

/**
 * Reads them in one statement, by indexes whose reads are bounded. The guard also counts what a newer start canceled: a program that
 * asks for codes again and again cancels nearly all of them.
 */
export async function readCircumstances(
  trx: Statements,
  start: NewVerification,
  startsPerHour: number,
): Promise<Circumstances> {
  const { tenantId, keyId, prefix, sandbox, expiresInSeconds } = start;
  const { most, inMinutes } = startsOfRecipient;
  const { rows } = await sql<Row>`
    select uuidv7() as id, ${keyWorks({ tenantId, keyId })} as "keyWorks",
      date_trunc('milliseconds', now()) + make_interval(secs => ${expiresInSeconds}::int) as "expiresAt",
      repeated.id as "repeatedId", repeated.expires_at as "repeatedExpiresAt", repeated.sandbox as "repeatedSandbox",
      case when recent.count >= ${most}
        then ceil(extract(epoch from recent.first + make_interval(mins => ${inMinutes}::int) - now()))::int
      end as "recipientWaitSeconds",
      coalesce(own.starts_per_hour, usual.starts_per_hour) as "startsPerHour",
      coalesce(${countedStarts('hour', sandbox)}, 0) as "startsThisHour",
      ceil(extract(epoch from date_trunc('hour', now(), 'UTC') + interval '1 hour' - now()))::int as "hourEndsInSeconds",
      case when own.held_until > now() then ceil(extract(epoch from own.held_until - now()))::int end as "heldSeconds",
      case when own.held_until > now() - interval '1 day' then own.holds else 0 end as holds,
      coalesce(own.guarded, true) as guarded, ripe.starts, ripe.checked, ripe.approved
    from (values (1)) one
    left join lateral (
      select id, expires_at, sandbox from verifications
      where ${metBy(start)} and status = 'pending' and expires_at > now()
        and created_at > now() - make_interval(secs => ${repeatSeconds}::int)
      order by created_at desc limit 1
    ) repeated on true
    left join lateral (
      select count(*)::int as count, min(created_at) as first from (
        select created_at from verifications
        where ${metBy(start)} and created_at > now() - make_interval(mins => ${inMinutes}::int)
        order by created_at desc limit ${most}
      ) newest
    ) recent on true
    left join verification_limits own
      on own.tenant_id = ${tenantId}::uuid and own.prefix = ${prefix}::text and ${prefix}::text <> ''
    left join verification_limits usual on usual.tenant_id = ${tenantId}::uuid and usual.prefix = ''
    left join verification_counts hour on hour.tenant_id = ${tenantId}::uuid and hour.prefix = ${prefix}::text
      and hour.hour = date_trunc('hour', now(), 'UTC')
    left join lateral (
      select count(*)::int as starts, count(first_checked_at)::int as checked,
        count(*) filter (where status = 'approved')::int as approved
      from (
        select first_checked_at, status from verifications
        where tenant_id = ${tenantId}::uuid and prefix = ${prefix}::text and not sandbox and not ${sandbox}::bool
          and created_at < now() - make_interval(secs => ${pumping.ripeSeconds}::int)
          and created_at > greatest(now() - make_interval(hours => ${pumping.withinHours}::int), own.judged_from)
        order by created_at desc limit ${pumping.looksAt}
      ) newest
    ) ripe on true`.execute(trx);
  const { repeatedId, repeatedExpiresAt, repeatedSandbox, guarded, starts, checked, approved, ...row } =
    rows[0]!;
  const seen = { starts, checked, approved };
  return {
    ...row,
    startsPerHour: row.startsPerHour ?? startsPerHour,
    repeated:
      repeatedId === null ? null : { id: repeatedId, expiresAt: repeatedExpiresAt, sandbox: repeatedSandbox },
    looksPumped: guarded && looksPumped(seen),
    seen,
  };
}

/**
 * Why a start is refused. Null if it is not. A recipient without a prefix has only the limit of the recipient. The sandbox is not
 * held, because nothing can be earned from it.
 */
export function refusalOf(now: Circumstances, { prefix, sandbox }: NewVerification): Limited | Held | null {
  if (now.recipientWaitSeconds !== null)
    return { kind: 'limited', by: 'recipient', retryAfterSeconds: Math.max(1, now.recipientWaitSeconds) };
  if (prefix === null) return null;
  if (now.heldSeconds !== null && !sandbox)
    return { kind: 'held', retryAfterSeconds: Math.max(1, now.heldSeconds), isNew: false, webhooks: [] };
  return now.startsThisHour >= now.startsPerHour ? hourIsUsedUp(now) : null;
}

/** The refusal of a start beyond the limit of its prefix. */
export function hourIsUsedUp({ hourEndsInSeconds }: Circumstances): Limited {
  return { kind: 'limited', by: 'prefix', retryAfterSeconds: Math.max(1, hourEndsInSeconds) };
}

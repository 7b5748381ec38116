import { loopGuard } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';

/** Constants stand in the text of statements, because parameters would have to be sent with every one. */
const seconds = (ms: number): RawBuilder<unknown> => sql`make_interval(secs => ${sql.lit(ms / 1_000)})`;
const each = sql.lit(loopGuard.each);

const isSameWindow = sql`coalesce(c.burst_began_at > now() - ${seconds(loopGuard.windowMs)}, false)`;

/**
 * Counts new messages of the conversation `c`, in SQL: assignments for its update. Once a window has as many in both
 * directions as only programs write, sends to the contact are spread out (`loopGuard` of core).
 */
export function counted(received: RawBuilder<unknown>, sent: RawBuilder<unknown>): RawBuilder<unknown> {
  const inWindow = (column: RawBuilder<unknown>, added: RawBuilder<unknown>) =>
    sql`(case when ${isSameWindow} then ${column} else 0 end + ${added})`;
  const [burstIn, burstOut] = [inWindow(sql`c.burst_in`, received), inWindow(sql`c.burst_out`, sent)];
  return sql`burst_began_at = case when ${isSameWindow} then c.burst_began_at else now() end,
        burst_in = ${burstIn}, burst_out = ${burstOut},
        slow_until = case when ${burstIn} >= ${each} and ${burstOut} >= ${each}
          then now() + ${seconds(loopGuard.slowForMs)} else c.slow_until end`;
}

/** When the message at `place`, from 0, may be sent to a contact of a slowed conversation, in SQL. */
export function spreadOut(nextSendAt: RawBuilder<unknown>, place: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`greatest(now(), ${nextSendAt}) + ${place} * ${seconds(loopGuard.spacingMs)}`;
}

/** When the message after one that is due at `dueAt` may be sent, in SQL. */
export function afterSpacing(dueAt: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${dueAt} + ${seconds(loopGuard.spacingMs)}`;
}

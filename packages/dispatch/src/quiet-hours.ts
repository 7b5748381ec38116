import { quietHoursOf } from '@notify/channels';
import { type QuietHours, quietUntil } from '@notify/core';
import { whenDatabaseIsBack } from '@notify/db/connection';
import { type Claimed, type Postponement, postponeMessages } from '@notify/db/dispatch';
import { metrics } from '@notify/telemetry';
import type { Connection } from './connection.ts';
import type { DispatchDeps } from './deps.ts';

/**
 * Gives back messages that came up in the quiet hours of their account, until these end. Returns the others. Urgent messages, and
 * the further parts of a text whose first part has left, are never postponed. Nor is what ends an earlier attempt.
 * The clock of the database decides, as it does about due times.
 */
export async function keepQuietHours(
  claims: readonly Claimed[],
  connection: Connection,
  { db, log }: Pick<DispatchDeps, 'db' | 'log'>,
): Promise<readonly Claimed[]> {
  const hours = connection.kind === 'open' ? quietHoursOf(connection.settings) : null;
  if (hours === null) return claims;
  const postponements = claims.flatMap((claimed) => postponementOf(claimed, hours));
  if (postponements.length === 0) return claims;
  const count = await whenDatabaseIsBack(
    () => postponeMessages(db, postponements),
    (error) => log.tell('release-waits', { err: error, messages: postponements.length }),
  );
  metrics.messages.postponed.inc({ provider: claims[0]!.account.provider }, count);
  const postponed = new Set(postponements.map(({ messageId }) => messageId));
  return claims.filter(({ messageId }) => !postponed.has(messageId));
}

function postponementOf(claimed: Claimed, hours: QuietHours): Postponement[] {
  const { account, messageId, holder, state, urgent, part, to, now, waitedMs } = claimed;
  if (state !== 'call' || urgent || part > 0) return [];
  const recipient = { channel: account.channel, to };
  const until = quietUntil(hours, recipient, now);
  if (until === null) return [];
  // A wait that began in these same quiet hours belongs to them. Any other wait was for something else, and uses up lifetime.
  const began = now - waitedMs;
  const since = quietUntil(hours, recipient, began) === until ? began : now;
  return [{ messageId, holder, until, since }];
}

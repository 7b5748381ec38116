import type { Channel } from '@notify/core';
import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';

/** An account whose contacts may get new addresses. */
type MovingAccount = { readonly id: string; readonly channel: Channel };

/**
 * Keeps the contacts of these accounts where they are until the transaction ends. With `toMove`, the transaction may move
 * them itself: it waits until nobody else relies on their places, and others wait for it. A phone number of the SMS
 * channel never moves, so those accounts are not locked. The locks are taken in one order, before any other lock of
 * `storeReceived` but that of texts.
 */
export async function lockMoves(
  trx: Statements,
  accounts: readonly MovingAccount[],
  { toMove = false }: { readonly toMove?: boolean } = {},
): Promise<void> {
  const ids = [
    ...new Set(accounts.filter(({ channel }) => channel !== 'sms').map(({ id }) => id)),
  ].toSorted();
  if (ids.length === 0) return;
  const lock = toMove ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  await sql`
    select ${lock}(hashtextextended('moves:' || id, 0)) from unnest(${ids}::text[]) as a(id)`.execute(trx);
}

import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** The hold of all sends of the installation, which the operator set after a restore. */
export interface SendsHold {
  readonly since: Date;
  /** Messages accepted before may have been sent after the moment of the backup. */
  readonly acceptedBefore: Date;
  /** The server that it was set on, since its start; see `readServerStart`. */
  readonly server: string;
}

/**
 * Whether nothing holds all sends back, in SQL. Claims of messages and of deliveries ask it, so a hold and its end count
 * in every process at once.
 */
export const mayLeave = sql<boolean>`not exists (select from sends_hold)`;

/** The hold that is in force, or null. */
export async function readHold(db: Db): Promise<SendsHold | null> {
  const { rows } = await sql<SendsHold>`
    select held_since as since, accepted_before as "acceptedBefore", server from sends_hold`.execute(db);
  return rows[0] ?? null;
}

/** Holds all sends. A hold that is in force keeps its beginning, and takes the other values. */
export async function holdSends(
  db: Db,
  { acceptedBefore, server }: Pick<SendsHold, 'acceptedBefore' | 'server'>,
): Promise<void> {
  await sql`
    insert into sends_hold (accepted_before, server) values (${acceptedBefore}, ${server})
    on conflict (only_row) do update
      set accepted_before = excluded.accepted_before, server = excluded.server`.execute(db);
}

/** Ends the hold. Returns whether there was one. */
export async function releaseSends(db: Db): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from sends_hold`.execute(db);
  return numAffectedRows > 0n;
}

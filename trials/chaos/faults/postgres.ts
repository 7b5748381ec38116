import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Fault } from '../../kit/faults/fault.ts';

/** Stopped for this time: `fast` as an administrator does, `immediate` as a crash of the server. */
export function postgresStopped(how: 'fast' | 'immediate', forMs: number): Fault {
  return {
    name: `Postgres stopped ${how} ${forMs / 1_000} s`,
    groups: ['postgres'],
    async run({ postgres }) {
      await postgres.stop(how);
      await wait(forMs);
      await postgres.start();
    },
  };
}

/** All processes of Postgres are suspended: connections stay open and nothing is answered. */
export function postgresFrozen(forMs: number): Fault {
  return {
    name: `Postgres frozen ${forMs / 1_000} s`,
    groups: ['postgres'],
    async run({ postgres }) {
      await postgres.freeze();
      await wait(forMs);
      await postgres.thaw();
    },
  };
}

const tables = [
  'messages',
  'dispatch_due',
  'attempts',
  'events',
  'receipts',
  'idempotency_keys',
  'delivery_due',
  'deliveries',
  'delivery_attempts',
];

/**
 * Every insert and update fails as on a full disk (53100). Triggers raise that SQLSTATE, because making a small disk
 * needs privileges and the service sees only the SQLSTATE.
 */
export function diskFull(forMs: number): Fault {
  return {
    name: `disk full ${forMs / 1_000} s`,
    groups: ['postgres'],
    async run({ db }) {
      await sql`
        create or replace function chaos_disk_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
        db,
      );
      for (const table of tables)
        await sql`create trigger chaos_disk_full before insert or update on ${sql.table(table)}
          for each row execute function chaos_disk_full()`.execute(db);
      await wait(forMs);
      for (const table of tables) await sql`drop trigger chaos_disk_full on ${sql.table(table)}`.execute(db);
    },
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';
import type { System } from '../../kit/system/system.ts';
import { changeTable } from '../../kit/faults/change-table.ts';
import type { Fault } from '../../kit/faults/fault.ts';

/*
 * Postgres is up and refuses the work, with the SQLSTATEs of a fail-over, a locked table, a timeout or an operator's
 * command. Each of them once reached the service as an error that it did not know.
 */

/** Every transaction is read-only, as on a standby: 25006. */
export function readOnly(forMs: number): Fault {
  return withSettings(
    `Postgres read-only ${forMs / 1_000} s`,
    { default_transaction_read_only: 'on' },
    forMs,
  );
}

/** Postgres ends transactions that wait for their client between two statements, with their connection: 25P03. */
export function idleInTransaction(forMs: number): Fault {
  const settings = { idle_in_transaction_session_timeout: '3ms' };
  return withSettings(`idle_in_transaction_session_timeout ${forMs / 1_000} s`, settings, forMs);
}

/** Postgres ends long transactions with their connection: 25P04. */
export function transactionTimeout(forMs: number): Fault {
  return withSettings(`transaction_timeout ${forMs / 1_000} s`, { transaction_timeout: '60ms' }, forMs);
}

/** Another session locks a table exclusively, and no statement waits longer than `lock_timeout`: 55P03. */
export function tableLocked(table: 'dispatch_due' | 'delivery_due' | 'messages', forMs: number): Fault {
  return {
    name: `${table} locked ${forMs / 1_000} s, lock_timeout`,
    groups: ['postgres'],
    run: ({ db }) =>
      whileSet(db, { lock_timeout: '300ms' }, (connection) =>
        connection.transaction().execute(async (trx) => {
          await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
          await wait(forMs);
        }),
      ),
  };
}

/** The password changes, and every connection is cut: 28P01. */
export function passwordChanged(forMs: number): Fault {
  return {
    name: `password changed ${forMs / 1_000} s`,
    groups: ['postgres'],
    run: ({ db, databasePassword }) =>
      db.connection().execute(async (connection) => {
        await changePassword(connection, 'not what the service was told');
        await endBackends(connection, 1);
        await wait(forMs);
        await changePassword(connection, databasePassword);
      }),
  };
}

/** A third of the service's connections is cut every 200 ms: 57P01. */
export function backendsTerminated(forMs: number): Fault {
  return {
    name: `backends terminated ${forMs / 1_000} s`,
    groups: ['postgres'],
    async run({ db }) {
      for (const until = performance.now() + forMs; performance.now() < until;) {
        await endBackends(db, 1 / 3);
        await wait(200);
      }
    },
  };
}

/** Tables that change when an answer is settled or a receipt applied. */
const settledTables = ['dispatch_due', 'delivery_due', 'messages'];

/** Each changed row may fail, as in a deadlock or a timeout; so nearly each large batch fails. */
export function rowsFail(state: '40P01' | '57014', forMs: number): Fault {
  return {
    name: `rows fail with ${state} ${forMs / 1_000} s`,
    groups: ['postgres'],
    async run({ db }) {
      await sql`
        create or replace function chaos_refuse() returns trigger language plpgsql as ${sql.lit(`
          begin
            if random() < 0.02 then raise exception 'injected' using errcode = '${state}'; end if;
            return coalesce(new, old);
          end`)}`.execute(db);
      for (const table of settledTables)
        await changeTable(
          db,
          sql`create trigger chaos_refuse before update or delete on ${sql.table(table)}
            for each row execute function chaos_refuse()`,
        );
      await wait(forMs);
      for (const table of settledTables)
        await changeTable(db, sql`drop trigger chaos_refuse on ${sql.table(table)}`);
    },
  };
}

type ServerSettings = Readonly<Record<string, string>>;

function withSettings(name: string, settings: ServerSettings, forMs: number): Fault {
  return {
    name,
    groups: ['postgres'],
    run: ({ db }: System) => whileSet(db, settings, () => wait(forMs)),
  };
}

/** For this program's own connection, over the server's settings. */
const ownSettings: ServerSettings = {
  default_transaction_read_only: 'off',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
  lock_timeout: '60s',
};

/** Changes settings of the whole server, also for open connections, except for the connection that `run` gets. */
function whileSet(
  db: Db,
  settings: ServerSettings,
  run: (connection: Db) => Promise<unknown>,
): Promise<void> {
  return db.connection().execute(async (connection) => {
    for (const [name, value] of Object.entries(ownSettings))
      await sql`set ${sql.raw(name)} = ${sql.lit(value)}`.execute(connection);
    for (const [name, value] of Object.entries(settings))
      await sql`alter system set ${sql.raw(name)} = ${sql.lit(value)}`.execute(connection);
    await sql`select pg_reload_conf()`.execute(connection);
    try {
      await run(connection);
    } finally {
      for (const name of Object.keys(settings))
        await sql`alter system reset ${sql.raw(name)}`.execute(connection);
      await sql`select pg_reload_conf()`.execute(connection);
    }
  });
}

async function changePassword(db: Db, password: string): Promise<void> {
  await sql`alter role current_user password ${sql.lit(password)}`.execute(db);
}

/** Ends this share of the service's connections, chosen at random. */
async function endBackends(db: Db, share: number): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'notify-%' and random() < ${share}::float8`.execute(db);
}

import { randomBytes } from 'node:crypto';
import { type Db, openDb } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { prepareQueue } from '@notify/queue';
import pg from 'pg';
import { startOwnPostgres } from './postgres.ts';

/** The variable that the test services set before any test runs. */
export const adminUrlVariable = 'TEST_DATABASE_ADMIN_URL';
const template = 'notify_template';

export interface TestDatabase extends AsyncDisposable {
  readonly db: Db;
  readonly url: string;
}

/** A database that waits a minute for a connection: how long one takes is the machine's business. */
export function openTestDb(url: string, options: Parameters<typeof openDb>[1] = {}): Db {
  return openDb(url, { ...options, connectTimeoutMs: 60_000 });
}

/** Clones the migrated template into a separate database. `await using` drops it. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = newName();
  await asAdmin(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  const db = openTestDb(url.href);
  return {
    db,
    url: url.href,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}

/** Creates an empty database on a server and returns its name. It goes with the server. */
export async function emptyDatabase(serverUrl: string): Promise<string> {
  const name = newName();
  await onServer(serverUrl, `create database ${name}`);
  return name;
}

/** Applies the migrations that a database lacks. */
export async function migrateDatabase(url: string): Promise<void> {
  const db = openTestDb(url);
  await migrate(db);
  await db.destroy();
}

function newName(): string {
  return `t_${randomBytes(6).toString('hex')}`;
}

/**
 * A migrated database on its own server, for tests that hold a transaction open for long: the readers of events and
 * figures in all databases of a server wait for it. With `queue`, processes can have their queue in it, too.
 */
export async function ownDatabase({ queue = false } = {}): Promise<TestDatabase> {
  const server = await startOwnPostgres();
  const db = openTestDb(server.url);
  await migrate(db);
  if (queue) await prepareQueue({ databaseUrl: server.url, redisUrl: null });
  return {
    db,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await server.remove();
    },
  };
}

/** Recreates the template from the migrations. Runs once, before the tests. */
export async function makeTemplate(): Promise<void> {
  await asAdmin(`drop database if exists ${template} with (force)`);
  await asAdmin(`create database ${template}`);
  const url = new URL(adminUrl());
  url.pathname = `/${template}`;
  await migrateDatabase(url.href);
}

function adminUrl(): string {
  const url = process.env[adminUrlVariable];
  if (url === undefined) throw new Error(`${adminUrlVariable} is not set: run the tests with npm test`);
  return url;
}

const asAdmin = (statement: string): Promise<void> => onServer(adminUrl(), statement);

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

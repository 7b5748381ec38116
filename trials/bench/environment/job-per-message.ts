import { randomBytes } from 'node:crypto';
import { freePort, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import type { Account } from '../peers/job-per-message.ts';
import type { Environment } from './environment.ts';
import { startProgram } from './program.ts';
import type { Watched } from './watch.ts';

/** The service of `peers/job-per-message.ts` with its three processes, over its own database. */
export interface JobPerMessage extends AsyncDisposable {
  readonly apiUrl: string;
  /** Its processes, Postgres and Redis, for `watch`. */
  readonly processes: Watched;
  /** Empties its tables and creates accounts; returns their API keys. */
  reset(count: number, gatewayUrl: string, webhookUrl: string): Promise<string[]>;
  accepted(): Promise<number>;
}

const roles = ['api', 'sender', 'notifier'] as const;

/** Starts it with one process for each role. */
export async function startJobPerMessage(environment: Environment): Promise<JobPerMessage> {
  const { db, url, ...database } = await testDatabase();
  for (const table of tables) await table.execute(db);
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    REDIS_URL: environment.redisUrl,
    PORT: String(port),
    PUBLIC_URL: apiUrl,
  };
  const programs = await Promise.all(
    roles.map((role) => startProgram('peers/job-per-message.ts', { args: [role], env })),
  );
  return {
    apiUrl,
    processes: {
      postgres: [environment.postgresPid],
      redis: [environment.redisPid],
      ...Object.fromEntries(roles.map((role, index) => [role, [programs[index]!.pid]])),
    },
    async reset(count, gatewayUrl, webhookUrl) {
      await sql`truncate job_accounts, job_messages, job_events, job_deliveries`.execute(db);
      const accounts = Array.from({ length: count }, () => newAccount(gatewayUrl, webhookUrl));
      for (const one of accounts)
        await sql`insert into job_accounts (api_key, gateway_url, webhook_url, secret)
          values (${one.api_key}, ${one.gateway_url}, ${one.webhook_url}, ${one.secret})`.execute(db);
      return accounts.map((one) => one.api_key);
    },
    async accepted() {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from job_messages`.execute(
        db,
      );
      return rows[0]!.count;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(programs.map((program) => program.stop()));
      await database[Symbol.asyncDispose]();
    },
  };
}

function newAccount(gatewayUrl: string, webhookUrl: string): Account {
  return {
    api_key: randomBytes(16).toString('hex'),
    gateway_url: gatewayUrl,
    webhook_url: webhookUrl,
    secret: randomBytes(32).toString('base64'),
  };
}

const tables = [
  sql`create table job_accounts (
    api_key text primary key, gateway_url text not null, webhook_url text not null, secret text not null
  )`,
  sql`create table job_messages (
    id uuid primary key, api_key text not null, recipient text not null, body text not null, status text not null,
    external_id text, idempotency_key text, created_at timestamptz not null default now(), updated_at timestamptz,
    unique (api_key, idempotency_key)
  )`,
  sql`create table job_events (
    id uuid primary key, message_id uuid not null, event text not null, created_at timestamptz not null default now()
  )`,
  sql`create table job_deliveries (
    event_id uuid primary key, status text not null, attempts int not null default 0, delivered_at timestamptz
  )`,
];

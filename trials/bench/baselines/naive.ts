import { randomUUID } from 'node:crypto';
import type { AcceptItem, AcceptResult } from '@notify/db/messages';
import { Queue } from 'bullmq';
import { sql } from 'kysely';
import type { ApiDeps } from '../../../apps/api/src/deps.ts';

/** One row per message. Create the table before the api starts. */
export const naiveTable = sql`
  create table if not exists naive_messages (
    id uuid primary key,
    tenant_id uuid not null,
    channel text not null,
    recipient text not null,
    type text not null,
    body json not null,
    idempotency_key text,
    created_at timestamptz not null
  )`;

/** The obvious first version: one insert and one job per message, and the answer waits for both. */
export function naive(deps: ApiDeps): ApiDeps {
  const url = new URL(deps.settings.redisUrl ?? '');
  const queue = new Queue('naive', { connection: { host: url.hostname, port: Number(url.port) } });
  async function accept(item: AcceptItem): Promise<AcceptResult> {
    const id = randomUUID();
    const createdAt = new Date();
    await sql`
      insert into naive_messages (id, tenant_id, channel, recipient, type, body, idempotency_key, created_at)
      values (${id}, ${item.tenantId}, ${item.channel}, ${item.to}, ${item.type}, ${JSON.stringify(item.body)},
        ${item.idempotencyKey}, ${createdAt.toISOString()})`.execute(deps.db);
    await queue.add('send', { id });
    return { kind: 'accepted', repeated: false, message: { id, createdAt, channelAccountId: null } };
  }
  return { ...deps, accept: (items) => Promise.all(items.map(accept)) };
}

import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import express from 'express';
import pg from 'pg';
import { Agent, request } from 'undici';

/*
 * The service that tutorials build, in three processes: `node job-per-message.ts api|sender|notifier`. One BullMQ job
 * per message and per webhook call, one row in Postgres per change. `DATABASE_URL` and `REDIS_URL` name the stores,
 * `PORT` the api's port, `PUBLIC_URL` its address. `environment/job-per-message.ts` creates the tables. Its promises come as near to ours as this shape allows:
 *
 * - 202 after the message and its first event are committed and their jobs are stored. A crash between the commit and
 *   the job loses the message silently.
 * - A send or a webhook call that fails is tried again with backoff, and a crash in between may repeat it.
 * - Idempotency keys are unique, and every webhook call is signed.
 */

const concurrency = 64;
const attempts = { attempts: 8, backoff: { type: 'exponential', delay: 1_000 }, removeOnComplete: true };
const redis = new URL(process.env.REDIS_URL ?? '');
const connection = { host: redis.hostname, port: Number(redis.port) };
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const dispatcher = new Agent({ connections: 256 });

/** A row of `job_accounts`; see `environment/job-per-message.ts`. */
export interface Account {
  readonly api_key: string;
  readonly gateway_url: string;
  readonly webhook_url: string;
  readonly secret: string;
}

const roles = { api: startApi, sender: startSender, notifier: startNotifier };
await roles[process.argv[2] as keyof typeof roles]();
process.once('SIGTERM', () => process.exit(0));
process.stdout.write('ready\n');

async function startApi(): Promise<void> {
  const sends = new Queue('sends', { connection });
  const webhooks = new Queue('webhooks', { connection });
  const app = express();
  app.post('/v1/notify/sms/text', express.json(), async (incoming, answer) => {
    const account = await accountOf(incoming.header('x-api-key') ?? '');
    if (account === undefined) return void answer.status(401).json({ error: 'unknown key' });
    const { to, text, idempotencyKey } = incoming.body as Record<string, string | undefined>;
    if (typeof to !== 'string' || typeof text !== 'string')
      return void answer.status(422).json({ error: 'to and text are needed' });
    const [id, eventId] = [randomUUID(), randomUUID()];
    const stored = await inTransaction(async (client) => {
      const { rowCount } = await client.query(
        `insert into job_messages (id, api_key, recipient, body, status, idempotency_key)
         values ($1, $2, $3, $4, 'queued', $5) on conflict do nothing`,
        [id, account.api_key, to, text, idempotencyKey ?? null],
      );
      if (rowCount === 1) await insertEvent(client, eventId, id, 'message.queued');
      return rowCount === 1;
    });
    if (!stored) return void answer.status(409).json({ error: 'the idempotency key was used' });
    await Promise.all([
      sends.add('send', { id }, attempts),
      webhooks.add('webhook', { id: eventId }, attempts),
    ]);
    answer.status(202).json({ id, status: 'queued' });
  });
  app.get('/receipts/:id', async (incoming, answer) => {
    const eventId = randomUUID();
    const { id } = incoming.params;
    const status = incoming.query.status === 'delivered' ? 'delivered' : 'failed';
    const changed = await inTransaction(async (client) => {
      const { rowCount } = await client.query(
        `update job_messages set status = $2, updated_at = now() where id = $1 and status <> $2`,
        [id, status],
      );
      if (rowCount === 1) await insertEvent(client, eventId, id, `message.${status}`);
      return rowCount === 1;
    });
    if (changed) await webhooks.add('webhook', { id: eventId }, attempts);
    answer.status(200).end();
  });
  await once(app.listen(Number(process.env.PORT), '127.0.0.1'), 'listening');
}

async function startSender(): Promise<void> {
  const webhooks = new Queue('webhooks', { connection });
  const send = async ({ data }: { data: { id: string } }): Promise<void> => {
    const { rows } = await pool.query<Account & { recipient: string; body: string }>(
      `update job_messages m set status = 'sending', updated_at = now() from job_accounts a
       where m.id = $1 and a.api_key = m.api_key and m.status in ('queued', 'sending') returning a.*, m.recipient, m.body`,
      [data.id],
    );
    const message = rows[0];
    if (message === undefined) return;
    const fields = new URLSearchParams({
      id: data.id,
      to: message.recipient,
      text: message.body,
      dlr_url: `${process.env.PUBLIC_URL}/receipts/${data.id}?`,
    });
    const answer = await request(message.gateway_url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: fields.toString(),
      dispatcher,
    });
    const taken = (await answer.body.json()) as { id: string };
    if (answer.statusCode !== 200) throw new Error(`the gateway answered ${answer.statusCode}`);
    const eventId = randomUUID();
    await inTransaction(async (client) => {
      // The receipt may have come first.
      await client.query(
        `update job_messages set status = case status when 'sending' then 'sent' else status end, external_id = $2,
           updated_at = now() where id = $1`,
        [data.id, taken.id],
      );
      await insertEvent(client, eventId, data.id, 'message.sent');
    });
    await webhooks.add('webhook', { id: eventId }, attempts);
  };
  await new Worker('sends', send, { connection, concurrency }).waitUntilReady();
}

async function startNotifier(): Promise<void> {
  const post = async ({ data }: { data: { id: string } }): Promise<void> => {
    const { rows } = await pool.query<Account & { event: string; message_id: string; created_at: Date }>(
      `select a.*, e.event, e.message_id, e.created_at from job_events e
       join job_messages m on m.id = e.message_id join job_accounts a on a.api_key = m.api_key where e.id = $1`,
      [data.id],
    );
    const event = rows[0]!;
    const body = JSON.stringify({
      id: data.id,
      event: event.event,
      message: event.message_id,
      at: event.created_at.toISOString(),
    });
    const at = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', event.secret).update(`${data.id}.${at}.${body}`).digest('base64');
    const answer = await request(event.webhook_url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': data.id,
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,${signature}`,
      },
      body,
      dispatcher,
    });
    await answer.body.dump();
    const status = answer.statusCode < 300 ? 'delivered' : 'failed';
    await pool.query(
      `update job_deliveries set status = $2, attempts = attempts + 1,
         delivered_at = case $2 when 'delivered' then now() end where event_id = $1`,
      [data.id, status],
    );
    if (status === 'failed') throw new Error(`the receiver answered ${answer.statusCode}`);
  };
  await new Worker('webhooks', post, { connection, concurrency }).waitUntilReady();
}

async function accountOf(apiKey: string): Promise<Account | undefined> {
  const { rows } = await pool.query<Account>('select * from job_accounts where api_key = $1', [apiKey]);
  return rows[0];
}

async function insertEvent(
  client: pg.PoolClient,
  id: string,
  messageId: string,
  event: string,
): Promise<void> {
  await client.query('insert into job_events (id, message_id, event) values ($1, $2, $3)', [
    id,
    messageId,
    event,
  ]);
  await client.query(`insert into job_deliveries (event_id, status) values ($1, 'waiting')`, [id]);
}

async function inTransaction<T>(task: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await task(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

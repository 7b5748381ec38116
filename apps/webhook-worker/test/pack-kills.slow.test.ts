import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSecrets, type Checkpoint } from '@notify/runtime';
import {
  addDeliveries,
  makeTenant,
  type RunningProcess,
  startHarmful,
  startProcess,
  startReceiver,
  startRedis,
  testDatabase,
  testWith,
  untilKilled,
} from '@notify/testkit';
import { sql } from 'kysely';
import { makeSealedWebhook } from './sealed-webhooks.ts';

const test = testWith('redis-server');

const masterKey = randomBytes(32);
const secrets = createSecrets([{ version: 1, key: masterKey }]);

/** Where a worker is killed, and how often the receiver then gets the pack in all. */
const kills = [
  { checkpoint: 'webhook-claimed', posts: 1 },
  { checkpoint: 'webhook-posting', posts: 1 },
  { checkpoint: 'webhook-posted', posts: 2 },
  { checkpoint: 'webhook-settled', posts: 1 },
] as const satisfies readonly { checkpoint: Checkpoint; posts: number }[];

test('a worker is killed at any checkpoint and another goes on: the same pack arrives, with the same id and events', async () => {
  await using after = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-kills-'));
  after.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { db, url: databaseUrl } = after.use(await testDatabase());
  const redis = await startRedis();
  after.defer(() => redis.stop());
  const receiver = after.use(await startReceiver());
  const env = { MASTER_KEYS: `1:${masterKey.toString('base64')}` };
  const start = (redisUrl: string, preload: readonly string[] = []): Promise<RunningProcess> =>
    startProcess('webhook-worker', { databaseUrl, redisUrl, dataDir, env, preload });
  const harmful = after.use(
    await startHarmful({ db, databaseUrl, redisUrl: redis.url, kind: 'webhooks', start }),
  );

  const { tenantId } = await makeTenant(db);
  const before: Record<string, unknown> = {};
  await Promise.all(
    kills.map(async ({ checkpoint }) => {
      const { id } = await makeSealedWebhook(db, secrets, tenantId, `${receiver.url}/${checkpoint}`);
      await sql`update webhooks set pack_max_events = 100, pack_max_wait_ms = 0 where id = ${id}`.execute(db);
      const add = async (): Promise<void> => void (await addDeliveries(db, id, 3));
      await harmful.suffer([id], { does: 'kill-at', checkpoint }, add, untilKilled);
      // The killed worker made the pack. What comes later is not for it.
      const { rows } =
        await sql`select id, delivery_ids from delivery_packs where webhook_id = ${id}`.execute(db);
      before[checkpoint] = rows;
      expect(rows).toHaveLength(1);
      await addDeliveries(db, id, 1);
    }),
  );
  // As if the time of the leases had passed.
  await sql`update delivery_due set claimed_until = now() where claimed_until is not null`.execute(db);
  await harmful.sweep();
  const survivor = await start(harmful.survivorsUrl);
  after.defer(() => survivor.stop());
  while ((await db.selectFrom('delivery_due').selectAll().executeTakeFirst()) !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 50));

  for (const { checkpoint, posts } of kills) {
    const packs = receiver.received
      .filter(({ url }) => url === `/${checkpoint}`)
      .map(({ headers, body }) => ({ id: headers['webhook-id'], body: body.toString() }));
    const large = packs.filter(({ body }) => (JSON.parse(body) as { events: unknown[] }).events.length === 3);
    expect([checkpoint, large.length]).toEqual([checkpoint, posts]);
    expect(new Set(large.map(({ id, body }) => `${String(id)} ${body}`)).size).toBe(1);
    expect(large[0]!.body).toContain(`"id":"${String(large[0]!.id)}"`);
    expect(packs).toHaveLength(posts + 1);
  }
  const { rows } =
    await sql`select d.state, count(distinct a.id)::int as attempts, count(distinct d.id)::int as deliveries
    from deliveries d left join delivery_attempts a on a.delivery_id = d.pack_id
    group by d.pack_id, d.state order by deliveries`.execute(db);
  expect(rows).toEqual([
    ...kills.map(() => ({ state: 'delivered', attempts: 1, deliveries: 1 })),
    ...kills.map(() => ({ state: 'delivered', attempts: 1, deliveries: 3 })),
  ]);
});

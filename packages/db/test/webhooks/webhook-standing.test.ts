import type { Db } from '@notify/db/connection';
import {
  disableWebhook,
  rotateSecret,
  settleDeliveries,
  startReplay,
  type WebhookStanding,
  webhookStandings,
} from '@notify/db/webhooks';
import { addDeliveries, makeTenant, makeWebhook, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { again, claimAs, ended, endedDeliveries, ok } from '../attempts.ts';

let database: TestDatabase;
let db: Db;
let tenantId: string;
let id: string;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
beforeEach(async () => {
  ({ tenantId } = await makeTenant(db));
  id = await makeWebhook(db, tenantId);
});
afterAll(() => database[Symbol.asyncDispose]());

const standing = async (): Promise<WebhookStanding | undefined> =>
  (await webhookStandings(db, tenantId, [id])).get(id);

test('of a new webhook there is nothing to tell', async () => {
  expect(await standing()).toEqual({
    failingSince: null,
    lastFailure: null,
    pausedUntil: null,
    previousSecretUntil: null,
    waiting: 0,
    lastSuccessAt: null,
    replay: null,
  });
});

test('tells what waits, when something last got through, and since when it fails', async () => {
  const ids = await addDeliveries(db, id, 4);
  const claims = await claimAs(db, id, { limit: 2 });
  await settleDeliveries(db, [ended(claims[0]!, ok), ended(claims[1]!, again())]);
  const [delivered] = await endedDeliveries(db, ids);
  expect(await standing()).toMatchObject({
    waiting: 3,
    lastSuccessAt: delivered!.ended_at,
    failingSince: claims[1]!.claimedAt,
    lastFailure: { at: claims[1]!.claimedAt, status: 500, error: null },
  });
  await disableWebhook(db, tenantId, id);
  expect(await standing()).toMatchObject({ waiting: 0, lastSuccessAt: delivered!.ended_at });
});

test('counts no more than a thousand of what waits', async () => {
  await addDeliveries(db, id, 1_001);
  expect(await standing()).toMatchObject({ waiting: 1_000 });
});

test('tells of a pause, a former secret and a replay as long as they last', async () => {
  await sql`update webhooks set paused_until = now() + interval '1 hour' where id = ${id}`.execute(db);
  const rotated = await rotateSecret(db, tenantId, id, { secret: 'new', reseal: (sealed) => sealed });
  const since = new Date(Date.now() - 3_600_000);
  await startReplay(db, db, { tenantId, webhookId: id, since });
  expect(await standing()).toMatchObject({
    pausedUntil: expect.any(Date),
    previousSecretUntil: rotated?.kind === 'rotated' && rotated.previousSecretUntil,
    replay: { reachedAt: since, until: expect.any(Date) },
  });
  await sql`update webhooks set paused_until = now(), previous_secret_until = now(), replay_after = null
    where id = ${id}`.execute(db);
  expect(await standing()).toMatchObject({ pausedUntil: null, previousSecretUntil: null, replay: null });
});

test('tells nothing of another tenant’s webhook', async () => {
  const { tenantId: other } = await makeTenant(db);
  expect(await webhookStandings(db, other, [id])).toEqual(new Map());
});

import type { Db } from '@notify/db/connection';
import { claimDeliveries, mostReplacedSecrets, releaseDeliveries, rotateSecret } from '@notify/db/webhooks';
import {
  addDeliveries,
  makeTenant,
  makeWebhook,
  type TestDatabase,
  testDatabase,
  webhookRow,
} from '@notify/testkit';
import { sql } from 'kysely';
import type { SecretRotation } from '../../src/webhooks/secrets.ts';

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
  id = await makeWebhook(db, tenantId, { secret: 'first' });
});
afterAll(() => database[Symbol.asyncDispose]());

const keep = (sealed: string): string | null => (sealed === 'lost' ? null : sealed);

async function rotated(secret: string): Promise<Date> {
  const rotation = await rotateSecret(db, tenantId, id, { secret, reseal: keep });
  if (rotation?.kind !== 'rotated') throw new Error(`not rotated: ${JSON.stringify(rotation)}`);
  return rotation.previousSecretUntil;
}

/** The secrets that a claim made now would sign with, in their order. */
async function signing(): Promise<string[]> {
  const [delivery] = await addDeliveries(db, id, 1);
  const wanted = new Map([[id, { limit: 1, inFlight: 0, settling: 0 }]]);
  const claims = await claimDeliveries(db, wanted, { lane: 'fast', leaseMs: 15_000 });
  const [claimed] = claims.get(id)!;
  await releaseDeliveries(db, [claimed!]);
  await db.deleteFrom('delivery_due').where('id', '=', delivery!).execute();
  const { secret, previousSecret, olderSecrets } = claimed!.webhook;
  return [secret, previousSecret, ...olderSecrets.map((one) => one.secret)].filter((one) => one !== null);
}

/** Everything that was promised, as if `hours` had passed. */
async function passes(hours: number): Promise<void> {
  const ago = sql`make_interval(hours => ${hours}::int)`;
  await sql`update webhooks set previous_secret_until = previous_secret_until - ${ago} where id = ${id}`.execute(
    db,
  );
  await sql`update webhook_older_secrets set until = until - ${ago} where webhook_id = ${id}`.execute(db);
}

const older = () =>
  db.selectFrom('webhook_older_secrets').selectAll().where('webhook_id', '=', id).orderBy('until').execute();

test('each replaced secret signs until the time that was promised for it, and no longer', async () => {
  const first = await rotated('second');
  await passes(10);
  const second = await rotated('third');
  expect(await signing()).toEqual(['third', 'second', 'first']);
  const [kept] = await older();
  expect(kept!.until.getTime()).toBe(first.getTime() - 10 * 3_600_000);
  expect((await webhookRow(db, id)).previous_secret_until).toEqual(second);
  await passes(14);
  expect(await signing()).toEqual(['third', 'second']);
  await passes(10);
  expect(await signing()).toEqual(['third']);
});

test('a secret whose time is over is removed by the next rotation', async () => {
  await rotated('second');
  await rotated('third');
  await passes(24);
  await rotated('fourth');
  expect(await older()).toEqual([]);
  expect(await signing()).toEqual(['fourth', 'third']);
});

test('as many as may sign do, one more is refused until the next ends, and the refusal changes nothing', async () => {
  const ends = await rotated('0');
  for (let count = 1; count < mostReplacedSecrets; count += 1) await rotated(String(count));
  const before = await signing();
  expect(before).toHaveLength(1 + mostReplacedSecrets);
  const refused: SecretRotation | null = await rotateSecret(db, tenantId, id, { secret: 'no', reseal: keep });
  expect(refused).toEqual({ kind: 'too-many', nextEndsAt: ends });
  expect(await signing()).toEqual(before);
  await sql`update webhook_older_secrets set until = now() where secret = 'first' and webhook_id = ${id}`.execute(
    db,
  );
  await rotated('yes');
  expect((await signing())[0]).toBe('yes');
});

test('a present secret that cannot be opened leaves, and those before it sign until their time', async () => {
  await rotated('lost');
  const until = await rotated('third');
  expect(await signing()).toEqual(['third', 'first']);
  expect((await webhookRow(db, id)).previous_secret_until).toEqual(until);
  expect(await older()).toEqual([]);
});

test('rotations that race keep the secret of each', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map(rotated));
  const all = await signing();
  expect(all.sort()).toEqual(['a', 'b', 'c', 'd', 'first']);
});

test('another tenant’s webhook is none', async () => {
  const { tenantId: other } = await makeTenant(db);
  expect(await rotateSecret(db, other, id, { secret: 'theirs', reseal: keep })).toBeNull();
});

test('replaced secrets go with their webhook', async () => {
  await rotated('second');
  await rotated('third');
  await db.deleteFrom('webhooks').where('id', '=', id).execute();
  expect(await older()).toEqual([]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import { prepareQueue } from '@notify/queue';
import { startProcess, testDatabase, until } from '@notify/testkit';
import { sql } from 'kysely';

/** As a version that is much newer leaves it behind. */
async function migrateTooFar(db: Db): Promise<void> {
  await sql`insert into kysely_migration values ('9001_future', '2030-01-01T00:00:00.000Z', '99.0.0')`.execute(
    db,
  );
}

const tooNew =
  'the schema is too new for version 0.1.0: since migration 9001_future it needs version 99.0.0 or later';

async function openDatabase(stack: AsyncDisposableStack) {
  const database = stack.use(await testDatabase());
  await prepareQueue({ databaseUrl: database.url, redisUrl: null });
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-schema-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  return { db: database.db, options: { databaseUrl: database.url, redisUrl: null, dataDir } };
}

test('a process ends at once, with one sentence, on a schema that is too new for it', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, options } = await openDatabase(stack);
  await migrateTooFar(db);
  const worker = await startProcess('webhook-worker', options);
  await worker.ended();
  expect(worker.process.exitCode).toBe(1);
  expect(worker.lines).toEqual([`webhook-worker: ${tooNew}`]);
});

test('a process whose schema becomes too new is not ready and says why, until the schema fits', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, options } = await openDatabase(stack);
  const worker = await startProcess('webhook-worker', options);
  stack.defer(() => worker.stop());
  await worker.ready();
  const readiness = async () => (await fetch(`${worker.url}/readyz`)).status;
  const told = (event: string) =>
    worker.lines
      .filter((line) => line.includes(`"event":"${event}"`))
      .map((line) => JSON.parse(line) as object);
  await migrateTooFar(db);
  expect(await readiness()).toBe(503);
  expect(await readiness()).toBe(503);
  await until(async () => told('schema-unfit').length > 0);
  expect(told('schema-unfit')).toMatchObject([{ level: expect.anything(), detail: tooNew }]);
  await sql`delete from kysely_migration where name = '9001_future'`.execute(db);
  expect(await readiness()).toBe(200);
  await until(async () => told('schema-fits').length > 0);
});

import { openTestDb, type OwnPostgres, startOwnPostgres } from '@notify/testkit';
import { sql } from 'kysely';
import type { Db } from '../../src/connection/index.ts';
import { createLooker } from '../../src/events/index.ts';
import { migrate } from '../../src/maintenance/index.ts';

// A separate server, because the numbers of transactions are those of all databases of a server.
let server: OwnPostgres;
let db: Db;
beforeAll(async () => {
  server = await startOwnPostgres();
  db = openTestDb(server.url);
  await migrate(db);
});
afterAll(async () => {
  await db.destroy();
  await server.remove();
});

/** Gives a transaction its number, and returns it. */
async function numberOf(executor: Pick<Db, 'getExecutor'>): Promise<number> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(executor);
  return Number(rows[0]!.xid);
}

test('a look of a quiet server is the one before; any transaction that ends makes another, an old one too', async () => {
  const looker = createLooker(db);
  const old = await db.startTransaction().execute();
  await numberOf(old);
  const snapshots = [(await looker.look()).snapshot, (await looker.look()).snapshot];
  expect(snapshots[1]).toBe(snapshots[0]);
  for (const change of [() => numberOf(db), () => old.commit().execute()]) {
    await change();
    snapshots.push((await looker.look()).snapshot, (await looker.look()).snapshot);
    expect(snapshots.at(-1)).toBe(snapshots.at(-2));
    expect(snapshots.at(-1)).not.toBe(snapshots.at(-3));
  }
});

test('a process that has just begun knows when the running transactions began', async () => {
  const before = Date.now();
  const old = await db.startTransaction().execute();
  const xid = await numberOf(old);
  const { running } = (await createLooker(db).look()).snapshot;
  const [, since] = running.find(([one]) => one === xid)!;
  expect(since).toBeGreaterThanOrEqual(before - 1);
  expect(since).toBeLessThanOrEqual(Date.now());
  await old.rollback().execute();
});

test('after a crash the server gives out no number that a look has called ended', async () => {
  const looker = createLooker(db);
  await looker.look();
  for (let count = 0; count < 20; count += 1) {
    const trx = await db.startTransaction().execute();
    await numberOf(trx);
    await trx.rollback().execute();
  }
  const { snapshot, history } = await looker.look();
  await db.destroy();
  await server.stop('immediate');
  await server.start();
  db = openTestDb(server.url);
  expect(await numberOf(db)).toBeGreaterThanOrEqual(snapshot.xmax);
  expect((await createLooker(db).look()).history).toBe(history);
});

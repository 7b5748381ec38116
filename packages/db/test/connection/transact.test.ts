import type { Db } from '@notify/db/connection';
import { openTestDb, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { type Statements, transact } from '../../src/connection/transact.ts';

const insert = (trx: Statements, id: number): Promise<unknown> =>
  sql`insert into things (id) values (${id}::int)`.execute(trx);

const fail = (trx: Statements): Promise<unknown> =>
  sql`do $$ begin raise exception 'injected' using errcode = '40P01'; end $$`.execute(trx);

async function stored(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from things order by id`.execute(db);
  return rows.map((row) => row.id);
}

/** One connection, so that what a transaction leaves behind meets the next. */
async function withThings(run: (db: Db) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const db = openTestDb(database.url, { maxConnections: 1, hot: true });
  await sql`create table things (id integer primary key)`.execute(db);
  await run(db);
  await db.destroy();
}

test('what is called together is committed together, and answers come to those who asked', () =>
  withThings(async (db) => {
    const answers = await transact(db, async (trx, commit) => {
      await insert(trx, 1);
      return commit(Promise.all([insert(trx, 2), sql<{ n: number }>`select 7 as n`.execute(trx)]));
    });
    expect(answers[1].rows).toEqual([{ n: 7 }]);
    expect(await stored(db)).toEqual([1, 2]);
  }));

test('where one of the last statements fails, nothing is stored, and the connection goes on', () =>
  withThings(async (db) => {
    const failing = transact(db, async (trx, commit) => {
      await insert(trx, 1);
      await commit(Promise.all([insert(trx, 2), insert(trx, 1), insert(trx, 3)]));
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await stored(db)).toEqual([]);
  }));

test('of statements that are sent together, it rejects with the one that failed first, however late that is heard', () =>
  withThings(async (db) => {
    const slowToHear = async (failing: Promise<unknown>): Promise<unknown> => {
      try {
        return await failing;
      } finally {
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      }
    };
    // Meanwhile all answers arrive, and are read as one.
    const readTogether = (): void => {
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200));
    };
    const failing = transact(db, async (trx, commit) => {
      await insert(trx, 1);
      readTogether();
      await commit(Promise.all([slowToHear(insert(trx, 1)), insert(trx, 2), insert(trx, 3)]));
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    const early = transact(db, (trx) => {
      readTogether();
      return Promise.all([insert(trx, 9), slowToHear(fail(trx)), insert(trx, 2)]);
    });
    await expect(early).rejects.toMatchObject({ code: '40P01' });
    const ofKysely = db.transaction().execute((trx) => {
      readTogether();
      return Promise.all([slowToHear(fail(trx)), insert(trx, 2)]);
    });
    await expect(ofKysely).rejects.toMatchObject({ code: '40P01' });
    await transact(db, (trx, commit) => commit(insert(trx, 4)));
    expect(await stored(db)).toEqual([4]);
  }));

test('a statement that fails before the last ones, or an error of the caller, undoes everything', () =>
  withThings(async (db) => {
    await expect(
      transact(db, (trx) => Promise.all([insert(trx, 1), insert(trx, 1), insert(trx, 2)])),
    ).rejects.toMatchObject({ code: '23505' });
    const mistaken = transact(db, async (trx) => {
      await insert(trx, 3);
      throw new Error('mistaken');
    });
    await expect(mistaken).rejects.toThrow('mistaken');
    expect(await stored(db)).toEqual([]);
  }));

test('a transaction that does not commit is undone', () =>
  withThings(async (db) => {
    await transact(db, (trx) => insert(trx, 1));
    expect(await stored(db)).toEqual([]);
  }));

test('a statement that is called behind the commit is refused, for it would be in no transaction', () =>
  withThings(async (db) => {
    const late = transact(db, async (trx, commit) => {
      await commit(insert(trx, 1));
      await insert(trx, 2);
    });
    await expect(late).rejects.toThrow('after the end');
    expect(await stored(db)).toEqual([1]);
  }));

test('a connection that is lost on the way is told to the caller, and the next gets another', () =>
  withThings(async (db) => {
    const lost = transact(db, async (trx, commit) => {
      await insert(trx, 1);
      await commit(
        Promise.all([sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx), insert(trx, 2)]),
      );
    });
    // The server's word, or the socket's where the next statement was written after the end.
    await expect(lost).rejects.toMatchObject({ code: expect.stringMatching(/^(57P01|EPIPE|ECONNRESET)$/) });
    expect(await stored(db)).toEqual([]);
  }));

import { CompiledQuery, type QueryExecutorProvider } from 'kysely';
import type { Db } from './connect.ts';

/** Runs statements: a transaction of `transact` or of Kysely, or a pool when one statement is enough. */
export type Statements = QueryExecutorProvider;

/**
 * Sends the commit right behind the statements that were called last. Resolves with their answers once everything is
 * committed. If one of them fails, nothing is committed, and the promise rejects with that failure.
 */
export type Commit = <Answer>(last: Promise<Answer>) => Promise<Answer>;

/**
 * A transaction that waits only when `run` waits. Statements are sent in the order of their calls. Statements called
 * together go out without a round trip between them (PostgreSQL, "Pipelining"), the first ones together with the
 * `begin`. `run` ends by calling `commit`; if it ends any other way, everything is rolled back. Statements called after
 * the end are refused.
 */
export async function transact<Result>(
  db: Db,
  run: (trx: Statements, commit: Commit) => Promise<Result>,
): Promise<Result> {
  const pool = db.getExecutor();
  return pool.provideConnection(async (connection) => {
    let isOver = false;
    const executor = pool.withConnectionProvider({
      async provideConnection(consumer) {
        if (isOver) throw new Error('a statement was called after the end of its transaction');
        return consumer(connection);
      },
    });
    const send = (text: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(text));
    const commit: Commit = async (last) => {
      isOver = true;
      const answers = await Promise.allSettled([last, begun, send('commit')] as const);
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
      return last;
    };

    const begun = send('begin');
    begun.catch(() => undefined);
    try {
      return await run({ getExecutor: () => executor }, commit);
    } finally {
      // A broken connection has nothing to roll back, and the pool drops it.
      if (!isOver) await send('rollback').catch(() => undefined);
      isOver = true;
    }
  });
}

import { CompiledQuery, type QueryExecutorProvider } from 'kysely';
import type { Db } from './connect.ts';

/** What a statement is run on: a transaction of `transact` or of Kysely, or a pool where one statement is enough. */
export type Statements = QueryExecutorProvider;

/**
 * Sends the commit right behind the statements that were called last, and resolves with what they answered once all of
 * it is committed. Where one of them fails nothing is, and that is what it rejects with.
 */
export type Commit = <Answer>(last: Promise<Answer>) => Promise<Answer>;

/**
 * A transaction that waits only where `run` does: statements are sent in the order in which they are called, those that
 * are called together without a round trip between them (PostgreSQL, "Pipelining"), and the first ones together with the
 * `begin`. `run` ends by calling `commit`; where it ends otherwise, everything is undone. A statement that is called after
 * that is refused.
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
      // Where the connection is broken there is nothing to undo, and the pool drops it.
      if (!isOver) await send('rollback').catch(() => undefined);
      isOver = true;
    }
  });
}

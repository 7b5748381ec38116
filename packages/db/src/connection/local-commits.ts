import type pg from 'pg';

/**
 * The function of Postgres that waits for synchronous standbys (src/backend/replication/syncrep.c). A notice names it in
 * every language of the server.
 */
const waitForStandby = 'SyncRepWaitForLSN';

/** Whether the work was stored is unknown: SQLSTATE 40003, `statement_completion_unknown`, which counts as `away`. */
class NotReplicated extends Error {
  readonly code = '40003';

  constructor() {
    super('Postgres committed without its synchronous standby, because the wait for it was cancelled');
  }
}

/**
 * Fails statements whose commit exists on this server alone. If a cancel reaches a commit that waits for its synchronous
 * standby (`pg_cancel_backend`, or a statement timeout as the statement ends), Postgres answers success with a warning
 * before it. A promotion would lose that commit. So the statement fails as if the answer had been lost, and its
 * connection is closed.
 */
export function refuseLocalCommits(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  let isLocal = false;
  client.on('notice', ({ routine }) => {
    if (routine !== waitForStandby) return;
    isLocal = true;
    void (client as pg.Client).end();
  });
  function checked(...args: unknown[]): unknown {
    const answer = query(...args);
    if (!(answer instanceof Promise)) return answer;
    return answer.then((result: unknown) => {
      // The warning comes before the answer, so it was read by now.
      if (isLocal) throw new NotReplicated();
      return result;
    });
  }
  client.query = checked as typeof client.query;
}

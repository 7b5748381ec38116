import type pg from 'pg';

/**
 * What stands between a process and Postgres: nothing, or a pooler that lends a server's connection for a session or for
 * a transaction (PgBouncer, `pool_mode`).
 */
export type PoolerMode = 'none' | 'session' | 'transaction';

/** Settings of Postgres that a pool wants, by name. The values are words and numbers of ours. */
export type SessionSettings = Readonly<Record<string, string>>;

/** The settings as a start-up parameter, which costs no round trip. A pooler refuses it. */
export function asOptions(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** The settings as statements. With `local` they end with the transaction. */
export function asStatements(settings: SessionSettings, scope: 'session' | 'local'): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${scope} ${name} = ${value}`)
    .join('; ');
}

/**
 * Makes the settings part of each transaction, because the next one may run on another connection of the pooler, and
 * what was set there would reach other clients. They travel with its `begin`. A statement on its own gets a transaction,
 * whose three messages travel together, so none of this costs a round trip.
 */
export function setInTransactions(client: pg.PoolClient, settings: SessionSettings): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const local = asStatements(settings, 'local');
  let isOpen = false;

  function within(...args: unknown[]): unknown {
    const [text] = args;
    if (typeof text === 'string' && /^(begin|start transaction)\b/.test(text)) {
      isOpen = true;
      return query(`${text}; ${local}`, ...args.slice(1));
    }
    if (text === 'commit' || text === 'rollback') {
      isOpen = false;
      return query(...args);
    }
    return isOpen ? query(...args) : alone(args);
  }

  async function alone(args: readonly unknown[]): Promise<unknown> {
    const [begun, answered, committed] = await Promise.allSettled([
      query(`begin; ${local}`),
      query(...args),
      query('commit'),
    ]);
    for (const one of [answered, begun, committed]) if (one.status === 'rejected') throw one.reason;
    return (answered as PromiseFulfilledResult<unknown>).value;
  }

  client.query = within as typeof client.query;
}

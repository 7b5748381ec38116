import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A statement text is prepared, once on every connection, after it has been seen this often. */
const preparedAfter = 5;
/** The most texts that are counted, and so the most that are prepared: each connection keeps its plans. */
const maxTexts = 200;
/** Longer texts come from migrations or carry many values. They do not repeat. */
const maxTextLength = 20_000;
/**
 * Statements whose columns follow the table. After a migration has added a column, Postgres refuses the plan it has
 * ("cached plan must not change result type"); in a transaction that error is final.
 */
const followsTable = /^\s*select \*|select \*\s*$|returning \*|^[^(]*"\.\*/;

/** Gives statement texts their names. All connections of a pool share one. */
export interface StatementNames {
  /** Null for a statement that must not be prepared. */
  nameOf(text: string): string | null;
}

/**
 * Names repeated statements, so that Postgres parses and plans each one once per connection. The number of counted
 * texts is bounded: the first texts to come get the names, and those are the texts of the hot paths.
 */
export function createStatementNames(): StatementNames {
  const texts = new Map<string, { count: number; readonly name: string | null }>();
  return {
    nameOf(text) {
      const known = texts.get(text);
      if (known !== undefined) return (known.count += 1) < preparedAfter ? null : known.name;
      if (texts.size < maxTexts && text.length <= maxTextLength)
        texts.set(text, { count: 1, name: followsTable.test(text) ? null : hashOf(text) });
      return null;
    },
  };
}

/** The same text gives the same hash, within the 63 bytes of a name (PostgreSQL, NAMEDATALEN). */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Prepares named statements on this client: only those with parameters, because only those are ours. */
export function prepareOn(client: pg.PoolClient, names: StatementNames): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  function named(...args: unknown[]): unknown {
    const [text, values] = args;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return query(...args);
    const name = names.nameOf(text);
    return name === null ? query(...args) : query({ name, text, values });
  }
  client.query = named as typeof client.query;
}

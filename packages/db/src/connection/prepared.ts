import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A text that has been seen so often is prepared, once on every connection. */
const preparedAfter = 5;
/** Texts that are counted, and so the most that are ever prepared: a plan stays with each connection. */
const maxTexts = 200;
/** Longer texts are those of a migration or of many values, and do not come again. */
const maxTextLength = 10_000;
/**
 * Their columns follow the table. Once a migration has added one, Postgres refuses the plan that it has ("cached plan
 * must not change result type"), in a transaction for good.
 */
const followsTable = /^\s*select \*|select \*\s*$|returning \*|^[^(]*"\.\*/;

/** Gives the texts of statements their names; one for all connections of a pool. */
export interface StatementNames {
  /** Null for a statement that is not to be prepared. */
  nameOf(text: string): string | null;
}

/**
 * Names the statements that come again and again, so that Postgres parses and plans them once a connection instead of
 * every time. What is counted is bounded; texts that come first come to be named, which are those of the hot paths.
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

/** The same for the same text, within the 63 bytes of a name (PostgreSQL, NAMEDATALEN). */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Has this client prepare the statements that have a name. Only those with parameters, which are ours. */
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

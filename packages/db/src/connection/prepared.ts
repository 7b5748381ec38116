import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A statement text is prepared, once on every connection, after it has been seen this often. */
const preparedAfter = 5;
/** The most texts that are prepared: each connection keeps its plans. */
const maxNames = 200;
/** The last names, kept for texts that begin as no named one does. So no statement with many variants takes all names. */
const keptNames = 50;
/** The most texts without a name that are counted. The least recently seen one is forgotten. */
const maxCounted = 500;
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
 * Names repeated statements, so that Postgres parses and plans each one once per connection. A name is never taken back, because
 * `deallocate` fails behind a pooler that renames statements (PgBouncer, "max_prepared_statements"). So names are bounded and go only to
 * texts that come often.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  /** How the named texts begin. */
  const begun = new Set<string>();
  const counted = new Map<string, { count: number; readonly beginning: string | null }>();

  function mayBeNamed(beginning: string): boolean {
    return names.size < (begun.has(beginning) ? maxNames - keptNames : maxNames);
  }

  /** How often the text was seen, with this time, and how it begins; null if it must not be prepared. */
  function count(text: string): { readonly count: number; readonly beginning: string | null } {
    const known = counted.get(text) ?? { count: 0, beginning: beginningOf(text) };
    known.count += 1;
    counted.delete(text);
    counted.set(text, known);
    if (counted.size > maxCounted) counted.delete(counted.keys().next().value!);
    return known;
  }

  return {
    nameOf(text) {
      const name = names.get(text);
      if (name !== undefined) return name;
      if (text.length > maxTextLength) return null;
      const { count: times, beginning } = count(text);
      if (times < preparedAfter || beginning === null || !mayBeNamed(beginning)) return null;
      const given = hashOf(text);
      counted.delete(text);
      names.set(text, given);
      begun.add(beginning);
      return given;
    },
  };
}

/** The text up to its first parameter; null if it must not be prepared. */
function beginningOf(text: string): string | null {
  return followsTable.test(text) ? null : text.split('$', 1)[0]!;
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

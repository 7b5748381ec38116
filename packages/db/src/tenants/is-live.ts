import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a credential is neither revoked nor expired, in SQL, by the database's clock. `table` is the name or the alias of
 * `api_keys`, `service_tokens` or `sessions` in the statement.
 */
export function isLive(table: string): RawBuilder<boolean> {
  const [revokedAt, expiresAt] = [sql.ref(`${table}.revoked_at`), sql.ref(`${table}.expires_at`)];
  return sql<boolean>`(${revokedAt} is null and (${expiresAt} is null or ${expiresAt} > now()))`;
}

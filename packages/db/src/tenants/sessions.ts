import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';

export type SessionRow = Selectable<Database['sessions']>;
/** How a refresh token travels. A session is bound to the first transport that it uses. */
export type Transport = 'cookie' | 'body';

/** A session ends after this time, and all its refresh tokens with it. */
export const sessionDays = 30;

export interface NewSession {
  readonly tenantId: string;
  /** The hash that the login's password was checked against. */
  readonly passwordHash: string;
  readonly tokenHash: Buffer;
  readonly userAgent: string | null;
  readonly address: string | null;
}

/**
 * Opens a session with its first refresh token. Returns its id, or null when the tenant's password has changed since
 * the check: a change of the password ends every session, including those that are being opened.
 */
export async function createSession(db: Db | Trx, session: NewSession): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with tenant as (
      select id from tenants where id = ${session.tenantId} and password_hash = ${session.passwordHash} for share
    ), session as (
      insert into sessions (tenant_id, user_agent, address, expires_at)
      select id, ${session.userAgent}::text, ${session.address}::text,
        now() + make_interval(days => ${sessionDays}::int)
      from tenant
      returning id
    ), token as (
      insert into refresh_tokens (hash, session_id) select ${session.tokenHash}::bytea, id from session
    )
    select id from session`.execute(db);
  return rows[0]?.id ?? null;
}

/** The permissions of an open session's tenant. Null when the session has ended or belongs to another tenant. */
export async function findOpenSession(
  db: Db,
  tenantId: string,
  sessionId: string,
): Promise<{ readonly plan: string; readonly blocked: boolean } | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('tenants', 'tenants.id', 'sessions.tenant_id')
    .select(['tenants.plan', 'tenants.blocked_at'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row === undefined ? null : { plan: row.plan, blocked: row.blocked_at !== null };
}

/** The open sessions of a tenant, newest first. */
export function listSessions(db: Db, tenantId: string): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('id', 'desc')
    .execute();
}

/** Ends a session with its access and refresh tokens. Returns false when the tenant has no such open session. */
export async function endSession(db: Db | Trx, tenantId: string, sessionId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends every open session of a tenant except `exceptId`. */
export async function endSessions(trx: Trx, tenantId: string, exceptId: string | null = null): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`now()` })
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`id is distinct from ${exceptId}::uuid`)
    .execute();
}

/**
 * Makes this the only refresh token of a session. Returns the time at which the session ends. If it has ended already,
 * returns null and changes nothing. A refresh that waits for the session's row then finds its token gone.
 */
export async function replaceTokens(
  trx: Trx,
  tenantId: string,
  sessionId: string,
  tokenHash: Buffer,
): Promise<Date | null> {
  const session = await trx
    .selectFrom('sessions')
    .select('expires_at')
    .where('id', '=', sessionId)
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (session === undefined) return null;
  await trx.deleteFrom('refresh_tokens').where('session_id', '=', sessionId).execute();
  await trx.insertInto('refresh_tokens').values({ hash: tokenHash, session_id: sessionId }).execute();
  return session.expires_at;
}

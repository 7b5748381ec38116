import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from './connect.ts';
import type { Database } from './tables.ts';

export type SessionRow = Selectable<Database['sessions']>;
/** How a refresh token travels. A session is bound to the first one that is used. */
export type Transport = 'cookie' | 'body';

/** A session, with all that its refresh tokens can make of it, ends after this time. */
export const sessionDays = 30;
/** For how long a refresh token that was replaced is still taken. */
const graceSeconds = 30;

export interface NewSession {
  readonly tenantId: string;
  /** What the password was checked against that the session is opened by. */
  readonly passwordHash: string;
  readonly tokenHash: Buffer;
  readonly userAgent: string | null;
  readonly address: string | null;
}

/**
 * Opens a session with its first refresh token. Returns its id; null when the tenant's password is another by now, for a
 * change of the password ends every session, also one that is being opened.
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

/** Whether a session is open, and what its tenant may. Null when it has ended or is not this tenant's. */
export async function findOpenSession(
  db: Db,
  tenantId: string,
  sessionId: string,
): Promise<{ readonly blocked: boolean } | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('tenants', 'tenants.id', 'sessions.tenant_id')
    .select('tenants.blocked_at')
    .where('sessions.id', '=', sessionId)
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row === undefined ? null : { blocked: row.blocked_at !== null };
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

/** Ends a session: its access tokens and refresh tokens stop working. False when the tenant has no such open session. */
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

export interface RefreshRequest {
  readonly tokenHash: Buffer;
  readonly transport: Transport;
  /** Becomes a refresh token of the session where one is due: on every refresh by cookie. */
  readonly nextTokenHash: Buffer;
}

export type Refreshed =
  | {
      readonly kind: 'refreshed';
      readonly tenantId: string;
      readonly sessionId: string;
      readonly expiresAt: Date;
    }
  /** The token is unknown, or its session has ended (perhaps just now, because the token was misused). */
  | { readonly kind: 'refused' }
  | { readonly kind: 'blocked' };

/**
 * Takes a refresh token. By cookie it is replaced; the replaced one is taken for another 30 s, and each time gives a
 * sibling, so that whichever answer a browser keeps, it keeps a good one. A replaced token after that, or one by the
 * other transport than the session's first, has been stolen or copied: the session ends.
 */
export async function refreshSession(db: Db, request: RefreshRequest): Promise<Refreshed> {
  return db.transaction().execute(async (trx) => {
    const token = await lockToken(trx, request.tokenHash);
    if (token === null) return { kind: 'refused' };
    const misused = token.stale || (token.transport !== null && token.transport !== request.transport);
    if (misused) {
      await endSession(trx, token.tenant_id, token.session_id);
      return { kind: 'refused' };
    }
    if (token.blocked) return { kind: 'blocked' };
    if (request.transport === 'cookie') await replaceToken(trx, token, request.nextTokenHash);
    await markUsed(trx, token.session_id, request.transport);
    return {
      kind: 'refreshed',
      tenantId: token.tenant_id,
      sessionId: token.session_id,
      expiresAt: token.expires_at,
    };
  });
}

interface TokenRow {
  session_id: string;
  tenant_id: string;
  transport: Transport | null;
  expires_at: Date;
  blocked: boolean;
  /** It was replaced already. */
  replaced: boolean;
  /** It was replaced longer ago than the grace. */
  stale: boolean;
}

/** Locks the session first and reads the token after that, so that two refreshes of one family go one by one. */
async function lockToken(trx: Trx, hash: Buffer): Promise<TokenRow | null> {
  await sql`
    select 1 from sessions where id = (select session_id from refresh_tokens where hash = ${hash}) for update`.execute(
    trx,
  );
  const { rows } = await sql<TokenRow>`
    select s.id as session_id, s.tenant_id, s.transport, s.expires_at, t.blocked_at is not null as blocked,
      r.replaced_at is not null as replaced,
      coalesce(r.replaced_at < clock_timestamp() - make_interval(secs => ${graceSeconds}), false) as stale
    from refresh_tokens r join sessions s on s.id = r.session_id join tenants t on t.id = s.tenant_id
    where r.hash = ${hash} and s.revoked_at is null and s.expires_at > now()`.execute(trx);
  return rows[0] ?? null;
}

async function replaceToken(trx: Trx, token: TokenRow, nextHash: Buffer): Promise<void> {
  if (!token.replaced)
    await trx
      .updateTable('refresh_tokens')
      .set({ replaced_at: sql<Date>`clock_timestamp()` })
      .where('session_id', '=', token.session_id)
      .where('replaced_at', 'is', null)
      .execute();
  await trx.insertInto('refresh_tokens').values({ hash: nextHash, session_id: token.session_id }).execute();
}

async function markUsed(trx: Trx, sessionId: string, transport: Transport): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ last_used_at: sql<Date>`now()`, transport })
    .where('id', '=', sessionId)
    .execute();
}

import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { endSession, type Transport } from './sessions.ts';

/** How long a replaced refresh token is still accepted. */
const graceSeconds = 30;

export interface RefreshRequest {
  readonly tokenHash: Buffer;
  readonly transport: Transport;
  /** The chain of tokens that follow this one, nearest first. By cookie, the answer is one of them. */
  readonly nextTokenHashes: readonly Buffer[];
}

export type Refreshed =
  | {
      readonly kind: 'refreshed';
      readonly tenantId: string;
      readonly sessionId: string;
      readonly expiresAt: Date;
      /** By cookie: the index in `nextTokenHashes` of the session's current token. */
      readonly next: number | null;
    }
  /** The token is unknown, or its session has ended (perhaps just now, because the token was misused). */
  | { readonly kind: 'refused' }
  | { readonly kind: 'blocked' };

/**
 * Accepts a refresh token. By cookie, the token is replaced by the next one of its chain. The replaced token is
 * accepted for another 30 s and yields the session's current token, so a browser holds the same token whichever answer
 * it keeps. A replaced token used later, or a token used by a transport other than the session's first, was stolen or
 * copied: the session ends.
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
    const next =
      request.transport === 'cookie' ? await replaceToken(trx, token, request.nextTokenHashes) : null;
    if (next === -1) return { kind: 'refused' };
    await markUsed(trx, token.session_id, request.transport);
    return {
      kind: 'refreshed',
      tenantId: token.tenant_id,
      sessionId: token.session_id,
      expiresAt: token.expires_at,
      next,
    };
  });
}

interface TokenRow {
  session_id: string;
  tenant_id: string;
  transport: Transport | null;
  expires_at: Date;
  blocked: boolean;
  /** The token was replaced before. */
  replaced: boolean;
  /** The token was replaced longer ago than the grace period. */
  stale: boolean;
}

/** Locks the session first and reads the token afterwards, so that concurrent refreshes of one session run in turn. */
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

/** The index of the first hash that is not replaced yet; a new one is stored. -1 when all are replaced. */
async function replaceToken(trx: Trx, token: TokenRow, hashes: readonly Buffer[]): Promise<number> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from refresh_tokens where hash = any(${hashes}::bytea[]) and replaced_at is not null`.execute(
    trx,
  );
  const next = hashes.findIndex((hash) => !rows.some((replaced) => replaced.hash.equals(hash)));
  const hash = hashes[next];
  if (hash === undefined) return -1;
  if (!token.replaced)
    await trx
      .updateTable('refresh_tokens')
      .set({ replaced_at: sql<Date>`clock_timestamp()` })
      .where('session_id', '=', token.session_id)
      .where('replaced_at', 'is', null)
      .execute();
  await trx
    .insertInto('refresh_tokens')
    .values({ hash, session_id: token.session_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return next;
}

/** Records the use by the minute, so that a busy session is written at most once a minute. */
async function markUsed(trx: Trx, sessionId: string, transport: Transport): Promise<void> {
  const minute = sql<Date>`date_trunc('minute', now())`;
  await trx
    .updateTable('sessions')
    .set({ last_used_at: sql<Date>`greatest(last_used_at, ${minute})`, transport })
    .where('id', '=', sessionId)
    .where((is) => is.or([is('last_used_at', '<', minute), is('transport', 'is distinct from', transport)]))
    .execute();
}

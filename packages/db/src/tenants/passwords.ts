import type { Db, Trx } from '../connection/connect.ts';
import { endPasswordLinks, confirmEmail, useLink } from './one-time-links.ts';
import { endSessions, replaceTokens } from './sessions.ts';

/** Stores a new password and ends every session and every link to a new password, in one commit. */
export async function resetPassword(db: Db, tenantId: string, passwordHash: string): Promise<void> {
  await db.transaction().execute((trx) => storeReset(trx, tenantId, passwordHash));
}

/**
 * Uses a link: resets the password, in one commit. A link that was mailed also proves the email address. False if the
 * link is unknown, used or expired; then nothing is written.
 */
export function resetPasswordByLink(db: Db, token: string, passwordHash: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const used = await useLink(trx, token, 'password');
    if (used === null) return false;
    await storeReset(trx, used.tenantId, passwordHash);
    if (used.emailed) await confirmEmail(trx, used.tenantId);
    return true;
  });
}

async function storeReset(trx: Trx, tenantId: string, passwordHash: string): Promise<void> {
  await trx.updateTable('tenants').set({ password_hash: passwordHash }).where('id', '=', tenantId).execute();
  await endSessions(trx, tenantId);
  await endPasswordLinks(trx, tenantId);
}

export interface PasswordChange {
  readonly tenantId: string;
  /** The hash that the old password was checked against. */
  readonly from: string;
  readonly to: string;
  /** The session that continues … */
  readonly sessionId: string;
  /** … with this as its only refresh token. */
  readonly tokenHash: Buffer;
}

/**
 * Stores a new password and ends every other session, every refresh token and every link to a new password, in one
 * commit. Returns the time until which the session continues. `session-ended`: the session has ended meanwhile.
 * `superseded`: the password has changed meanwhile, and nothing is written.
 */
export async function changePassword(
  db: Db,
  { tenantId, from, to, sessionId, tokenHash }: PasswordChange,
): Promise<{ readonly expiresAt: Date } | 'session-ended' | 'superseded'> {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('tenants')
      .set({ password_hash: to })
      .where('id', '=', tenantId)
      .where('password_hash', '=', from)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return 'superseded';
    await endSessions(trx, tenantId, sessionId);
    await endPasswordLinks(trx, tenantId);
    const expiresAt = await replaceTokens(trx, tenantId, sessionId, tokenHash);
    return expiresAt === null ? 'session-ended' : { expiresAt };
  });
}

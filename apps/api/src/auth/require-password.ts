import { findTenant } from '@notify/db';
import type { ApiDeps } from '../deps.ts';
import { Problem } from '../http/problem.ts';

/** Asks whoever holds a session for the password again; a tenant's guesses are limited. */
export async function requirePassword(
  tenantId: string,
  password: string,
  { db, passwords, loginLimits }: Pick<ApiDeps, 'db' | 'passwords' | 'loginLimits'>,
): Promise<void> {
  const tenant = await findTenant(db, tenantId);
  if (tenant === null) throw new Problem('unauthenticated');
  await loginLimits.takeConfirmation(tenantId);
  if (!(await passwords.matches(password, tenant.password_hash))) throw new Problem('invalid-credentials');
}

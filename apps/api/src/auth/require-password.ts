import { findTenant } from '@notify/db';
import type { ApiDeps } from '../deps.ts';
import { Problem } from '../http/problem.ts';
import type { RequestInfo } from '../http/route.ts';

/** Asks whoever holds a session for the password again; guesses count as logins do. */
export async function requirePassword(
  tenantId: string,
  password: string,
  request: RequestInfo,
  { db, passwords, loginLimits }: ApiDeps,
): Promise<void> {
  const tenant = await findTenant(db, tenantId);
  if (tenant === null) throw new Problem('unauthenticated');
  await loginLimits.take(tenant.email, request.address);
  if (!(await passwords.matches(password, tenant.password_hash))) throw new Problem('invalid-credentials');
}

import { findTenant, type TenantRow } from '@notify/db/tenants';
import type { ApiDeps } from '../deps.ts';
import { Problem } from '../problems/problem.ts';
import type { Asker } from './password-queue.ts';

/** Checks the password again within a session, under the tenant's limit of tries. Answers the tenant. */
export async function requirePassword(
  tenantId: string,
  password: string,
  asker: Asker,
  { db, passwords, loginLimits }: Pick<ApiDeps, 'db' | 'passwords' | 'loginLimits'>,
): Promise<TenantRow> {
  const tenant = await findTenant(db, tenantId);
  if (tenant === null) throw new Problem('unauthenticated');
  await loginLimits.takeConfirmation(tenantId);
  const matches = await passwords.matches(password, tenant.password_hash, asker);
  if (!matches) throw new Problem('invalid-credentials');
  return tenant;
}

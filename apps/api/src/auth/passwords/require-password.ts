import type { Db } from '@notify/db/connection';
import { findTenant, type TenantRow } from '@notify/db/tenants';
import { Problem } from '../../problems/problem.ts';
import { countConfirmation, type LoginLimits } from './login-limits.ts';
import type { Asker } from './password-queue.ts';
import { passwordMatches, type Passwords } from './passwords.ts';

/** What `requirePassword` needs. */
export interface PasswordNeeds {
  readonly db: Db;
  readonly loginLimits: LoginLimits;
  readonly passwords: Passwords;
}

/** Checks the password again within a session, under the tenant's limit of tries. Answers the tenant. */
export async function requirePassword(
  tenantId: string,
  password: string,
  asker: Asker,
  { db, passwords, loginLimits }: PasswordNeeds,
): Promise<TenantRow> {
  const tenant = await findTenant(db, tenantId);
  if (tenant === null) throw new Problem('unauthenticated');
  await countConfirmation(loginLimits, tenantId);
  const matches = await passwordMatches(passwords, password, tenant.password_hash, asker);
  if (!matches) throw new Problem('invalid-credentials');
  return tenant;
}

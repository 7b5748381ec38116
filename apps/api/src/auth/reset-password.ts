import { ResetPassword } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findLinkedTenant, resetPasswordByLink } from '@notify/db/tenants';
import { defineRoute, NoContent, NoParams, NoQuery } from '../http/route.ts';
import { invalidLink } from './invalid-link.ts';
import { countLink, type LoginLimits } from './passwords/login-limits.ts';
import { requireGoodPassword } from './passwords/new-password.ts';
import { askerOf } from './passwords/password-queue.ts';
import { hashPassword, type Passwords } from './passwords/passwords.ts';

export const resetPassword = defineRoute({
  operationId: 'auth.resetPassword',
  method: 'post',
  path: '/auth/password/reset',
  tag: 'Tenant',
  summary: 'Set a new password with a link',
  description:
    'Takes the token of a link to a new password, which is the part after its `#`. A token works once. Ends every session and revokes every refresh token.',
  credential: 'none',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: ResetPassword,
  status: 204,
  response: NoContent,
  problems: ['invalid-request', 'rate-limited'],
  async handle(
    { body: { token, newPassword }, request },
    { db, passwords, loginLimits }: { db: Db; loginLimits: LoginLimits; passwords: Passwords },
  ) {
    await countLink(loginLimits, request.address());
    const tenant = await findLinkedTenant(db, token, 'password');
    if (tenant === null) throw invalidLink();
    requireGoodPassword(newPassword, tenant, 'body/newPassword');
    const passwordHash = await hashPassword(passwords, newPassword, askerOf(request, tenant.id, true));
    if (!(await resetPasswordByLink(db, token, passwordHash))) throw invalidLink();
  },
});

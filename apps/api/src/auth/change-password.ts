import { ChangePassword } from '@notify/contract';
import { changePassword as storePassword } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoContent, NoParams, NoQuery } from '../http/route.ts';
import { requireGoodPassword } from './passwords/new-password.ts';
import { askerOf } from './passwords/password-queue.ts';
import { hashPassword } from './passwords/passwords.ts';
import { hashRefreshToken, makeRefreshToken, setRefreshCookie } from './refresh-token.ts';
import { requirePassword, type PasswordNeeds } from './passwords/require-password.ts';

export const changePassword = defineRoute({
  operationId: 'auth.changePassword',
  method: 'post',
  path: '/auth/password',
  tag: 'Tenant',
  summary: 'Change the password',
  description:
    'Ends all other sessions and revokes every refresh token of this one. The response sets a cookie with a new refresh token.',
  credential: 'session',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: ChangePassword,
  status: 204,
  response: NoContent,
  problems: ['invalid-credentials', 'rate-limited'],
  async handle({ body, caller, request, reply }, deps: PasswordNeeds & { readonly settings: Settings }) {
    const asker = askerOf(request, caller.tenantId, true);
    const tenant = await requirePassword(caller.tenantId, body.currentPassword, asker, deps);
    requireGoodPassword(body.newPassword, tenant, 'body/newPassword');
    const refreshToken = makeRefreshToken();
    const changed = await storePassword(deps.db, {
      tenantId: tenant.id,
      from: tenant.password_hash,
      to: await hashPassword(deps.passwords, body.newPassword, asker),
      sessionId: caller.bearerId,
      tokenHash: hashRefreshToken(refreshToken),
    });
    if (changed === 'superseded') throw new Problem('invalid-credentials');
    if (changed !== 'session-ended')
      reply.cookie(setRefreshCookie(refreshToken, deps.settings.cookieSecure, changed.expiresAt));
  },
});

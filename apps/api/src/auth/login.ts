import { LoggedIn, Login } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findTenantByEmail } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { deviceCookie, readDevice } from './device-cookie.ts';
import { foldEmail } from '../mail/folded-email.ts';
import { countLogin, type LoginLimits } from './passwords/login-limits.ts';
import { answerLogin, openSession } from './open-session.ts';
import { askerOf } from './passwords/password-queue.ts';
import { passwordMatches, type Passwords } from './passwords/passwords.ts';

export const login = defineRoute({
  operationId: 'auth.login',
  method: 'post',
  path: '/auth/login',
  tag: 'Tenant',
  summary: 'Log in',
  description:
    'Opens a session. An unknown email address and a wrong password get the same response. Attempts are limited per email address and per client address. The cookie `svc_device` identifies a browser that has logged in before, so attempts by others cannot lock it out.',
  credential: 'none',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: Login,
  status: 200,
  response: LoggedIn,
  problems: ['invalid-credentials', 'forbidden', 'rate-limited'],
  async handle(
    { body, request, reply },
    {
      db,
      settings,
      passwords,
      loginLimits,
    }: { db: Db; settings: Settings; loginLimits: LoginLimits; passwords: Passwords },
  ) {
    const { email, password } = body;
    const device = readDevice(request.cookies()[deviceCookie], email, settings.jwtSecrets);
    await countLogin(loginLimits, email, request.address(), device);
    const tenant = await findTenantByEmail(db, email);
    const asker = askerOf(request, foldEmail(email), device !== null);
    const matches = await passwordMatches(passwords, password, tenant?.password_hash ?? null, asker);
    if (tenant === null || !matches) throw new Problem('invalid-credentials');
    if (tenant.blocked_at !== null)
      throw new Problem('forbidden', { detail: 'The operator has blocked this tenant.' });
    const opened = await openSession(db, tenant, request);
    if (opened === null) throw new Problem('invalid-credentials');
    return answerLogin(tenant, opened, device, reply, settings);
  },
});

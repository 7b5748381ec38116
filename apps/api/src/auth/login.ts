import { LoggedIn, Login } from '@notify/contract';
import { findTenantByEmail } from '@notify/db';
import { Problem } from '../http/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { answerLogin, openSession } from './open-session.ts';

export const login = defineRoute({
  method: 'post',
  path: '/auth/login',
  tag: 'Accounts',
  summary: 'Log in',
  description:
    'Opens a session. An unknown email address and a wrong password are answered alike, and tries are limited per account and per client address.',
  credential: 'none',
  params: NoParams,
  query: NoQuery,
  body: Login,
  status: 200,
  response: LoggedIn,
  problems: ['invalid-credentials', 'forbidden', 'rate-limited'],
  async handle({ body, request, reply }, { db, settings, passwords, loginLimits }) {
    await loginLimits.take(body.email, request.address);
    const tenant = await findTenantByEmail(db, body.email);
    const matches = await passwords.matches(body.password, tenant?.password_hash ?? null);
    if (tenant === null || !matches) throw new Problem('invalid-credentials');
    if (tenant.blocked_at !== null)
      throw new Problem('forbidden', { detail: 'The operator has blocked this tenant.' });
    const opened = await openSession(db, tenant.id, request);
    return answerLogin(tenant, opened, reply, settings);
  },
});

import { LoggedIn, Register } from '@notify/contract';
import { createSandboxAccounts } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { createTenant } from '@notify/db/tenants';
import type { Settings, Secrets } from '@notify/runtime';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { foldEmail } from '../mail/folded-email.ts';
import { type LinkMails, mailRegistered } from '../mail/link-mails.ts';
import { countRegistration, type LoginLimits } from './passwords/login-limits.ts';
import { requireGoodPassword } from './passwords/new-password.ts';
import { answerLogin, openSession } from './open-session.ts';
import { askerOf } from './passwords/password-queue.ts';
import { hashPassword, type Passwords } from './passwords/passwords.ts';

export const register = defineRoute({
  operationId: 'auth.register',
  method: 'post',
  path: '/auth/register',
  tag: 'Tenant',
  summary: 'Register a tenant',
  description:
    'Starts the trial and logs in. The refresh token is set as the cookie `svc_refresh`. If the sandbox is enabled, the tenant starts with a sandbox account on every channel. If the email address must be verified, a mail with a link follows, and sends get 403 until it is opened.',
  credential: 'none',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: Register,
  status: 200,
  response: LoggedIn,
  problems: ['forbidden', 'email-taken', 'rate-limited'],
  async handle(
    { body, request, reply },
    {
      db,
      settings,
      passwords,
      secrets,
      loginLimits,
      linkMails,
    }: {
      db: Db;
      settings: Settings;
      secrets: Secrets;
      loginLimits: LoginLimits;
      passwords: Passwords;
      linkMails: LinkMails;
    },
  ) {
    if (settings.registration === 'closed')
      throw new Problem('forbidden', { detail: 'Registration is closed.' });
    requireGoodPassword(body.password, body, 'body/password');
    await countRegistration(loginLimits, request.address());
    const passwordHash = await hashPassword(
      passwords,
      body.password,
      askerOf(request, foldEmail(body.email), false),
    );
    const { name, email } = body;
    const { tenant, opened } = await db.transaction().execute(async (trx) => {
      const created = await createTenant(trx, { name, email, passwordHash, trialDays: settings.trialDays });
      if (created === null) throw new Problem('email-taken');
      if (settings.sandbox) await createSandboxAccounts(trx, secrets, created.id);
      return { tenant: created, opened: (await openSession(trx, created, request))! };
    });
    if (settings.emailVerification === 'required') mailRegistered(linkMails, tenant);
    return answerLogin(tenant, opened, null, reply, settings);
  },
});

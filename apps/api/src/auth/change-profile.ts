import { ChangedProfile, ChangeProfile } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { changeEmail, findTenant, findTenantByEmail, renameTenant, type TenantRow } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { foldEmail } from '../mail/folded-email.ts';
import { countChange, deliveryOf, type LinkMails, mailChange } from '../mail/link-mails.ts';
import { askerOf } from './passwords/password-queue.ts';
import { profileOf } from './get-profile.ts';
import { requirePassword, type PasswordNeeds } from './passwords/require-password.ts';

export const changeProfile = defineRoute({
  operationId: 'auth.changeProfile',
  method: 'patch',
  path: '/auth/me',
  tag: 'Tenant',
  summary: 'Change the name or the email address',
  description:
    'A new email address needs the password. If this service sends mail, a link goes to the new address, and `email` changes when it is opened, within 24 hours; the old address is told. Until then `pendingEmail` names it. Without a mail server the address changes at once and is not verified. Sessions, keys and tokens stay. Links that were mailed to the old address end with the change. At most three requests for a new address an hour.',
  credential: 'session',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: ChangeProfile,
  status: 200,
  response: ChangedProfile,
  problems: ['invalid-request', 'invalid-credentials', 'email-taken', 'rate-limited'],
  async handle(
    { body, caller, request },
    deps: PasswordNeeds & { readonly settings: Settings; readonly linkMails: LinkMails },
  ) {
    const { name, email, password } = body;
    let pendingEmail: string | null = null;
    if (email !== undefined) {
      if (password === undefined) throw passwordMissing();
      const asker = askerOf(request, caller.tenantId, true);
      const tenant = await requirePassword(caller.tenantId, password, asker, deps);
      pendingEmail = await takeEmail(tenant, email, deps);
    }
    if (name !== undefined) await renameTenant(deps.db, caller.tenantId, name);
    const tenant = await findTenant(deps.db, caller.tenantId);
    if (tenant === null) throw new Problem('unauthenticated');
    return { ...profileOf(tenant, deps.settings), pendingEmail };
  },
});

/** Changes the address, or mails the link that does. Answers the address for which one is open. */
async function takeEmail(
  tenant: TenantRow,
  email: string,
  { db, linkMails }: { db: Db; linkMails: LinkMails },
): Promise<string | null> {
  const isSameMailbox = foldEmail(email) === foldEmail(tenant.email);
  if (!isSameMailbox) {
    // Before the look-up, so that nobody can ask for many addresses which are taken.
    const waitMs = await countChange(linkMails, tenant.id);
    if (waitMs !== null) throw tooMany(waitMs);
    if ((await findTenantByEmail(db, email)) !== null) throw new Problem('email-taken');
  }
  if (isSameMailbox || deliveryOf(linkMails) === 'operator') {
    const change = { tenantId: tenant.id, newEmail: email, passwordHash: tenant.password_hash };
    const result = await changeEmail(db, change);
    if (result === 'email-taken') throw new Problem('email-taken');
    if (result === 'superseded') throw new Problem('invalid-credentials');
    return null;
  }
  const waitMs = await mailChange(linkMails, tenant, email);
  if (waitMs === 'superseded') throw new Problem('invalid-credentials');
  if (waitMs !== null) throw tooMany(waitMs);
  return email;
}

function tooMany(waitMs: number): Problem {
  return new Problem('rate-limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}

function passwordMissing(): Problem {
  return invalidRequest({ at: 'body/password', message: 'is required to change the email address' });
}

import { createOneTimeLink, confirmEmail } from '@notify/db/tenants';
import type { Command, OperatorDeps } from './command.ts';
import { shownTenant, tenantOf } from './tenants.ts';

const validMinutes = 24 * 60;

export const passwordLinkCommand: Command = {
  name: 'password-link',
  words: ['tenant'],
  options: {},
  about: 'Prints a link with which the tenant sets a new password. It works once, for 24 hours.',
  async run(input, { db, settings }) {
    const tenant = await tenantOf(input, db);
    const wanted = { tenantId: tenant.id, purpose: 'password', emailed: false, validMinutes } as const;
    const { token, expiresAt } = await createOneTimeLink(db, wanted);
    const link = `${addressOf(settings)}/reset-password#${token}`;
    const text = `${link}\nGive it to ${tenant.email} only. It works once, until ${expiresAt.toISOString()}.`;
    return { value: { ...shownTenant(tenant), link, expiresAt }, text: `${text}${warningOf(settings)}` };
  },
};

export const verifyEmailCommand: Command = {
  name: 'verify-email',
  words: ['tenant'],
  options: {},
  about: 'Marks the email address of a tenant as verified, without a mail.',
  async run(input, { db }) {
    const tenant = await tenantOf(input, db);
    await confirmEmail(db, tenant.id);
    return { value: shownTenant(tenant), text: `the email address ${tenant.email} is verified` };
  },
};

/** The address of the dashboard. Without PUBLIC_URL it is that of an api on this machine. */
function addressOf({ publicUrl, port }: OperatorDeps['settings']): string {
  return publicUrl ?? `http://127.0.0.1:${port}`;
}

function warningOf({ publicUrl }: OperatorDeps['settings']): string {
  return publicUrl === null ? '\nPUBLIC_URL is not set, so the link leads to this machine.' : '';
}

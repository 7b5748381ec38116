import { LinkDelivery } from '@notify/contract';
import { findTenant } from '@notify/db/tenants';
import { Problem } from '../http/problem.ts';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';

export const requestVerification = defineRoute({
  operationId: 'auth.requestVerification',
  method: 'post',
  path: '/auth/email/verification',
  tag: 'Tenant',
  summary: 'Ask for another link to verify the email address',
  description:
    'The link arrives by email. Without a mail server, the operator verifies the address (`delivery: "operator"`). At most three links an hour.',
  credential: 'session',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 202,
  response: LinkDelivery,
  problems: ['rate-limited'],
  async handle({ caller }, { db, linkMails }) {
    const tenant = await findTenant(db, caller.tenantId);
    if (tenant === null) throw new Problem('unauthenticated');
    const { delivery } = linkMails;
    if (tenant.email_verified_at !== null || delivery === 'operator') return { delivery };
    const waitMs = await linkMails.confirmAgain(tenant);
    if (waitMs !== null) throw new Problem('rate-limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
    return { delivery };
  },
});

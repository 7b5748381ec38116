import { LinkDelivery } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findTenant } from '@notify/db/tenants';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';
import { deliveryOf, type LinkMails, mailConfirmation } from '../mail/link-mails.ts';

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
  async handle({ caller }, { db, linkMails }: { db: Db; linkMails: LinkMails }) {
    const tenant = await findTenant(db, caller.tenantId);
    if (tenant === null) throw new Problem('unauthenticated');
    const delivery = deliveryOf(linkMails);
    if (tenant.email_verified_at !== null || delivery === 'operator') return { delivery };
    const waitMs = await mailConfirmation(linkMails, tenant);
    if (waitMs !== null) throw new Problem('rate-limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
    return { delivery };
  },
});

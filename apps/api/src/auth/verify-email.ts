import { VerifyEmail } from '@notify/contract';
import { verifyEmailByLink } from '@notify/db/tenants';
import { defineRoute, NoContent, NoParams, NoQuery } from '../http/route.ts';
import { invalidLink } from './invalid-link.ts';

export const verifyEmail = defineRoute({
  operationId: 'auth.verifyEmail',
  method: 'post',
  path: '/auth/email/verify',
  tag: 'Tenant',
  summary: 'Verify the email address with a link',
  description:
    'Takes the token of the link in the mail, which is the part after its `#`. A token works once, for 24 hours.',
  credential: 'none',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: VerifyEmail,
  status: 204,
  response: NoContent,
  problems: ['invalid-request', 'rate-limited'],
  async handle({ body, request }, { db, loginLimits }) {
    await loginLimits.takeLink(request.address());
    if (!(await verifyEmailByLink(db, body.token))) throw invalidLink();
  },
});

import { VerifyEmail } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { confirmEmailByLink } from '@notify/db/tenants';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoContent, NoParams, NoQuery } from '../http/route.ts';
import { invalidLink } from './invalid-link.ts';
import { countLink, type LoginLimits } from './passwords/login-limits.ts';

export const verifyEmail = defineRoute({
  operationId: 'auth.verifyEmail',
  method: 'post',
  path: '/auth/email/verify',
  tag: 'Tenant',
  summary: 'Verify the email address with a link',
  description:
    'Takes the token of the link in the mail, which is the part after its `#`. A token works once, for 24 hours. If the link is for a new address (`PATCH /auth/me`), the address changes now, and every link that was mailed to the old one ends.',
  credential: 'none',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: VerifyEmail,
  status: 204,
  response: NoContent,
  problems: ['invalid-request', 'email-taken', 'rate-limited'],
  async handle({ body, request }, { db, loginLimits }: { db: Db; loginLimits: LoginLimits }) {
    await countLink(loginLimits, request.address());
    const result = await confirmEmailByLink(db, body.token);
    if (result === 'invalid') throw invalidLink();
    if (result === 'email-taken') throw new Problem('email-taken');
  },
});

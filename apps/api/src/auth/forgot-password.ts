import { ForgotPassword, LinkDelivery } from '@notify/contract';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { deliveryOf, type LinkMails, mailForgotten } from '../mail/link-mails.ts';
import { countForgotten, type LoginLimits } from './passwords/login-limits.ts';

export const forgotPassword = defineRoute({
  operationId: 'auth.forgotPassword',
  method: 'post',
  path: '/auth/password/forgot',
  tag: 'Tenant',
  summary: 'Ask for a link to a new password',
  description:
    'Gets the same response whether or not the email address is registered. The link arrives by email within a minute and works once, for an hour. Without a mail server, the operator prints the link (`delivery: "operator"`). A mailbox gets at most three links an hour. Requests are limited per client address.',
  credential: 'none',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: ForgotPassword,
  status: 202,
  response: LinkDelivery,
  problems: ['rate-limited'],
  async handle(
    { body, request },
    { loginLimits, linkMails }: { loginLimits: LoginLimits; linkMails: LinkMails },
  ) {
    await countForgotten(loginLimits, request.address());
    mailForgotten(linkMails, body.email);
    return { delivery: deliveryOf(linkMails) };
  },
});

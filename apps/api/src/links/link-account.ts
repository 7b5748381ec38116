import type { Adapter } from '@notify/channels';
import { AccountLink, LinkAccount } from '@notify/contract';
import { requestLink } from '@notify/db/whatsapp';
import { AccountParams } from '../channel-accounts/account.ts';
import { found } from '../problems/found.ts';
import { invalidRequest } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { judgeRecipient } from '../sending/recipient.ts';
import { wakeSoon, type Wakes } from '../wake.ts';
import { demandLinkable, readLink, type LinkNeeds } from './link.ts';

export const linkAccount = defineRoute({
  operationId: 'channelAccounts.link',
  method: 'post',
  path: '/v1/channel-accounts/:id/link',
  tag: 'Channel accounts',
  summary: 'Link an account to a phone',
  description:
    'Starts or restarts linking. The QR code, or with `phone` the code to enter there, is available within seconds from the two operations below. If the account is already linked, nothing changes. If it is being unlinked, linking starts afterwards. Only for providers with the capability `linking`.',
  credential: 'bearer',
  scope: 'accounts:link',
  params: AccountParams,
  query: NoQuery,
  body: LinkAccount,
  status: 202,
  response: AccountLink,
  problems: ['not-found', 'invalid-request'],
  async handle(
    { params, body, caller: { tenantId } },
    deps: LinkNeeds & Wakes & { readonly adapters: ReadonlyMap<string, Adapter> },
  ) {
    const phone = body.phone === undefined ? null : digitsOf(body.phone);
    const account = await demandLinkable(deps, tenantId, params.id);
    const request = found(await requestLink(deps.db, tenantId, account.id, phone));
    const link = found(await readLink(account, deps));
    if (request === 'requested') wakeSoon(deps, 'dispatch', account);
    return link;
  },
});

function digitsOf(phone: string): string {
  const fault = judgeRecipient('whatsapp', phone);
  if (fault !== null) throw invalidRequest({ at: 'body/phone', message: fault });
  return phone.replace('+', '');
}

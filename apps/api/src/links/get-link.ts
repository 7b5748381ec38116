import type { Adapter } from '@notify/channels';
import { AccountLink } from '@notify/contract';
import { AccountParams } from '../channel-accounts/account.ts';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { demandLinkable, readLink, type LinkNeeds } from './link.ts';

export const getLink = defineRoute({
  operationId: 'channelAccounts.getLink',
  method: 'get',
  path: '/v1/channel-accounts/:id/link',
  tag: 'Channel accounts',
  summary: 'Retrieve the linking state and the sending limits',
  description:
    'Expired QR codes and pairing codes are not returned. Poll for the next one, or read the stream.',
  credential: 'bearer',
  scope: 'accounts:link',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: AccountLink,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, caller }, deps: LinkNeeds & { readonly adapters: ReadonlyMap<string, Adapter> }) {
    const account = await demandLinkable(deps, caller.tenantId, params.id);
    return found(await readLink(account, deps));
  },
});

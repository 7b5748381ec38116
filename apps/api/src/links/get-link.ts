import { AccountLink } from '@notify/contract';
import { AccountParams } from '../channel-accounts/account.ts';
import { found } from '../http/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { demandLinkable, readLink } from './link.ts';

export const getLink = defineRoute({
  method: 'get',
  path: '/v1/channel-accounts/:id/link',
  tag: 'Channel accounts',
  summary: 'See how linking stands, and how carefully the account sends',
  description:
    'What is to be displayed is gone when it has expired; ask again for the next, or read the stream.',
  credential: 'bearer',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: AccountLink,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, caller }, deps) {
    const account = await demandLinkable(deps, caller.tenantId, params.id);
    return found(await readLink(account, deps));
  },
});

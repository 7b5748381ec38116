import { ChannelAccount } from '@notify/contract';
import { findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { AccountParams, readAccountId, toAccount, type AccountNeeds } from './account.ts';

export const getChannelAccount = defineRoute({
  operationId: 'channelAccounts.get',
  method: 'get',
  path: '/v1/channel-accounts/:id',
  tag: 'Channel accounts',
  summary: 'Retrieve an account',
  credential: 'bearer',
  scope: 'accounts:read',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: ChannelAccount,
  problems: ['not-found'],
  async handle({ params, caller }, deps: AccountNeeds & { readonly db: Db }) {
    return toAccount(found(await findAccount(deps.db, caller.tenantId, readAccountId(params.id))), deps);
  },
});

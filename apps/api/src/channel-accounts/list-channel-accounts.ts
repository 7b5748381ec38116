import { ChannelAccount } from '@notify/contract';
import { listAccounts } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import Type from 'typebox';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';
import { toAccount, type AccountNeeds } from './account.ts';

export const listChannelAccounts = defineRoute({
  operationId: 'channelAccounts.list',
  method: 'get',
  path: '/v1/channel-accounts',
  tag: 'Channel accounts',
  summary: 'List accounts',
  credential: 'bearer',
  scope: 'accounts:read',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Type.Array(ChannelAccount),
  problems: [],
  async handle({ caller }, deps: AccountNeeds & { readonly db: Db }) {
    const rows = await listAccounts(deps.db, caller.tenantId);
    return rows.map((row) => toAccount(row, deps));
  },
});

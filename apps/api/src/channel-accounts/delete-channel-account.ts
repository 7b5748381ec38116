import type { Adapter } from '@notify/channels';
import { deleteAccount, findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoContent, NoQuery } from '../http/route.ts';
import { wakeSoon, type Wakes } from '../wake.ts';
import { AccountParams, readAccountId } from './account.ts';
import { receiveSoon } from './receive-soon.ts';

export const deleteChannelAccount = defineRoute({
  operationId: 'channelAccounts.delete',
  method: 'delete',
  path: '/v1/channel-accounts/:id',
  tag: 'Channel accounts',
  summary: 'Remove an account',
  description:
    'No more messages are sent from the account. Waiting messages fail with `channel-account-removed` soon after. If it was the default of its channel, the oldest remaining account that can be used becomes the default.',
  credential: 'bearer',
  scope: 'accounts:write',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: ['not-found'],
  async handle(
    { params, caller },
    deps: Wakes & { readonly db: Db; readonly adapters: ReadonlyMap<string, Adapter> },
  ) {
    const id = readAccountId(params.id);
    const account = await findAccount(deps.db, caller.tenantId, id);
    const lane = found(await deleteAccount(deps.db, caller.tenantId, id));
    if (account !== null) await receiveSoon(account, deps);
    wakeSoon(deps, 'dispatch', { id, lane });
  },
});

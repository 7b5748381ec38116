import type { Adapter } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { requestUnlink } from '@notify/db/whatsapp';
import { AccountParams } from '../channel-accounts/account.ts';
import { defineRoute, NoBody, NoContent, NoQuery } from '../http/route.ts';
import { wakeSoon, type Wakes } from '../wake.ts';
import { demandLinkable } from './link.ts';

export const unlinkAccount = defineRoute({
  operationId: 'channelAccounts.unlink',
  method: 'post',
  path: '/v1/channel-accounts/:id/unlink',
  tag: 'Channel accounts',
  summary: 'Unlink an account from its phone',
  description:
    'Logs the device out, deletes its keys and stops any linking in progress. Until the account is linked again, its messages wait, or expire.',
  credential: 'bearer',
  scope: 'accounts:link',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: ['not-found', 'invalid-request'],
  async handle(
    { params, caller: { tenantId } },
    deps: Wakes & { readonly db: Db; readonly adapters: ReadonlyMap<string, Adapter> },
  ) {
    const account = await demandLinkable(deps, tenantId, params.id);
    await requestUnlink(deps.db, tenantId, account.id);
    wakeSoon(deps, 'dispatch', account);
  },
});

import { requestUnlink } from '@notify/db/whatsapp';
import { AccountParams } from '../channel-accounts/account.ts';
import { defineRoute, NoBody, NoContent, NoQuery } from '../http/route.ts';
import { wakeSoon } from '../wake.ts';
import { demandLinkable } from './link.ts';

export const unlinkAccount = defineRoute({
  method: 'post',
  path: '/v1/channel-accounts/:id/unlink',
  tag: 'Channel accounts',
  summary: 'Log the linked device out',
  description:
    'Its keys are removed, and linking that is under way ends. Soon after the account is to be linked again; its messages wait for that until they expire.',
  credential: 'bearer',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, caller: { tenantId } }, deps) {
    const account = await demandLinkable(deps, tenantId, params.id);
    await requestUnlink(deps.db, tenantId, account.id);
    wakeSoon(deps, 'dispatch', account);
  },
});

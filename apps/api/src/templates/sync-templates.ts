import type { Adapter } from '@notify/channels';
import { TemplateSync } from '@notify/contract';
import { findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { askForSync, readSyncState } from '@notify/db/templates';
import { AccountParams, adapterOf, readAccountId } from '../channel-accounts/account.ts';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { askedApartMs } from '../channel-accounts/read-templates-soon.ts';
import { toSync } from './sync-state.ts';

export const syncTemplates = defineRoute({
  operationId: 'templates.sync',
  method: 'post',
  path: '/v1/channel-accounts/:id/templates/sync',
  tag: 'Channel accounts',
  summary: 'Read the templates from the provider',
  description:
    'Starts within seconds, at most once every 10 seconds. The templates are read every 15 minutes anyway, and when the provider reports a change.',
  credential: 'bearer',
  scope: 'templates:write',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 202,
  response: TemplateSync,
  problems: ['not-found', 'template-not-supported'],
  async handle(
    { params, caller },
    deps: { readonly db: Db; readonly adapters: ReadonlyMap<string, Adapter> },
  ) {
    const { db } = deps;
    const { id, provider } = found(await findAccount(db, caller.tenantId, readAccountId(params.id)));
    if (adapterOf(deps, provider).listTemplates === undefined) throw new Problem('template-not-supported');
    await askForSync(db, id, askedApartMs);
    return toSync(await readSyncState(db, id));
  },
});

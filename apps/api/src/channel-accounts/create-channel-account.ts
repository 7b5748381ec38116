import { randomUUIDv7 } from 'node:crypto';
import { type Adapter, channelOf } from '@notify/channels';
import { ChannelAccount, CreateChannelAccount } from '@notify/contract';
import { createAccount, newCallbackSecret } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { demandSettings, paceOf } from './account-settings.ts';
import { judgeSettings, type JudgeNeeds } from './ask-provider.ts';
import { sealAccount, toAccount, type AccountNeeds } from './account.ts';
import { receiveSoon } from './receive-soon.ts';
import { readTemplatesSoon } from './read-templates-soon.ts';

export const createChannelAccount = defineRoute({
  operationId: 'channelAccounts.create',
  method: 'post',
  path: '/v1/channel-accounts',
  tag: 'Channel accounts',
  summary: 'Connect an account',
  description:
    'The settings are checked against the schema, then verified with the provider, and stored encrypted. If the provider accepts them, the account is `connected`, and the first real one of its channel becomes the default. If it refuses them, the status is `action-required`. If it does not respond within 5 seconds, or is not asked, the account is `connecting` until its first success: a verification that passes, or a message that the provider accepts. Messages can be sent from it all the while. It does not become the default before that, unless `isDefault` is true; `statusDetail` and `defaultDetail` say why. A linked phone becomes the default when it is linked.',
  credential: 'bearer',
  scope: 'accounts:write',
  params: NoParams,
  query: NoQuery,
  body: CreateChannelAccount,
  status: 201,
  response: ChannelAccount,
  problems: ['invalid-request', 'limit-reached'],
  async handle(
    { body, caller: { tenantId }, request: { place } },
    deps: AccountNeeds & JudgeNeeds & { readonly db: Db },
  ) {
    const adapter = demandAdapter(deps, body.provider);
    const chosen = withoutNulls(body.settings);
    demandSettings(adapter, chosen, deps.settings);
    const id = randomUUIDv7();
    const wanted = body.verify ?? true;
    const { verdict } = await judgeSettings(adapter, chosen, { tenantId, place, wanted }, deps);
    const sealed = { settings: chosen, callbackSecret: newCallbackSecret() };
    const account = {
      id,
      tenantId,
      channel: channelOf(adapter, chosen),
      provider: adapter.id,
      name: body.name,
      settings: sealAccount(deps, { id, tenant_id: tenantId }, sealed),
      perSecond: paceOf(adapter, chosen),
      isDefault: body.isDefault ?? false,
      verdict,
    };
    const limit = deps.settings.maxChannelAccounts;
    const row = await createAccount(deps.db, account, limit);
    if (row === null) throw new Problem('limit-reached', { detail: `A tenant can have ${limit} accounts.` });
    await readTemplatesSoon(row, 'new', deps);
    await receiveSoon(row, deps);
    return toAccount(row, deps);
  },
});

function demandAdapter({ adapters }: { adapters: ReadonlyMap<string, Adapter> }, provider: string): Adapter {
  const adapter = adapters.get(provider);
  if (adapter !== undefined) return adapter;
  const message = `must be one of ${[...adapters.keys()].join(', ')}`;
  throw invalidRequest({ at: 'body/provider', message });
}

/** Drops settings that are null, so that they count as absent. */
function withoutNulls(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

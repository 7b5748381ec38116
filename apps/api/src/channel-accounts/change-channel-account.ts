import { type Adapter, channelOf, mergeSettings } from '@notify/channels';
import { ChangeChannelAccount, ChannelAccount } from '@notify/contract';
import {
  type AccountChange,
  type AccountRow,
  changeAccount,
  findAccount,
  newCallbackSecret,
  type SealedAccount,
} from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { found } from '../problems/found.ts';
import { invalidRequest } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { readTemplatesSoon } from './read-templates-soon.ts';
import { wakeSoon, type Wakes } from '../wake.ts';
import { demandMovedSecrets, demandSettings, paceOf } from './account-settings.ts';
import {
  AccountParams,
  adapterOf,
  openIfReadable,
  readAccountId,
  sealAccount,
  toAccount,
  type AccountNeeds,
} from './account.ts';
import { receiveSoon } from './receive-soon.ts';
import {
  type AskingRequest,
  type JudgedSettings,
  judgeSettings,
  verdictOn,
  type JudgeNeeds,
} from './ask-provider.ts';

export const changeChannelAccount = defineRoute({
  operationId: 'channelAccounts.update',
  method: 'patch',
  path: '/v1/channel-accounts/:id',
  tag: 'Channel accounts',
  summary: 'Update an account',
  description:
    'New settings are verified with the provider. They resume a paused account, and its waiting messages are retried, unless the provider refuses them: then the status is `action-required`. If the provider does not respond, a connected account stays connected, and `statusDetail` says so. A stored secret keeps its value only for the address and the place in the request that it was entered for. If new settings send it elsewhere, enter it again; otherwise `errors` names it.',
  credential: 'bearer',
  scope: 'accounts:write',
  params: AccountParams,
  query: NoQuery,
  body: ChangeChannelAccount,
  status: 200,
  response: ChannelAccount,
  problems: ['not-found', 'invalid-request'],
  async handle(
    { params, body, caller, request },
    deps: AccountNeeds & JudgeNeeds & Wakes & { readonly db: Db },
  ) {
    const id = readAccountId(params.id);
    const judged =
      body.settings === undefined
        ? null
        : await judge(id, { tenantId: caller.tenantId, place: request.place }, body, deps);
    const change = (account: AccountRow) => toChange(account, body, judged, deps);
    const row = found(await changeAccount(deps.db, caller.tenantId, id, change));
    if (body.settings !== undefined) {
      await readTemplatesSoon(row, 'changed', deps);
      await receiveSoon(row, deps);
      wakeSoon(deps, 'dispatch', row);
    }
    return toAccount(row, deps);
  },
});

/** Checks the settings that the account is going to have. */
async function judge(
  id: string,
  asking: AskingRequest,
  body: ChangeChannelAccount,
  deps: AccountNeeds & JudgeNeeds & { readonly db: Db },
): Promise<JudgedSettings> {
  const { adapter, sealed } = merged(
    found(await findAccount(deps.db, asking.tenantId, id)),
    body.settings,
    deps,
  );
  return judgeSettings(adapter, sealed.settings, { ...asking, wanted: body.verify ?? true }, deps);
}

function toChange(
  account: AccountRow,
  body: ChangeChannelAccount,
  judged: JudgedSettings | null,
  deps: AccountNeeds,
): AccountChange {
  if (body.isDefault === false && account.is_default) {
    throw invalidRequest({
      at: 'body/isDefault',
      message: 'cannot be set to false on the default account; make another account the default instead',
    });
  }
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.isDefault === true ? { isDefault: true } : {}),
    ...(judged === null ? {} : { settings: resealed(account, body.settings, judged, deps) }),
  };
}

function resealed(
  account: AccountRow,
  patch: unknown,
  judged: JudgedSettings,
  deps: AccountNeeds,
): NonNullable<AccountChange['settings']> {
  const { adapter, sealed } = merged(account, patch, deps);
  return {
    sealed: sealAccount(deps, account, sealed),
    perSecond: paceOf(adapter, sealed.settings),
    verdict: verdictOn(sealed.settings, judged),
  };
}

/** The account's settings after the patch. Throws the Problem of a patch that is refused. */
function merged(
  account: AccountRow,
  patch: unknown,
  deps: AccountNeeds,
): { readonly adapter: Adapter; readonly sealed: SealedAccount } {
  const adapter = adapterOf(deps, account.provider);
  const { settings: old, callbackSecret } = openIfReadable(deps, account) ?? blank();
  const settings = mergeSettings(adapter, old, patch);
  demandSettings(adapter, settings, deps.settings);
  demandMovedSecrets(adapter, { old, patch, settings });
  if (channelOf(adapter, settings) !== account.channel) {
    throw invalidRequest({
      at: 'body/settings/channel',
      message: 'cannot be changed; connect another account instead',
    });
  }
  return { adapter, sealed: { settings, callbackSecret } };
}

/**
 * Replaces settings that cannot be decrypted. The caller has to enter all settings again, and the callback URL changes.
 */
function blank(): SealedAccount {
  return { settings: {}, callbackSecret: newCallbackSecret() };
}

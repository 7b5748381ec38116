import { mergeSettings } from '@notify/channels';
import { ChangeChannelAccount, ChannelAccount } from '@notify/contract';
import {
  type AccountChange,
  type AccountRow,
  changeAccount,
  newCallbackSecret,
  type SealedAccount,
} from '@notify/db/accounts';
import type { ApiDeps } from '../deps.ts';
import { found } from '../http/found.ts';
import { invalidRequest } from '../http/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { wakeSoon } from '../wake.ts';
import { channelOf, demandSettings, paceOf } from './account-settings.ts';
import {
  AccountParams,
  adapterOf,
  openIfReadable,
  readAccountId,
  sealAccount,
  toAccount,
} from './account.ts';

export const changeChannelAccount = defineRoute({
  method: 'patch',
  path: '/v1/channel-accounts/:id',
  tag: 'Channel accounts',
  summary: 'Update an account',
  description: 'New settings also resume a paused account: its waiting messages are retried.',
  credential: 'bearer',
  params: AccountParams,
  query: NoQuery,
  body: ChangeChannelAccount,
  status: 200,
  response: ChannelAccount,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, body, caller }, deps) {
    const id = readAccountId(params.id);
    const change = (account: AccountRow) => toChange(account, body, deps);
    const row = found(await changeAccount(deps.db, caller.tenantId, id, change));
    if (body.settings !== undefined) wakeSoon(deps, 'dispatch', row);
    return toAccount(row, deps);
  },
});

function toChange(account: AccountRow, body: ChangeChannelAccount, deps: ApiDeps): AccountChange {
  if (body.isDefault === false && account.is_default) {
    throw invalidRequest({
      at: 'body/isDefault',
      message: 'cannot be set to false on the default account; make another account the default instead',
    });
  }
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.isDefault === true ? { isDefault: true } : {}),
    ...(body.settings === undefined ? {} : { settings: resealed(account, body.settings, deps) }),
  };
}

function resealed(
  account: AccountRow,
  patch: unknown,
  deps: ApiDeps,
): NonNullable<AccountChange['settings']> {
  const adapter = adapterOf(deps, account.provider);
  const { settings: old, callbackSecret } = openIfReadable(deps, account) ?? blank();
  const settings = mergeSettings(adapter, old, patch);
  demandSettings(adapter, settings, deps.settings);
  if (channelOf(adapter, settings) !== account.channel) {
    throw invalidRequest({
      at: 'body/settings/channel',
      message: 'cannot be changed; connect another account instead',
    });
  }
  return {
    sealed: sealAccount(deps, account, { settings, callbackSecret }),
    perSecond: paceOf(adapter, settings),
  };
}

/**
 * Replaces settings that cannot be decrypted. The caller has to enter all settings again, and the callback URL changes.
 */
function blank(): SealedAccount {
  return { settings: {}, callbackSecret: newCallbackSecret() };
}

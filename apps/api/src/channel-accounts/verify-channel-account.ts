import type { VerifyResult } from '@notify/channels';
import { Verification } from '@notify/contract';
import { type AccountRow, findAccount, markVerdict } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { requireRate } from '../keys/take-rate.ts';
import { wakeSoon, type Wakes } from '../wake.ts';
import {
  AccountParams,
  adapterOf,
  detailOf,
  openIfReadable,
  readAccountId,
  unreadable,
  type AccountNeeds,
} from './account.ts';
import {
  type AskingRequest,
  askProvider,
  crowded,
  verdictOf,
  type JudgeNeeds,
  type AskNeeds,
} from './ask-provider.ts';

const checkDeadlineMs = 10_000;

const unreadableSettings: VerifyResult = { ok: false, refused: false, detail: unreadable };

export const verifyChannelAccount = defineRoute({
  operationId: 'channelAccounts.verify',
  method: 'post',
  path: '/v1/channel-accounts/:id/verify',
  tag: 'Channel accounts',
  summary: 'Verify the settings with the provider',
  description:
    'Takes up to 10 seconds. If the settings work, the account is `connected`, and a paused one resumes. If they are refused and the account has never worked, its status is `action-required`. If the provider cannot be reached, only `statusDetail` changes. Requests are limited per tenant and minute.',
  credential: 'bearer',
  scope: 'accounts:write',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Verification,
  problems: ['not-found', 'rate-limited'],
  async handle({ params, caller, request }, deps: AccountNeeds & JudgeNeeds & Wakes & { readonly db: Db }) {
    const account = found(await findAccount(deps.db, caller.tenantId, readAccountId(params.id)));
    await requireRate(deps.accountCheckRates, caller.tenantId, deps.settings.accountChecksPerMinute);
    const result = await check(account, request.place, deps);
    const { ok, detail } = result;
    if (result !== crowded && result !== unreadableSettings)
      await markVerdict(deps.db, account, verdictOf(result));
    if (ok) wakeSoon(deps, 'dispatch', account);
    return { ok, refused: !result.ok && result.refused, detail };
  },
});

async function check(
  account: AccountRow,
  place: AskingRequest['place'],
  deps: AccountNeeds & AskNeeds,
): Promise<VerifyResult> {
  const opened = openIfReadable(deps, account);
  if (opened === null) return unreadableSettings;
  const adapter = adapterOf(deps, account.provider);
  if (adapter.capabilities.linking === true) return connectionOf(account);
  return askProvider(adapter, opened.settings, checkDeadlineMs, { tenantId: account.tenant_id, place }, deps);
}

/**
 * The state of an account according to the process that holds its connection. A second connection would end the first,
 * so none is opened to check it.
 */
function connectionOf(account: AccountRow): VerifyResult {
  const ok = account.status === 'connected';
  const detail = detailOf(account) ?? (ok ? 'Connected.' : 'Not connected.');
  return ok ? { ok, detail } : { ok, refused: false, detail };
}

import { setTimeout as delay } from 'node:timers/promises';
import { baseUrlOf, type VerifyResult } from '@notify/channels';
import { Verification } from '@notify/contract';
import { type AccountRow, findAccount, markVerified } from '@notify/db/accounts';
import type { ApiDeps } from '../deps.ts';
import { found } from '../http/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { requireRate } from '../keys/take-rate.ts';
import { wakeSoon } from '../wake.ts';
import { AccountParams, adapterOf, detailOf, openIfReadable, readAccountId, unreadable } from './account.ts';

const verifyDeadlineMs = 10_000;

export const verifyChannelAccount = defineRoute({
  method: 'post',
  path: '/v1/channel-accounts/:id/verify',
  tag: 'Channel accounts',
  summary: 'Verify the settings with the provider',
  description:
    'Takes up to 10 seconds. If the settings work, a paused account resumes. Requests are limited per tenant and minute.',
  credential: 'bearer',
  params: AccountParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Verification,
  problems: ['not-found', 'rate-limited'],
  async handle({ params, caller }, deps) {
    const account = found(await findAccount(deps.db, caller.tenantId, readAccountId(params.id)));
    await requireRate(deps.verificationRates, caller.tenantId, deps.settings.verificationsPerMinute);
    const { ok, detail } = await verify(account, deps);
    if (ok) {
      await markVerified(deps.db, account);
      wakeSoon(deps, 'dispatch', account);
    }
    return { ok, detail };
  },
});

async function verify(account: AccountRow, deps: ApiDeps): Promise<VerifyResult> {
  const opened = openIfReadable(deps, account);
  if (opened === null) return { ok: false, detail: unreadable };
  const adapter = adapterOf(deps, account.provider);
  if (adapter.capabilities.linking === true) return connectionOf(account);
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(verifyDeadlineMs)]);
  const tooLate = { ok: false, detail: 'The provider did not respond within 10 seconds.' };
  try {
    // An adapter that ignores its signal must not keep the caller waiting.
    return await Promise.race([
      adapter.verify({
        settings: opened.settings,
        http: deps.http.of(adapter),
        baseUrl: baseUrlOf(adapter, deps.settings.providerUrls),
        signal,
      }),
      delay(verifyDeadlineMs + 500, tooLate, { signal: ended.signal }),
    ]);
  } finally {
    ended.abort();
  }
}

/**
 * The state of an account according to the process that holds its connection. A second connection would end the first,
 * so none is opened to verify it.
 */
function connectionOf(account: AccountRow): VerifyResult {
  const ok = account.status === 'connected';
  return { ok, detail: detailOf(account) ?? (ok ? 'Connected.' : 'Not connected.') };
}

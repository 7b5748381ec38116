import { hash, timingSafeEqual } from 'node:crypto';
import type { CallbackResult } from '@notify/channels';
import { isUuid } from '@notify/core';
import { type CallbackAccount, recordConsents, type SealedAccount } from '@notify/db';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { adapterOf, openAccount } from '../channel-accounts/account.ts';
import type { ApiDeps } from '../deps.ts';
import { readBytes } from '../http/body.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../http/exchange.ts';
import { found } from '../http/found.ts';
import { Problem } from '../http/problem.ts';
import { sendText } from '../http/send-text.ts';
import { byOwner } from './by-owner.ts';

const maxBytes = 256 * 1024;

/**
 * Where providers report back: GET and POST `/callbacks/:provider/:accountId/:secret?`. The body reaches the adapter as
 * it came, for signatures are over its bytes. Answers only after the receipts are committed. An unknown account, another
 * provider's and a forged callback get the same 404. An account is held to its share of each process
 * (`CALLBACKS_PER_SECOND`).
 */
export function createCallbackHandler(deps: ApiDeps): ApiHandler {
  const limiter = new RateLimiterMemory({ points: deps.settings.callbacksPerSecond, duration: 1 });
  return async (request, response) => {
    const account = await demandAccount(request, deps);
    await demandAllowance(limiter, account.id);
    const body = await readBytes(request, maxBytes);
    const opened = openAccount(deps, account);
    const result = parse(account, opened, request, body, deps);
    await answer(result, account, opened.settings, response, deps);
  };
}

async function demandAccount({ method, params }: ApiRequest, deps: ApiDeps): Promise<CallbackAccount> {
  const { provider, accountId } = params as { provider: string; accountId: string };
  if ((method !== 'GET' && method !== 'POST') || !isUuid(accountId)) throw new Problem('not-found');
  return found(await deps.findCallbackAccount({ provider, accountId: accountId.toLowerCase() }));
}

async function demandAllowance(limiter: RateLimiterMemory, accountId: string): Promise<void> {
  try {
    await limiter.consume(accountId);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new Problem('rate-limited', { retryAfterSeconds: 1 });
  }
}

function parse(
  account: CallbackAccount,
  { settings, callbackSecret }: SealedAccount,
  request: ApiRequest,
  body: Buffer,
  deps: ApiDeps,
): CallbackResult {
  const adapter = adapterOf(deps, account.provider);
  if (adapter.parseCallback === undefined) return { kind: 'forged' };
  const url = request.originalUrl;
  return adapter.parseCallback(
    {
      method: request.method === 'GET' ? 'GET' : 'POST',
      url,
      publicUrl: publicUrlOf(url, deps.settings.publicUrl),
      query: new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''),
      get headers() {
        return toHeaders(request);
      },
      body,
      secretMatches: isSame((request.params as { secret?: string }).secret ?? '', callbackSecret),
    },
    settings,
  );
}

/** The host and scheme of the request say nothing: a proxy may have changed them, and a stranger may claim any. */
function publicUrlOf(url: string, base: string | null): string | null {
  return base === null ? null : `${base.replace(/\/+$/, '')}${url}`;
}

/** Compares in a time that tells nothing of where two secrets differ, or how long they are. */
function isSame(given: string, secret: string): boolean {
  // Three times as fast as asking for a buffer (Node 24).
  const digest = (text: string) => Buffer.from(hash('sha256', text, 'base64'), 'base64');
  return timingSafeEqual(digest(given), digest(secret));
}

function toHeaders({ headers }: ApiRequest): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

async function answer(
  result: CallbackResult,
  account: CallbackAccount,
  settings: unknown,
  response: ApiResponse,
  deps: ApiDeps,
): Promise<void> {
  switch (result.kind) {
    case 'forged':
      throw new Problem('not-found');
    case 'malformed':
      throw new Problem('invalid-request', { detail: result.problem });
    case 'receipts':
      await recordConsents(deps.db, account.id, result.consents ?? []);
      for (const { owner, receipts } of await byOwner(result.receipts, account, settings, deps)) {
        await deps.receive({ id: owner.id, tenantId: owner.tenant_id }, receipts);
      }
      sendText(response, 200, 'text/plain; charset=utf-8', result.answer ?? '');
  }
}

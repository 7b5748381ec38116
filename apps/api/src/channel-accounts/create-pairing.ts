import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Adapter, baseUrlOf, type PairingUrl, type ProviderHttp } from '@notify/channels';
import { CreatePairing, Pairing } from '@notify/contract';
import { type AccountRow, findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { createPairing as store, maxOpenPairings } from '@notify/db/conversations';
import type { Settings, Secrets, Log } from '@notify/runtime';
import { found } from '../problems/found.ts';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { type AskingRequest, askInPlace, type AskNeeds } from './ask-provider.ts';
import {
  AccountParams,
  adapterOf,
  openIfReadable,
  readAccountId,
  unreadable,
  type AccountNeeds,
} from './account.ts';

const defaultExpirySeconds = 604_800;
/** 32 characters of those that Telegram takes, which hold 192 random bits. */
const payloadBytes = 24;
const askMs = 5_000;

export const createPairing = defineRoute({
  operationId: 'channelAccounts.createPairing',
  method: 'post',
  path: '/v1/channel-accounts/:id/pairings',
  tag: 'Channel accounts',
  summary: 'Create a pairing link',
  description: `For telegram, where nobody can be written to before they have opened a chat. Give the link to one person. When they open it and press Start, the event \`contact.paired\` has your reference, and as \`to\` the chat to send to. The link works for the first chat that opens it, until it expires. An account can have ${maxOpenPairings.toLocaleString('en')} links that nobody has opened.`,
  credential: 'bearer',
  scope: 'conversations:write',
  params: AccountParams,
  query: NoQuery,
  body: CreatePairing,
  status: 201,
  response: Pairing,
  problems: ['not-found', 'invalid-request', 'limit-reached'],
  async handle(
    { params, body, caller: { tenantId }, request },
    deps: AccountNeeds & AskNeeds & { readonly db: Db },
  ) {
    const account = found(await findAccount(deps.db, tenantId, readAccountId(params.id)));
    const adapter = adapterOf(deps, account.provider);
    if (adapter.pairingUrl === undefined)
      throw invalidRequest({
        at: 'path/id',
        message: `is an account of ${account.provider}, which has no pairing links`,
      });
    const payload = randomBytes(payloadBytes).toString('base64url');
    const asked = await urlOf(adapter, account, payload, request.place, deps);
    if (asked.kind === 'failed') throw failure(asked);
    const { reference, expiresInSeconds = defaultExpirySeconds } = body;
    const expiresAt = await store(deps.db, {
      tenantId,
      accountId: account.id,
      payload,
      reference,
      expiresInSeconds,
    });
    if (expiresAt === null) {
      const detail = `The account has ${maxOpenPairings} open links. Wait until some are used or expire.`;
      throw new Problem('limit-reached', { detail });
    }
    return { url: asked.url, reference, expiresAt: expiresAt.toISOString() };
  },
});

async function urlOf(
  adapter: Adapter,
  account: AccountRow,
  payload: string,
  place: AskingRequest['place'],
  deps: AskNeeds & { readonly secrets: Secrets; readonly log: Log },
): Promise<PairingUrl> {
  const opened = openIfReadable(deps, account);
  if (opened === null) return { kind: 'failed', refused: true, detail: unreadable };
  const crowded: PairingUrl = {
    kind: 'failed',
    refused: false,
    detail: 'The provider is asked too much at the moment.',
  };
  return askInPlace({ owner: account.tenant_id, place }, deps.askingPlaces, crowded, (gaveWay) =>
    askWithin(adapter, opened.settings, payload, gaveWay, deps),
  );
}

async function askWithin(
  adapter: Adapter,
  settings: unknown,
  payload: string,
  gaveWay: AbortSignal,
  deps: { readonly settings: Settings; readonly http: ProviderHttp },
): Promise<PairingUrl> {
  const ended = new AbortController();
  const tooLate: PairingUrl = {
    kind: 'failed',
    refused: false,
    detail: 'The provider did not respond in time.',
  };
  const asked = adapter.pairingUrl!(payload, {
    settings,
    http: deps.http.of(adapter),
    baseUrl: baseUrlOf(adapter, deps.settings.providerUrls),
    signal: AbortSignal.any([ended.signal, gaveWay, AbortSignal.timeout(askMs)]),
  });
  try {
    return await Promise.race([asked, delay(askMs, tooLate, { signal: ended.signal })]);
  } finally {
    ended.abort();
  }
}

function failure({ refused, detail }: Extract<PairingUrl, { kind: 'failed' }>): Problem {
  if (refused)
    return new Problem('invalid-request', { detail, errors: [{ at: 'path/id', message: detail }] });
  return new Problem('unavailable', { detail, retryAfterSeconds: 5 });
}

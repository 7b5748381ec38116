import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CallbackResult, MovedContact, Adapter } from '@notify/channels';
import { isUuid } from '@notify/core';
import type { CallbackAccount, SealedAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { findMessagesOf } from '@notify/db/messages';
import { inboundAccount, type Intake } from '@notify/dispatch';
import type { Settings, Secrets, Log } from '@notify/runtime';
import { traces } from '@notify/telemetry';
import { adapterOf, openAccount } from '../channel-accounts/account.ts';
import { answerText } from '../http/answer.ts';
import { clientAddress } from '../http/address/client-address.ts';
import type { Exchange, Handler } from '../http/exchange.ts';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { byOwner, type Owned } from './by-owner.ts';
import { measured } from './callback-metrics.ts';
import { type CallbackAccounts, findCallbackAccount } from './find-account.ts';
import { learn, type Pair, type Learner } from './learner.ts';
import { createPerSecond } from './per-second.ts';
import { type BodyReader, createBodyReader } from './read-body.ts';
import type { StoreReceipts } from './receive.ts';
import { storeTemplateChanges } from './template-changes.ts';
import type { Source, Strangers } from './strangers.ts';

/** What the handler of callbacks needs. */
export interface CallbackNeeds {
  readonly db: Db;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly log: Log;
  readonly callbackAccounts: CallbackAccounts;
  readonly strangers: Strangers;
  readonly receive: StoreReceipts;
  readonly intake: Intake;
  readonly learner: Learner;
}

/** Longer bodies count as large. A provider's single receipt has a few KB. */
const largeBytes = 16_384;

/** Refusals of callbacks that were not read to their end: the process has too many just now, whoever sent them. */
const notJudged: ReadonlySet<string> = new Set(['rate-limited', 'unavailable']);

/**
 * Handles the callbacks of providers: GET and POST `/callbacks/:provider/:accountId/:secret?`. HEAD is answered as GET and
 * stores nothing. The adapter gets the body unchanged, because signatures cover its bytes. Answers only after everything it brings is committed. An unknown
 * account, another provider's account and a forged callback get the same 404. Authentic callbacks are limited per
 * account and process (`CALLBACKS_PER_SECOND`), other callbacks by the network they come from (`strangers.ts`).
 */
export function createCallbackHandler(deps: CallbackNeeds): Handler {
  const { strangers } = deps;
  const authentic = createPerSecond();
  const readBody = createBodyReader();
  const demandShare = (accountId: string): void => {
    if (authentic.of(accountId) < deps.settings.callbacksPerSecond) return;
    throw new Problem('rate-limited', { retryAfterSeconds: 1 });
  };
  return measured(deps.adapters, async (exchange) => {
    const source = sourceOf(exchange, deps);
    demandShare(source.accountId);
    const { account, settings, result } = await judge(exchange, source, strangers, readBody, deps);
    demandShare(source.accountId);
    authentic.add(source.accountId);
    await answer(result, account, settings, exchange, deps);
  });
}

function sourceOf({ request, params }: Exchange, { settings }: { settings: Settings }): Source {
  const { accountId = '' } = params;
  if (!isUuid(accountId)) throw new Problem('not-found');
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  return {
    address: clientAddress(request, settings.trustedProxies),
    accountId: accountId.toLowerCase(),
    isLarge: coding !== undefined || Number(length) > largeBytes,
  };
}

interface Judged {
  readonly account: CallbackAccount;
  readonly settings: unknown;
  readonly result: Exclude<CallbackResult, { kind: 'forged' }>;
}

/** Reads a callback and returns it if it is authentic. Otherwise counts it against its network and throws. */
async function judge(
  exchange: Exchange,
  source: Source,
  strangers: Strangers,
  readBody: BodyReader,
  deps: CallbackNeeds,
): Promise<Judged> {
  strangers.demandTurn(source);
  try {
    const { provider = '' } = exchange.params;
    const account = found(
      await findCallbackAccount(deps.callbackAccounts, { provider, accountId: source.accountId }),
    );
    const body = await readBody(exchange.request, exchange.place, exchange.asker?.party ?? source.address);
    // Many others may have arrived while this one waited for its body.
    strangers.demandTurn(source);
    const opened = openAccount(deps, account);
    const result = parse(account, opened, exchange, body, deps);
    if (result.kind === 'forged') throw new Problem('not-found');
    strangers.trust(source, account.tenant_id);
    return { account, settings: opened.settings, result };
  } catch (error) {
    if (error instanceof Problem && !notJudged.has(error.code)) strangers.suspect(source);
    throw error;
  }
}

function parse(
  account: CallbackAccount,
  { settings, callbackSecret }: SealedAccount,
  { request, params }: Exchange,
  body: Buffer,
  deps: { readonly settings: Settings; readonly adapters: ReadonlyMap<string, Adapter> },
): CallbackResult {
  const adapter = adapterOf(deps, account.provider);
  if (adapter.parseCallback === undefined) return { kind: 'forged' };
  const { url = '' } = request;
  return adapter.parseCallback(
    {
      method: request.method === 'POST' ? 'POST' : 'GET',
      url,
      publicUrl: publicUrlOf(url, deps.settings.publicUrl),
      query: new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''),
      headers: toHeaders(request),
      body,
      secretMatches: isSame(params.secret ?? '', callbackSecret),
      address: clientAddress(request, deps.settings.trustedProxies),
    },
    settings,
  );
}

/**
 * Built from the configured base only. The host and scheme of a request prove nothing: a proxy may change them, and a
 * stranger may claim any.
 */
function publicUrlOf(url: string, base: string | null): string | null {
  return base === null ? null : `${base.replace(/\/+$/, '')}${url}`;
}

/** Compares two secrets in a time that reveals neither their length nor where they differ. */
function isSame(given: string, secret: string): boolean {
  // Hashing to text is three times as fast as hashing to a buffer (Node 24).
  const digest = (text: string) => Buffer.from(hash('sha256', text, 'base64'), 'base64');
  return timingSafeEqual(digest(given), digest(secret));
}

/** The headers of a callback, as adapters get them. */
export function toHeaders({ headers }: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

async function answer(
  result: Judged['result'],
  account: CallbackAccount,
  settings: unknown,
  exchange: Exchange,
  deps: CallbackNeeds,
): Promise<void> {
  switch (result.kind) {
    case 'malformed':
      throw new Problem('invalid-request', { detail: result.problem });
    case 'receipts':
      if (exchange.request.method !== 'HEAD') await store(result, account, settings, exchange, deps);
      // One that took too long was answered by `answerInTime`.
      if (exchange.response.headersSent) return;
      answerText(exchange, 200, result.answerType ?? 'text/plain; charset=utf-8', result.answer ?? '');
  }
}

async function store(
  told: Extract<CallbackResult, { kind: 'receipts' }>,
  account: CallbackAccount,
  settings: unknown,
  exchange: Exchange,
  deps: CallbackNeeds,
): Promise<void> {
  await storeTemplateChanges(account, told.templates ?? [], deps);
  if (traces.enabled) exchange.origin = traces.originOf(undefined);
  await storeTold(told, account, settings, exchange, deps);
}

/** Commits receipts and what people wrote, each for the account that it belongs to. */
async function storeTold(
  { receipts, inbound = [], moved = [], consents = [] }: Extract<CallbackResult, { kind: 'receipts' }>,
  account: CallbackAccount,
  settings: unknown,
  { origin }: Exchange,
  deps: CallbackNeeds,
): Promise<void> {
  await deps.intake.store(inboundAccount(account, settings), { inbound: [], moved: [], consents });
  for (const owned of await byOwner({ receipts, inbound, moved }, account, settings, deps)) {
    await deps.receive(owned.owner, owned.receipts);
    const owner = inboundAccount(owned.owner, owned.settings);
    const isPair = ({ told }: MovedContact) => told === true;
    const pairs = owned.moved.filter(isPair);
    const moves = owned.moved.filter((move) => !isPair(move));
    await deps.intake.store(owner, { inbound: owned.inbound, moved: moves, consents: [] }, origin ?? null);
    await learn(deps.learner, owner.id, [...(await toldBy(owned, deps)), ...pairs]);
  }
}

/** The pairs of addresses that receipts tell: the one that a message went to, and the one by which the provider knows that person. */
async function toldBy({ owner, receipts }: Owned, { db }: { db: Db }): Promise<Pair[]> {
  const known = new Map(
    receipts.flatMap(({ messageId, recipient }) =>
      messageId === null || recipient === undefined ? [] : [[messageId, recipient]],
    ),
  );
  if (known.size === 0) return [];
  const messages = await findMessagesOf(db, owner.tenant_id, [...known.keys()]);
  return messages.flatMap(({ id, recipient, channel_account_id: accountId }) =>
    accountId === owner.id ? [{ from: recipient, to: known.get(id)!, late: true }] : [],
  );
}

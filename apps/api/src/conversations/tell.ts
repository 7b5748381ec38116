import { setTimeout as delay } from 'node:timers/promises';
import { type Adapter, baseUrlOf, type ProviderHttp } from '@notify/channels';
import { type ChatState, type NotToldReason, tellWithinMs, type Told } from '@notify/core';
import { type AccountRow, findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import type { Written } from '@notify/db/conversations';
import { relayTell } from '@notify/dispatch';
import { metrics } from '@notify/telemetry';
import type { SharedPlaces } from '@notify/turns';
import type { Place } from '../admission/admission.ts';
import { type AccountNeeds, adapterOf, openIfReadable } from '../channel-accounts/account.ts';
import { askInPlace } from '../channel-accounts/ask-provider.ts';
import type { KeyRates } from '../keys/key-rates.ts';

/** What `tell` needs. */
export interface TellNeeds extends AccountNeeds {
  readonly db: Db;
  readonly http: ProviderHttp;
  readonly tellingPlaces: SharedPlaces;
  readonly tellRates: KeyRates;
}

/** What the contact of a conversation is to be told. */
export interface Telling {
  readonly tenantId: string;
  readonly accountId: string;
  readonly conversationId: string;
  readonly state: ChatState;
  readonly to: string;
  /** Reads the messages that this is about, the newest first. Called only if somebody may be told. */
  written(): Promise<readonly Written[]>;
  /** Of the request. It is left while the provider is asked. */
  readonly place: Pick<Place, 'away'>;
}

/** How often a minute the contact of a conversation is told something, and all contacts of an account. */
export const perMinute = { conversation: 30, account: 600 };

/**
 * Tells a contact that messages were read, or that somebody types. Best effort: it is tried once, for at most 10 seconds, and
 * never while the account's sends must wait for the provider. Whatever the provider does is a value.
 */
export async function tell(asked: Telling, deps: TellNeeds): Promise<Told> {
  const told = await attempt(asked, deps);
  metrics.telling.ended.inc({ state: asked.state, result: told.delivered ? 'delivered' : told.reason });
  return told;
}

const not = (reason: NotToldReason): Told => ({ delivered: false, reason });

async function attempt(asked: Telling, deps: TellNeeds): Promise<Told> {
  const account = await findAccount(deps.db, asked.tenantId, asked.accountId);
  if (account === null) return not('not-connected');
  const adapter = adapterOf(deps, account.provider);
  const { chatStates = [], linking = false } = adapter.capabilities;
  if (!chatStates.includes(asked.state)) return not('not-supported');
  const obstacle = obstacleOf(account, linking);
  if (obstacle !== null) return not(obstacle);
  if (!(await isWithinRates(asked, deps))) return not('rate-limited');
  const written = await asked.written();
  if (asked.state === 'read' && written.length === 0) return not('no-message');
  const { place } = asked;
  return askInPlace({ owner: account.id, place }, deps.tellingPlaces, not('rate-limited'), (gaveWay) => {
    const { state, to } = asked;
    const externalIds = written.map(({ externalId }) => externalId);
    const request = { state, to, externalIds, threadId: written[0]?.threadId ?? null };
    if (linking) return relayTell(deps.db, { accountId: account.id, ...request }, { signal: gaveWay });
    return askProvider(adapter, account, request, gaveWay, deps);
  });
}

/** Why nobody is told now. A paused account waits for its provider, and its sends come before this. */
function obstacleOf(
  { status, paused_until: pausedUntil }: AccountRow,
  linking: boolean,
): NotToldReason | null {
  if (status === 'action-required' || (linking && status !== 'connected')) return 'not-connected';
  return Number(pausedUntil ?? 0) > Date.now() ? 'unavailable' : null;
}

/** Counts it. What one conversation has too much of does not count against its account. */
async function isWithinRates(
  { conversationId, accountId }: Telling,
  { tellRates }: TellNeeds,
): Promise<boolean> {
  const one = await tellRates.take(conversationId, perMinute.conversation);
  return one.allowed && (await tellRates.take(accountId, perMinute.account)).allowed;
}

async function askProvider(
  adapter: Adapter,
  account: AccountRow,
  request: Parameters<NonNullable<Adapter['tell']>>[0],
  gaveWay: AbortSignal,
  deps: TellNeeds,
): Promise<Told> {
  const opened = openIfReadable(deps, account);
  if (opened === null) return not('not-connected');
  const ended = new AbortController();
  const late = AbortSignal.timeout(tellWithinMs);
  const asked = adapter.tell!(request, {
    settings: opened.settings,
    http: deps.http.of(adapter),
    baseUrl: baseUrlOf(adapter, deps.settings.providerUrls),
    signal: AbortSignal.any([ended.signal, gaveWay, late]),
  });
  const tooLate = delay(tellWithinMs, not('timeout'), { signal: ended.signal });
  tooLate.catch(() => undefined);
  try {
    const told = await Promise.race([asked, tooLate]);
    return !told.delivered && late.aborted ? not('timeout') : told;
  } finally {
    ended.abort();
  }
}

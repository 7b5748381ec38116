import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { type Adapter, baseUrlOf, type VerifyResult, type ProviderHttp } from '@notify/channels';
import type { Verdict } from '@notify/db/accounts';
import type { Settings } from '@notify/runtime';
import type { SharedPlaces } from '@notify/turns';
import type { Place } from '../admission/admission.ts';
import type { KeyRates } from '../keys/key-rates.ts';

/** An adapter that ignores its signal may take this much longer, in ms. */
const graceMs = 500;

/** Who asks a provider: a request of a tenant. */
export interface AskingRequest {
  readonly tenantId: string;
  /** Left while the provider is asked: providers take seconds, and others need the place. */
  readonly place: Pick<Place, 'away'>;
}

/** What asking a provider needs. */
export interface AskNeeds {
  readonly http: ProviderHttp;
  readonly settings: Settings;
  readonly askingPlaces: SharedPlaces;
}

/** What `judgeSettings` needs. */
export interface JudgeNeeds extends AskNeeds {
  readonly accountCheckRates: KeyRates;
}

/**
 * Asks a provider, outside of the request's place and in one of `places`. Resolves to `crowded` if the owner asks too much at
 * once, or if its place went to an owner that asks less; then the signal fires.
 */
export async function askInPlace<T>(
  { owner, place: ofRequest }: { readonly owner: string; readonly place: AskingRequest['place'] },
  places: SharedPlaces,
  crowded: T,
  ask: (gaveWay: AbortSignal) => Promise<T>,
): Promise<T> {
  const gaveWay = new AbortController();
  const instead = Promise.withResolvers<T>();
  const place = places.enter(owner, () => {
    instead.resolve(crowded);
    gaveWay.abort();
  });
  if (typeof place === 'string') return crowded;
  try {
    return await ofRequest.away(() => Promise.race([instead.promise, ask(gaveWay.signal)]));
  } finally {
    place.leave();
  }
}

/** Nobody was asked, because the tenant asks too much at once. It says nothing of the account. */
export const crowded: VerifyResult = {
  ok: false,
  refused: false,
  detail: 'Too much is verified at the moment. Try again.',
};

/**
 * Asks the provider whether these settings work. Answers within the deadline, whatever the provider does. A tenant that asks
 * for very much at once is told so in the place of an answer.
 */
export function askProvider(
  adapter: Adapter,
  settings: unknown,
  deadlineMs: number,
  { tenantId, place }: AskingRequest,
  deps: AskNeeds,
): Promise<VerifyResult> {
  return askInPlace({ owner: tenantId, place }, deps.askingPlaces, crowded, (gaveWay) =>
    askWithin(adapter, settings, deadlineMs, gaveWay, deps),
  );
}

async function askWithin(
  adapter: Adapter,
  settings: unknown,
  deadlineMs: number,
  gaveWay: AbortSignal,
  deps: AskNeeds,
): Promise<VerifyResult> {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, gaveWay, AbortSignal.timeout(deadlineMs)]);
  const detail = `The provider did not respond within ${deadlineMs / 1000} seconds.`;
  const tooLate: VerifyResult = { ok: false, refused: false, detail };
  const asked = adapter.verify({
    settings,
    http: deps.http.of(adapter),
    baseUrl: baseUrlOf(adapter, deps.settings.providerUrls),
    signal,
  });
  try {
    const result = await Promise.race([
      asked,
      delay(deadlineMs + graceMs, tooLate, { signal: ended.signal }),
    ]);
    return !result.ok && !result.refused && signal.aborted ? tooLate : result;
  } finally {
    ended.abort();
  }
}

/** How long the provider may delay the answer to a request that stores settings, in ms. */
const storingDeadlineMs = 5_000;

/** A verdict on settings, before they are stored. */
export interface JudgedSettings {
  readonly settings: unknown;
  readonly verdict: Verdict;
}

/**
 * Asks the provider about settings that are about to be stored. Without an answer, the settings count as unchecked and
 * the verdict says why. The rate of checks limits these calls, but never the storing. `wanted` is false if the
 * tenant skips this; a phone is linked instead.
 */
export async function judgeSettings(
  adapter: Adapter,
  settings: unknown,
  { wanted, ...asking }: AskingRequest & { readonly wanted: boolean },
  deps: JudgeNeeds,
): Promise<JudgedSettings> {
  if (adapter.capabilities.linking === true)
    return { settings, verdict: { kind: 'unchecked', detail: null } };
  if (!wanted) return { settings, verdict: unchecked('The provider was not asked (verify: false).') };
  const { allowed } = await deps.accountCheckRates.take(
    asking.tenantId,
    deps.settings.accountChecksPerMinute,
  );
  if (!allowed) return { settings, verdict: unchecked('There were too many verifications in this minute.') };
  return {
    settings,
    verdict: verdictOf(await askProvider(adapter, settings, storingDeadlineMs, asking, deps)),
  };
}

/** What an answer of the provider, or none, means for the settings. */
export function verdictOf(result: VerifyResult): Verdict {
  if (result.ok) return { kind: 'passed' };
  return result.refused ? { kind: 'refused', detail: result.detail } : unchecked(result.detail);
}

/** A verdict that leaves open whether the settings work. */
export function unchecked(detail: string): Verdict {
  return { kind: 'unchecked', detail: `Not verified: ${detail}` };
}

/** The verdict on the settings that are stored in the end. A concurrent change may have made them others. */
export function verdictOn(settings: unknown, judged: JudgedSettings): Verdict {
  return isDeepStrictEqual(settings, judged.settings)
    ? judged.verdict
    : unchecked('Other settings were stored at the same time.');
}

import type { IncomingMessage } from 'node:http';
import type { Settings } from '@notify/runtime';
import { networkOf, networksOf } from './http/address/networks.ts';
import { clientAddress } from './http/address/client-address.ts';
import { Problem } from './problems/problem.ts';
import type { Endpoint } from './http/router.ts';
import type { Asker } from './admission/asker.ts';
import type { KnownBearers } from './auth/known-bearers.ts';
import type { Strangers } from './callbacks/strangers.ts';
import type { KeyRates } from './keys/key-rates.ts';
import type { HeldKey, KeyRing } from './keys/key-ring.ts';
import { keyIn } from './keys/key-in.ts';
import { isWellFormedKey, nameKey } from './keys/key-text.ts';
import { messageLimitOf } from './sending/take-messages.ts';

/** The memory in which askers are found. */
export interface Memory {
  readonly bearers: KnownBearers;
  readonly strangers: Strangers;
  readonly keys: KeyRing;
  readonly settings: Pick<Settings, 'trustedProxies'>;
}

/** The memory of rates. */
export interface RateMemory {
  readonly keyRates: KeyRates;
  readonly messageRates: KeyRates;
  readonly settings: Pick<Settings, 'keyRatePerMinute' | 'messagesPerMinute'>;
}

/** An asker with the holder of its key, up to 10 s old, if memory has it. */
export interface KnownAsker extends Asker {
  readonly holder?: HeldKey;
}

/**
 * A message of a bulk call costs a fifth of one that comes alone, and takes some 200 bytes. So a body counts once for each
 * KB, up to a bulk call of a hundred messages.
 */
const [bytesOfOne, mostPlaces] = [1_024, 20];

function weightOf({ headers }: IncomingMessage): number {
  const bytes =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  return Math.min(mostPlaces, Math.max(1, Math.ceil(bytes / bytesOfOne)));
}

/**
 * Finds the asker without a query. A stranger may claim any key, token or account, so those that memory does not know share what
 * their network gets, and take turns in it.
 */
export function askerOf(
  {
    credential,
    keyInAuthorization = false,
    work,
  }: Pick<Endpoint, 'credential' | 'keyInAuthorization' | 'work'>,
  request: IncomingMessage,
  params: Readonly<Record<string, string>>,
  { bearers, strangers, keys, settings }: Memory,
): KnownAsker {
  const weight = weightOf(request);
  const address = (): string => clientAddress(request, settings.trustedProxies);
  const network = (): string => networkOf(address());
  // The clients of an IPv6 site take turns in what it gets, too.
  const unnamed = (): Asker => ({ party: network(), subparty: networksOf(address()).narrow, weight });
  if (work === 'callback') {
    const { accountId = '' } = params;
    const tenantId = strangers.tenantOf({ address: address(), accountId });
    return tenantId === null
      ? { party: network(), subparty: accountId, weight }
      : { party: tenantId, weight };
  }
  if (credential === 'session' || credential === 'bearer') {
    const { authorization } = request.headers;
    if (authorization === undefined) return unnamed();
    const { name, tenantId } = bearers.find(authorization);
    return tenantId === null ? { party: network(), subparty: name, weight } : { party: tenantId, weight };
  }
  if (credential !== 'api-key') return unnamed();
  const key = keyIn(request.headers, keyInAuthorization);
  if (key === null || !isWellFormedKey(key)) return unnamed();
  const keyName = nameKey(key);
  const holder = keys.remembered(keyName);
  if (holder === null) {
    const party = keys.tenantOf(keyName);
    if (party !== null) return { party, weight, keyName };
    // Its first request must not wait behind all others of its network whose tenant is unknown, too.
    return { party: network(), subparty: keyName, weight, keyName };
  }
  return { party: holder.tenantId, weight, keyName, holder };
}

/**
 * The 429 of an asker that has used up its minute, if memory says so. It costs no query and reads no body. The headers tell
 * the same as after a count.
 */
export function exhaustedRate(
  { holder }: KnownAsker,
  { scope }: Pick<Endpoint, 'scope'>,
  { keyRates, messageRates, settings }: RateMemory,
): { readonly problem: Problem; readonly headers: readonly (readonly [string, string])[] } | null {
  if (holder === undefined) return null;
  const perMinute = holder.rateLimitOverride ?? settings.keyRatePerMinute;
  const keyMs = keyRates.exhaustedMs(holder.keyId, perMinute);
  if (keyMs !== null) {
    const seconds = secondsOf(keyMs);
    const headers = [
      ['RateLimit-Limit', String(perMinute)],
      ['RateLimit-Remaining', '0'],
      ['RateLimit-Reset', String(seconds)],
    ] as const;
    return { problem: rateLimited(seconds), headers };
  }
  if (scope !== 'send') return null;
  const { limit, detail } = messageLimitOf(holder.plan, settings);
  const ms = limit === 0 ? null : messageRates.exhaustedMs(holder.tenantId, limit);
  return ms === null ? null : { problem: rateLimited(secondsOf(ms), detail), headers: [] };
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

/** By what they say. A problem records its stack, which costs more than everything else about a refusal. */
const made = new Map<string, Problem>();

function rateLimited(retryAfterSeconds: number, detail?: string): Problem {
  const key = `${retryAfterSeconds} ${detail ?? ''}`;
  const problem =
    made.get(key) ??
    new Problem('rate-limited', { retryAfterSeconds, ...(detail === undefined ? {} : { detail }) });
  made.set(key, problem);
  return problem;
}

import { createSharedCache } from '@notify/turns';
import { networkOf } from '../http/address/networks.ts';
import { Problem } from '../problems/problem.ts';
import { createPerSecond } from './per-second.ts';

/** The facts about a callback that are known before it is checked. */
export interface Source {
  readonly address: string;
  readonly accountId: string;
  /** Whether its body may be long. */
  readonly isLarge: boolean;
}

/**
 * Bounds the cost of forged callbacks. They count against the network they come from, never against the account they
 * name. A network that has sent an authentic callback for an account stays accepted for it. A stranger may share such a
 * network: behind a proxy that is not trusted, or as another customer of the provider.
 */
export interface Strangers {
  /** Throws `rate-limited` if that network has used up this second's limit of forgeries. */
  demandTurn(source: Source): void;
  /** Counts a forged callback. */
  suspect(source: Source): void;
  /** Remembers that the network sent an authentic callback for the account of this tenant. */
  trust(source: Source, tenantId: string): void;
  /** The tenant of the account, if that network has sent an authentic callback for it. */
  tenantOf(source: Pick<Source, 'address' | 'accountId'>): string | null;
}

/**
 * Forged callbacks of one network that are checked in a second. A small one costs hardly more than its refusal, so its
 * limit lies above anything a provider can be made to send.
 */
const limits = { small: 1_000, large: 20 };
/** How many pairs of network and account are remembered. A tenant with very many flushes only its own. */
const maxTrusted = 20_000;

/** Makes one; `now` is a clock in ms that never goes back. */
export function createStrangers(now?: () => number): Strangers {
  const forged = createPerSecond(now);
  const trusted = createSharedCache<string>(maxTrusted);
  return {
    demandTurn(source) {
      if (forged.of(forgedKey(source)) < limits[sizeOf(source)]) return;
      if (trusted.get(trustedKey(source)) === undefined)
        throw new Problem('rate-limited', { retryAfterSeconds: 1 });
    },
    suspect: (source) => forged.add(forgedKey(source)),
    trust(source, tenantId) {
      const key = trustedKey(source);
      if (trusted.get(key) === undefined) trusted.set(tenantId, key, tenantId);
    },
    tenantOf: (source) => trusted.get(trustedKey(source)) ?? null,
  };
}

function sizeOf({ isLarge }: Source): keyof typeof limits {
  return isLarge ? 'large' : 'small';
}

function forgedKey(source: Source): string {
  return `${networkOf(source.address)} ${sizeOf(source)}`;
}

function trustedKey(source: Pick<Source, 'address' | 'accountId'>): string {
  return `${networkOf(source.address)} ${source.accountId.toLowerCase()}`;
}

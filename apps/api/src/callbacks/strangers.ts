import { networksOf } from '../auth/networks.ts';
import { Problem } from '../http/problem.ts';
import { createPerSecond } from './per-second.ts';

/** Where a callback comes from and what it names, as far as that is known before it is judged. */
export interface Source {
  readonly address: string;
  readonly accountId: string;
  /** Whether its body may be long. */
  readonly isLarge: boolean;
}

/**
 * Bounds what forged callbacks cost. They are counted by the network they come from, and never against the account they
 * name. A network that has proved to be the account's provider is heard whatever else comes from there, because a stranger
 * may share it: behind a proxy that is not trusted, or as another customer of the provider.
 */
export interface Strangers {
  /** Throws `rate-limited` where enough forged ones came from there in this second. */
  demandTurn(source: Source): void;
  /** Counts one that was forged. */
  suspect(source: Source): void;
  /** Remembers that an authentic one came from there. */
  trust(source: Source): void;
}

/**
 * Forged callbacks of one network that are judged in a second. A small one costs hardly more than its refusal, so the
 * limit is out of reach of what a provider can be made to send.
 */
const limits = { small: 1_000, large: 20 };
/** Networks that are remembered with their account. */
const maxTrusted = 20_000;

/** Makes one; `now` is a clock in ms that never goes back. */
export function createStrangers(now?: () => number): Strangers {
  const forged = createPerSecond(now);
  const trusted = new Set<string>();
  return {
    demandTurn(source) {
      if (forged.of(forgedKey(source)) < limits[sizeOf(source)]) return;
      if (!trusted.has(trustedKey(source))) throw new Problem('rate-limited', { retryAfterSeconds: 1 });
    },
    suspect: (source) => forged.add(forgedKey(source)),
    trust(source) {
      const key = trustedKey(source);
      if (trusted.has(key)) return;
      if (trusted.size >= maxTrusted) trusted.delete(trusted.values().next().value!);
      trusted.add(key);
    },
  };
}

function sizeOf({ isLarge }: Source): keyof typeof limits {
  return isLarge ? 'large' : 'small';
}

function forgedKey(source: Source): string {
  return `${networkOf(source)} ${sizeOf(source)}`;
}

function trustedKey(source: Source): string {
  return `${networkOf(source)} ${source.accountId}`;
}

/** An address of IPv4, or what one site has of IPv6: it may choose among 65,536 networks. */
function networkOf({ address }: Source): string {
  const { wide, narrow } = networksOf(address);
  return narrow.includes('.') ? narrow : wide;
}

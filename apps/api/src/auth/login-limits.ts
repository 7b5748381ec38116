import type { Settings } from '@notify/runtime';
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Problem } from '../http/problem.ts';
import type { RateStore } from '../http/rate-store.ts';

/** Slows down whoever guesses passwords. Each method counts one try and throws `rate-limited` when it is one too many. */
export interface LoginLimits {
  /** A login. What an address tries above its limit does not count against the account. */
  take(email: string, address: string): Promise<void>;
  /** A registration, whose password costs as much to hash as a login's to check. */
  takeRegistration(address: string): Promise<void>;
  /** A password asked for again within a session; nobody outside can use these tries up. */
  takeConfirmation(tenantId: string): Promise<void>;
}

type Limits = Pick<Settings, 'loginAttemptsPerMinute' | 'loginAttemptsPerAddress'>;

/** Limits per account (its email address, registered or not), per client address and per tenant. */
export function createLoginLimits(store: RateStore, limits: Limits): LoginLimits {
  const limit = (name: string, perMinute: number) => limiter(store, name, perMinute);
  const takeAccount = limit('login-account', limits.loginAttemptsPerMinute);
  const takeAddress = limit('login-address', limits.loginAttemptsPerAddress);
  const takeRegistration = limit('register-address', limits.loginAttemptsPerAddress);
  return {
    async take(email, address) {
      await takeAddress(networkOf(address));
      await takeAccount(folded(email));
    },
    takeRegistration: (address) => takeRegistration(networkOf(address)),
    takeConfirmation: limit('confirm-password', limits.loginAttemptsPerMinute),
  };
}

function limiter(store: RateStore, name: string, perMinute: number) {
  const counter = store.counter(name, 60);
  return async (key: string): Promise<void> => {
    const { total, resetMs } = await counter.add(hash(key), 1);
    if (total > perMinute)
      throw new Problem('rate-limited', { retryAfterSeconds: Math.ceil(resetMs / 1000) });
  };
}

/**
 * The address as every spelling of it that Postgres finds the same account by: `lower()` takes each character by itself,
 * while JavaScript's makes two of İ and lets Σ depend on what follows.
 */
function folded(email: string): string {
  return Array.from(email, (character) => Array.from(character.toLowerCase())[0]).join('');
}

/** Keys of a store have a length limit, and addresses need not be readable there. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** One client has a whole /64 of IPv6, so that counts as one address. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const start = head.split(':').filter((group) => group !== '');
  const end = tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}

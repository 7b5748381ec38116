import type { Settings } from '@notify/runtime';
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Problem } from '../http/problem.ts';
import type { RateStore } from '../http/rate-store.ts';

/** Slows down whoever guesses passwords. */
export interface LoginLimits {
  /** Counts one try. Throws `rate-limited` when the account or the address has had its tries of this minute. */
  take(email: string, address: string): Promise<void>;
}

type Limits = Pick<Settings, 'loginAttemptsPerMinute' | 'loginAttemptsPerAddress'>;

/** Limits per account (its email address, registered or not) and per client address. */
export function createLoginLimits(store: RateStore, limits: Limits): LoginLimits {
  const accounts = store.counter('login-account', 60);
  const addresses = store.counter('login-address', 60);
  return {
    async take(email, address) {
      const [account, network] = await Promise.all([
        accounts.add(hash(email.toLowerCase()), 1),
        addresses.add(hash(networkOf(address)), 1),
      ]);
      const waits = [
        account.total > limits.loginAttemptsPerMinute ? account.resetMs : 0,
        network.total > limits.loginAttemptsPerAddress ? network.resetMs : 0,
      ];
      const waitMs = Math.max(...waits);
      if (waitMs > 0) throw new Problem('rate-limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
    },
  };
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

import type { Settings } from '@notify/runtime';
import { createHash } from 'node:crypto';
import { Problem } from '../problems/problem.ts';
import type { RateStore } from '../http/rate-store.ts';
import { foldEmail } from '../mail/folded-email.ts';
import { networksOf } from '../http/networks.ts';

/** Slows down guessing of passwords. Each method counts one try and throws `rate-limited` if that is one too many. */
export interface LoginLimits {
  /**
   * A login. Tries above the limit of an address do not count against the account. A device known to the account has
   * tries of its own, so no stranger can use them up.
   */
  take(email: string, address: string, device: string | null): Promise<void>;
  /** A registration. Hashing its password costs as much as checking one at a login. */
  takeRegistration(address: string): Promise<void>;
  /** A forgotten password. One address must not send mails to many mailboxes. */
  takeForgotten(address: string): Promise<void>;
  /** The token of a link. */
  takeLink(address: string): Promise<void>;
  /** A password asked for again within a session. Nobody outside the session can use these tries up. */
  takeConfirmation(tenantId: string): Promise<void>;
}

type Limits = Pick<Settings, 'loginAttemptsPerMinute' | 'loginAttemptsPerAddress'>;

/** Limits per account (its email address, registered or not), per device, per client address and per tenant. */
export function createLoginLimits(store: RateStore, limits: Limits): LoginLimits {
  const limit = (name: string, perMinute: number) => limiter(store, name, perMinute);
  const takeAccount = limit('login-account', limits.loginAttemptsPerMinute);
  const takeDevice = limit('login-device', limits.loginAttemptsPerMinute);
  const takeAddress = limit('login-address', limits.loginAttemptsPerAddress);
  const takeForgotten = limit('forgotten-address', limits.loginAttemptsPerMinute);
  const takeLink = limit('link-address', limits.loginAttemptsPerAddress);
  const takeRegistration = limit('register-address', limits.loginAttemptsPerAddress);
  return {
    async take(email, address, device) {
      await takeAddress(networksOf(address).narrow);
      if (device === null) await takeAccount(foldEmail(email));
      else await takeDevice(device);
    },
    takeRegistration: (address) => takeRegistration(networksOf(address).narrow),
    takeForgotten: (address) => takeForgotten(networksOf(address).narrow),
    takeLink: (address) => takeLink(networksOf(address).narrow),
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

/** Keeps keys within the store's length limit, and addresses unreadable in it. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

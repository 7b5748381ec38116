import type { Settings } from '@notify/runtime';
import { createHash } from 'node:crypto';
import { Problem } from '../../problems/problem.ts';
import type { RateStore } from '../../http/rate-store.ts';
import { foldEmail } from '../../mail/folded-email.ts';
import { networksOf } from '../../http/address/networks.ts';

/** Slow down guessing of passwords: limits per account (its email address, registered or not), per device, per client address and per tenant. */
export interface LoginLimits {
  readonly account: Limiter;
  readonly device: Limiter;
  readonly address: Limiter;
  readonly forgotten: Limiter;
  readonly link: Limiter;
  readonly registration: Limiter;
  readonly confirmation: Limiter;
}

/** Counts one try. Throws `rate-limited` if that is one too many. */
type Limiter = (key: string) => Promise<void>;

type Limits = Pick<Settings, 'loginAttemptsPerMinute' | 'loginAttemptsPerAddress'>;

/** Counts tries across all processes. */
export function createLoginLimits(store: RateStore, limits: Limits): LoginLimits {
  const limit = (name: string, perMinute: number) => limiter(store, name, perMinute);
  return {
    account: limit('login-account', limits.loginAttemptsPerMinute),
    device: limit('login-device', limits.loginAttemptsPerMinute),
    address: limit('login-address', limits.loginAttemptsPerAddress),
    forgotten: limit('forgotten-address', limits.loginAttemptsPerMinute),
    link: limit('link-address', limits.loginAttemptsPerAddress),
    registration: limit('register-address', limits.loginAttemptsPerAddress),
    confirmation: limit('confirm-password', limits.loginAttemptsPerMinute),
  };
}

/**
 * Counts a login. Throws `rate-limited` if that is one too many, as all counts here do. Tries above the limit of an address do not
 * count against the account. A device known to the account has separate tries, so no stranger can use them up.
 */
export async function countLogin(
  { account, device: known, address: from }: LoginLimits,
  email: string,
  address: string,
  device: string | null,
): Promise<void> {
  await from(networksOf(address).narrow);
  if (device === null) await account(foldEmail(email));
  else await known(device);
}

/** Counts a registration. Hashing its password costs as much as checking one at a login. */
export function countRegistration({ registration }: LoginLimits, address: string): Promise<void> {
  return registration(networksOf(address).narrow);
}

/** Counts a forgotten password. One address must not send mails to many mailboxes. */
export function countForgotten({ forgotten }: LoginLimits, address: string): Promise<void> {
  return forgotten(networksOf(address).narrow);
}

/** Counts the token of a link. */
export function countLink({ link }: LoginLimits, address: string): Promise<void> {
  return link(networksOf(address).narrow);
}

/** Counts a password asked for again within a session. Nobody outside the session can use these tries up. */
export function countConfirmation({ confirmation }: LoginLimits, tenantId: string): Promise<void> {
  return confirmation(tenantId);
}

function limiter(store: RateStore, name: string, perMinute: number): Limiter {
  const counter = store.counter(name, 60);
  return async (key) => {
    const { total, resetMs } = await counter.add(hash(key), 1);
    if (total > perMinute)
      throw new Problem('rate-limited', { retryAfterSeconds: Math.ceil(resetMs / 1000) });
  };
}

/** Keeps keys within the store's length limit, and addresses unreadable in it. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

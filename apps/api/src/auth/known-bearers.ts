import { hash } from 'node:crypto';
import { createSharedCache } from '@notify/turns';

/** The tenants of the access tokens and service tokens that were seen lately. Only for sharing: a token may have ended. */
export interface KnownBearers {
  /** Whose the `Authorization` header is. */
  find(authorization: string): { readonly name: string; readonly tenantId: string | null };
  /** Remembers a token that has been checked. */
  remember(authorization: string, tenantId: string): void;
}

const maxKnown = 10_000;

/** None is known at first. Memory holds hashes, not tokens. */
export function createKnownBearers(): KnownBearers {
  const known = createSharedCache<string>(maxKnown);
  const nameOf = (authorization: string): string => hash('sha256', authorization, 'base64');
  return {
    find(authorization) {
      const name = nameOf(authorization);
      return { name, tenantId: known.get(name) ?? null };
    },
    remember(authorization, tenantId) {
      const name = nameOf(authorization);
      if (known.get(name) !== tenantId) known.set(tenantId, name, tenantId);
    },
  };
}

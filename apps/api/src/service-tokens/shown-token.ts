import type { ServiceToken, TokenScope } from '@notify/contract';
import { formatId } from '@notify/core';
import type { ServiceTokenRow } from '@notify/db/tenants';
import { tokenPrefix } from '../http/credential.ts';

/** What every answer shows of a service token. */
export function shownToken(token: ServiceTokenRow): Omit<ServiceToken, 'lastUsedAt'> {
  return {
    id: formatId('tok', token.id),
    name: token.name,
    tokenPrefix,
    hint: token.hint,
    scopes: token.scopes as TokenScope[],
    expiresAt: token.expires_at?.toISOString() ?? null,
    allowedIps: token.allowed_ips,
    createdAt: token.created_at.toISOString(),
  };
}

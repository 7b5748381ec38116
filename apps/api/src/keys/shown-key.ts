import type { ApiKey, KeyScope } from '@notify/contract';
import { formatId } from '@notify/core';
import type { ApiKeyRow } from '@notify/db/tenants';
import { keyPrefix } from '../http/credential.ts';

/** What every answer shows of a key. */
export function shownKey(key: ApiKeyRow): Omit<ApiKey, 'hint' | 'replacedBy' | 'lastUsedAt'> {
  return {
    id: formatId('key', key.id),
    name: key.name,
    keyPrefix,
    rateLimitOverride: key.rate_limit_override,
    scopes: key.scopes as KeyScope[],
    channelAccountIds: key.account_ids,
    expiresAt: key.expires_at?.toISOString() ?? null,
    allowedIps: key.allowed_ips,
    createdAt: key.created_at.toISOString(),
  };
}

import { ApiKey } from '@notify/contract';
import { formatId } from '@notify/core';
import { listApiKeys } from '@notify/db/tenants';
import Type from 'typebox';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';
import { keyPrefix } from './key-text.ts';

export const listKeys = defineRoute({
  method: 'get',
  path: '/tenant/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description: 'Revoked keys are not listed. The keys themselves are not returned.',
  credential: 'bearer',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Type.Array(ApiKey),
  problems: [],
  async handle({ caller }, { db }) {
    const keys = await listApiKeys(db, caller.tenantId);
    return keys.map((key) => ({
      id: formatId('key', key.id),
      name: key.name,
      keyPrefix,
      hint: key.hint,
      rateLimitOverride: key.rate_limit_override,
      createdAt: key.created_at.toISOString(),
      lastUsedAt: key.last_used_at?.toISOString() ?? null,
    }));
  },
});

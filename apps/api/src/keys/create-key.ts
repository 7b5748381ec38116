import { CreateApiKey, CreatedApiKey } from '@notify/contract';
import { formatId } from '@notify/core';
import { createApiKey } from '@notify/db/tenants';
import { Problem } from '../http/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { hashKey, keyPrefix, makeKey } from './key-text.ts';

export const createKey = defineRoute({
  method: 'post',
  path: '/tenant/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description: 'The key works only on `/v1/notify/*`. It is returned only in this response.',
  credential: 'bearer',
  params: NoParams,
  query: NoQuery,
  body: CreateApiKey,
  status: 201,
  response: CreatedApiKey,
  problems: ['limit-reached'],
  async handle({ body, caller }, { db, settings }) {
    const key = makeKey();
    const { name, rateLimitOverride = null } = body;
    const made = {
      tenantId: caller.tenantId,
      name,
      hash: hashKey(key),
      hint: key.slice(-4),
      rateLimitOverride,
    };
    const row = await createApiKey(db, made, settings.maxApiKeys);
    if (row === null)
      throw new Problem('limit-reached', { detail: `A tenant can have ${settings.maxApiKeys} API keys.` });
    return {
      id: formatId('key', row.id),
      name: row.name,
      keyPrefix,
      key,
      createdAt: row.created_at.toISOString(),
      warning: 'Store this key now. It is not shown again.',
    };
  },
});

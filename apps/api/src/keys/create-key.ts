import { CreateApiKey, CreatedApiKey, defaultKeyScopes } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { createApiKey } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { hashKey, makeKey } from './key-text.ts';
import { readAccountIds, readAllowedIps, readExpiresAt, withinCaller } from './narrowing.ts';
import { shownKey } from './shown-key.ts';

export const createKey = defineRoute({
  operationId: 'apiKeys.create',
  method: 'post',
  path: '/tenant/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'The key works only on `/v1/notify/*`, as far as its scopes go. It is returned only in this response. A key that a service token creates ends no later than the token, and works from the addresses of the token only. Both are its defaults; asking for more is a 422. The scopes and accounts of the key do not depend on the token.',
  credential: 'bearer',
  scope: 'keys:write',
  params: NoParams,
  query: NoQuery,
  body: CreateApiKey,
  status: 201,
  response: CreatedApiKey,
  problems: ['limit-reached'],
  async handle({ body, caller }, deps: { readonly db: Db; readonly settings: Settings }) {
    const { db, settings } = deps;
    const expiresAt = readExpiresAt(body.expiresAt);
    const allowedIps = readAllowedIps(body.allowedIps);
    const key = makeKey();
    const { name, rateLimitOverride = null } = body;
    const made = {
      tenantId: caller.tenantId,
      name,
      hash: hashKey(key),
      hint: key.slice(-4),
      rateLimitOverride,
      scopes: body.scopes ?? defaultKeyScopes,
      accountIds: await readAccountIds(body.channelAccountIds, caller.tenantId, deps),
      ...withinCaller({ expiresAt, allowedIps }, caller, (field) => `body/${field}`),
    };
    const row = await createApiKey(db, made, settings.maxApiKeys);
    if (row === null)
      throw new Problem('limit-reached', { detail: `A tenant can have ${settings.maxApiKeys} API keys.` });
    return {
      ...shownKey(row),
      key,
      warning: 'Store this key now. It is not shown again.',
    };
  },
});

import { ApiKey } from '@notify/contract';
import { formatId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { listApiKeys } from '@notify/db/tenants';
import Type from 'typebox';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';
import { shownKey } from './shown-key.ts';

export const listKeys = defineRoute({
  operationId: 'apiKeys.list',
  method: 'get',
  path: '/tenant/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description: 'Revoked and expired keys are not listed. The keys themselves are not returned.',
  credential: 'bearer',
  scope: 'keys:read',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Type.Array(ApiKey),
  problems: [],
  async handle({ caller }, { db }: { db: Db }) {
    const keys = await listApiKeys(db, caller.tenantId);
    return keys.map((key) => ({
      ...shownKey(key),
      hint: key.hint,
      replacedBy: key.replaced_by === null ? null : formatId('key', key.replaced_by),
      lastUsedAt: key.last_used_at?.toISOString() ?? null,
    }));
  },
});

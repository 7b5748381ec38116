import { ServiceToken } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { listServiceTokens } from '@notify/db/tenants';
import Type from 'typebox';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';
import { shownToken } from './shown-token.ts';

export const listTokens = defineRoute({
  operationId: 'serviceTokens.list',
  method: 'get',
  path: '/tenant/service-tokens',
  tag: 'Service tokens',
  summary: 'List service tokens',
  description: 'Revoked and expired tokens are not listed. The tokens themselves are not returned.',
  credential: 'session',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Type.Array(ServiceToken),
  problems: [],
  async handle({ caller }, { db }: { db: Db }) {
    const tokens = await listServiceTokens(db, caller.tenantId);
    return tokens.map((token) => ({
      ...shownToken(token),
      lastUsedAt: token.last_used_at?.toISOString() ?? null,
    }));
  },
});

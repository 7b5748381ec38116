import { parseId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { revokeApiKey } from '@notify/db/tenants';
import Type from 'typebox';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoContent, NoQuery } from '../http/route.ts';

export const revokeKey = defineRoute({
  operationId: 'apiKeys.revoke',
  method: 'delete',
  path: '/tenant/api-keys/:id',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'The key stops working with the next request.',
  credential: 'bearer',
  scope: 'keys:write',
  params: Type.Object({ id: Type.String() }),
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: ['not-found'],
  async handle({ params, caller }, { db }: { db: Db }) {
    const id = parseId('key', params.id);
    if (id === null || !(await revokeApiKey(db, caller.tenantId, id))) throw new Problem('not-found');
  },
});

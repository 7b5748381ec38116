import { parseId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { revokeServiceToken } from '@notify/db/tenants';
import Type from 'typebox';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoContent, NoQuery } from '../http/route.ts';

export const revokeToken = defineRoute({
  operationId: 'serviceTokens.revoke',
  method: 'delete',
  path: '/tenant/service-tokens/:id',
  tag: 'Service tokens',
  summary: 'Revoke a service token',
  description: 'The token stops working with the next request. Streams that it opened end within 10 seconds.',
  credential: 'session',
  scope: null,
  params: Type.Object({ id: Type.String() }),
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: ['not-found'],
  async handle({ params, caller }, { db }: { db: Db }) {
    const id = parseId('tok', params.id);
    if (id === null || !(await revokeServiceToken(db, caller.tenantId, id))) throw new Problem('not-found');
  },
});

import { parseId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { endSession as end } from '@notify/db/tenants';
import Type from 'typebox';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoContent, NoQuery } from '../http/route.ts';

export const endSession = defineRoute({
  operationId: 'auth.endSession',
  method: 'delete',
  path: '/auth/sessions/:id',
  tag: 'Tenant',
  summary: 'Revoke a session',
  credential: 'session',
  scope: null,
  params: Type.Object({ id: Type.String() }),
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: ['not-found'],
  async handle({ params, caller }, { db }: { db: Db }) {
    const id = parseId('ses', params.id);
    if (id === null || !(await end(db, caller.tenantId, id))) throw new Problem('not-found');
  },
});

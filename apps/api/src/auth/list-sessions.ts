import { OpenSession } from '@notify/contract';
import { formatId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { listSessions as findSessions } from '@notify/db/tenants';
import Type from 'typebox';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';

export const listSessions = defineRoute({
  operationId: 'auth.listSessions',
  method: 'get',
  path: '/auth/sessions',
  tag: 'Tenant',
  summary: 'List sessions',
  credential: 'session',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Type.Array(OpenSession),
  problems: [],
  async handle({ caller }, { db }: { db: Db }) {
    const sessions = await findSessions(db, caller.tenantId);
    return sessions.map((session) => ({
      id: formatId('ses', session.id),
      current: session.id === caller.bearerId,
      userAgent: session.user_agent,
      address: session.address,
      createdAt: session.created_at.toISOString(),
      lastUsedAt: session.last_used_at.toISOString(),
      expiresAt: session.expires_at.toISOString(),
    }));
  },
});

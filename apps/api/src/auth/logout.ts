import type { Db } from '@notify/db/connection';
import { endSession } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import { defineRoute, NoBody, NoContent, NoParams, NoQuery } from '../http/route.ts';
import { clearRefreshCookie } from './refresh-token.ts';

export const logout = defineRoute({
  operationId: 'auth.logout',
  method: 'post',
  path: '/auth/logout',
  tag: 'Tenant',
  summary: 'Log out',
  description: 'Ends the session. Its access and refresh tokens stop working immediately.',
  credential: 'session',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: [],
  async handle({ caller, reply }, { db, settings }: { db: Db; settings: Settings }) {
    await endSession(db, caller.tenantId, caller.bearerId);
    reply.cookie(clearRefreshCookie(settings.cookieSecure));
  },
});

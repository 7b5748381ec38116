import { endSession } from '@notify/db/tenants';
import { defineRoute, NoBody, NoContent, NoParams, NoQuery } from '../http/route.ts';
import { clearRefreshCookie } from './refresh-token.ts';

export const logout = defineRoute({
  method: 'post',
  path: '/auth/logout',
  tag: 'Accounts',
  summary: 'Log out',
  description: 'Ends the session. Its access and refresh tokens stop working immediately.',
  credential: 'bearer',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: [],
  async handle({ caller, reply }, { db, settings }) {
    await endSession(db, caller.tenantId, caller.sessionId);
    reply.cookie(clearRefreshCookie(settings.cookieSecure));
  },
});

import { DeleteTenant } from '@notify/contract';
import { deleteTenant as remove } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import { defineRoute, NoContent, NoParams, NoQuery } from '../http/route.ts';
import { askerOf } from './passwords/password-queue.ts';
import { clearRefreshCookie } from './refresh-token.ts';
import { requirePassword, type PasswordNeeds } from './passwords/require-password.ts';

export const deleteTenant = defineRoute({
  operationId: 'auth.deleteTenant',
  method: 'delete',
  path: '/auth/me',
  tag: 'Tenant',
  summary: 'Delete the tenant and all its data',
  description:
    'Deletes sessions, keys, accounts and webhooks immediately. Waiting messages are not sent. Messages and events are deleted soon after.',
  credential: 'session',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: DeleteTenant,
  status: 204,
  response: NoContent,
  problems: ['invalid-credentials', 'rate-limited'],
  async handle({ body, caller, request, reply }, deps: PasswordNeeds & { readonly settings: Settings }) {
    await requirePassword(caller.tenantId, body.password, askerOf(request, caller.tenantId, true), deps);
    await remove(deps.db, caller.tenantId);
    reply.cookie(clearRefreshCookie(deps.settings.cookieSecure));
  },
});

import { ChangePassword } from '@notify/contract';
import { changePassword as storePassword } from '@notify/db';
import { defineRoute, NoContent, NoParams, NoQuery } from '../http/route.ts';
import { requireHashable } from './new-password.ts';
import { askerOf } from './password-queue.ts';
import { requirePassword } from './require-password.ts';

export const changePassword = defineRoute({
  method: 'post',
  path: '/auth/password',
  tag: 'Accounts',
  summary: 'Change the password',
  description: 'All other sessions end.',
  credential: 'bearer',
  params: NoParams,
  query: NoQuery,
  body: ChangePassword,
  status: 204,
  response: NoContent,
  problems: ['invalid-credentials', 'rate-limited'],
  async handle({ body, caller, request }, deps) {
    const asker = askerOf(request, caller.tenantId, true);
    requireHashable(body.newPassword, 'body/newPassword');
    await requirePassword(caller.tenantId, body.currentPassword, asker, deps);
    const passwordHash = await deps.passwords.hash(body.newPassword, asker);
    await storePassword(deps.db, caller.tenantId, passwordHash, caller.sessionId);
  },
});

import { CreatedApiKey, RotateApiKey } from '@notify/contract';
import { formatId, parseId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { rotateApiKey } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import Type from 'typebox';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { hashKey, makeKey } from './key-text.ts';
import { withinCaller } from './narrowing.ts';
import { shownKey } from './shown-key.ts';

export const rotateKey = defineRoute({
  operationId: 'apiKeys.rotate',
  method: 'post',
  path: '/tenant/api-keys/:id/rotate',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description:
    'Creates a key with the same name, limits, scopes, accounts, addresses and end. The old key ends after the overlap, or at its own end if that is earlier; until then it can be revoked. A service token rotates only keys that end no later than the token and work from its addresses only; a key without an end or without addresses gets those of the token.',
  credential: 'bearer',
  scope: 'keys:write',
  params: Type.Object({ id: Type.String() }),
  query: NoQuery,
  body: RotateApiKey,
  status: 201,
  response: CreatedApiKey,
  problems: ['not-found', 'not-changeable', 'limit-reached'],
  async handle({ params, body, caller }, { db, settings }: { db: Db; settings: Settings }) {
    const key = makeKey();
    const rotation = {
      tenantId: caller.tenantId,
      keyId: found(parseId('key', params.id)),
      hash: hashKey(key),
      hint: key.slice(-4),
      overlapSeconds: body.overlapSeconds ?? 0,
      limit: (old: { expires_at: Date | null; allowed_ips: string[] | null }) =>
        withinCaller({ expiresAt: old.expires_at, allowedIps: old.allowed_ips }, caller, () => 'path/id'),
    };
    const made = await rotateApiKey(db, rotation, settings.maxApiKeys);
    if (made === 'unknown') throw new Problem('not-found');
    if (made === 'full')
      throw new Problem('limit-reached', {
        detail: `A tenant can have ${settings.maxApiKeys} keys that were rotated and still work. Revoke some of them.`,
      });
    if ('replacedBy' in made)
      throw new Problem('not-changeable', {
        detail: `The key was already replaced by ${formatId('key', made.replacedBy)}.`,
      });
    return { ...shownKey(made), key, warning: 'Store this key now. It is not shown again.' };
  },
});

import { CreatedServiceToken, CreateServiceToken } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { createServiceToken } from '@notify/db/tenants';
import { hashSecret, type Settings } from '@notify/runtime';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { readAllowedIps, readExpiresAt } from '../keys/narrowing.ts';
import { shownToken } from './shown-token.ts';
import { makeToken } from './token-text.ts';

export const createToken = defineRoute({
  operationId: 'serviceTokens.create',
  method: 'post',
  path: '/tenant/service-tokens',
  tag: 'Service tokens',
  summary: 'Create a service token',
  description:
    'The token works on `/v1/*` (except `/v1/notify/*`) and `/tenant/*`, as far as its scopes go. It never works on `/auth/*` or on service tokens. It is returned only in this response.',
  credential: 'session',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: CreateServiceToken,
  status: 201,
  response: CreatedServiceToken,
  problems: ['limit-reached'],
  async handle({ body, caller }, { db, settings }: { db: Db; settings: Settings }) {
    const token = makeToken();
    const made = {
      tenantId: caller.tenantId,
      name: body.name,
      hash: hashSecret(token),
      hint: token.slice(-4),
      scopes: body.scopes,
      expiresAt: readExpiresAt(body.expiresAt),
      allowedIps: readAllowedIps(body.allowedIps),
    };
    const row = await createServiceToken(db, made, settings.maxServiceTokens);
    if (row === null)
      throw new Problem('limit-reached', {
        detail: `A tenant can have ${settings.maxServiceTokens} service tokens.`,
      });
    return { ...shownToken(row), token, warning: 'Store this token now. It is not shown again.' };
  },
});

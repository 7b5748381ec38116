import { CodeVerification } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findVerification } from '@notify/db/verifications';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { toShown } from './shown-verification.ts';
import { readVerificationId, VerificationParams } from './verification-id.ts';

export const getTenantVerification = defineRoute({
  operationId: 'tenantVerifications.get',
  method: 'get',
  path: '/v1/verifications/:id',
  tag: 'Verifications',
  summary: 'Retrieve a verification for the dashboard',
  description:
    'As `GET /v1/notify/verifications/{id}`, with an access token instead of an API key. The code is never shown.',
  credential: 'bearer',
  scope: 'messages:read',
  params: VerificationParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: CodeVerification,
  problems: ['not-found'],
  async handle({ params, caller: { tenantId } }, { dashboardDb }: { dashboardDb: Db }) {
    const id = readVerificationId(params.id);
    const ref = { tenantId, keyId: null, id, keyAccountIds: null };
    return toShown(found(await findVerification(dashboardDb, ref)));
  },
});

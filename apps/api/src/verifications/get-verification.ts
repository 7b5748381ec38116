import { CodeVerification } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findVerification } from '@notify/db/verifications';
import { found } from '../problems/found.ts';
import { NoBody, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { toShown } from './shown-verification.ts';
import { readVerificationId, VerificationParams } from './verification-id.ts';

export const [getVerification, getTenantVerification] = defineTwins({
  byKey: {
    operationId: 'verifications.get',
    path: '/v1/notify/verifications/:id',
    tag: 'Verifications',
    scope: 'read',
  },
  byBearer: {
    operationId: 'tenantVerifications.get',
    path: '/v1/verifications/:id',
    tag: 'Verifications',
    summary: 'Retrieve a verification for the dashboard',
    description:
      'As `GET /v1/notify/verifications/{id}`, with an access token instead of an API key. The code is never shown.',
    scope: 'messages:read',
  },
  method: 'get',
  summary: 'Retrieve a verification',
  description: 'Its status, and how many checks it still takes. The code is never shown.',
  params: VerificationParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: CodeVerification,
  problems: ['not-found'],
  async handle({ params, caller }, { db, dashboardDb }: { db: Db; dashboardDb: Db }) {
    const id = readVerificationId(params.id);
    const { tenantId, keyId, accountIds: keyAccountIds } = caller;
    const from = keyId === null ? dashboardDb : db;
    return toShown(found(await findVerification(from, { tenantId, keyId, id, keyAccountIds })));
  },
});

import { CodeVerification } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findVerification } from '@notify/db/verifications';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { toShown } from './shown-verification.ts';
import { readVerificationId, VerificationParams } from './verification-id.ts';

export const getVerification = defineRoute({
  operationId: 'verifications.get',
  method: 'get',
  path: '/v1/notify/verifications/:id',
  tag: 'Verifications',
  summary: 'Retrieve a verification',
  description: 'Its status, and how many checks it still takes. The code is never shown.',
  credential: 'api-key',
  scope: 'read',
  params: VerificationParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: CodeVerification,
  problems: ['not-found'],
  async handle({ params, caller }, { db }: { db: Db }) {
    const id = readVerificationId(params.id);
    const { tenantId, keyId, accountIds: keyAccountIds } = caller;
    return toShown(found(await findVerification(db, { tenantId, keyId, id, keyAccountIds })));
  },
});

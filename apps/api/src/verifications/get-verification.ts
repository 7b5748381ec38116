import { CodeVerification } from '@notify/contract';
import { formatId, mostTries } from '@notify/core';
import { findVerification } from '@notify/db/verifications';
import { found } from '../http/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
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
  async handle({ params, caller }, { db }) {
    const id = readVerificationId(params.id);
    const { tenantId, keyId, accountIds: keyAccountIds } = caller;
    const row = found(await findVerification(db, { tenantId, keyId, id, keyAccountIds }));
    return {
      id: formatId('ver', id),
      status: row.status,
      to: row.to,
      attemptsLeft: row.status === 'pending' ? mostTries - row.tries : 0,
      sandbox: row.sandbox,
      groupId: formatId('grp', row.groupId),
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    };
  },
});

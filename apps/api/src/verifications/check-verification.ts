import { CheckedVerification, CheckVerification } from '@notify/contract';
import { mostTries } from '@notify/core';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { readVerificationId, VerificationParams } from './verification-id.ts';
import { checkCode, type Verifier } from './verifier.ts';

export const checkVerification = defineRoute({
  operationId: 'verifications.check',
  method: 'post',
  path: '/v1/notify/verifications/:id/check',
  tag: 'Verifications',
  summary: 'Check a code',
  description: `Counts the try, whether it is right or wrong. The right code approves the verification once; after ${mostTries} wrong ones it has failed. A check after the end is refused, also with the right code. So do not repeat a check whose answer was lost: ask for the verification.`,
  credential: 'api-key',
  scope: 'send',
  params: VerificationParams,
  query: NoQuery,
  body: CheckVerification,
  status: 200,
  response: CheckedVerification,
  problems: ['not-found', 'invalid-request', 'verification-ended', 'unavailable'],
  async handle({ params, body, caller }, { verifier }: { verifier: Verifier }) {
    const id = readVerificationId(params.id);
    const { tenantId, keyId, accountIds: keyAccountIds } = caller;
    const ref = { tenantId, keyId, id, keyAccountIds };
    const outcome = await checkCode(verifier, ref, body.code);
    switch (outcome.kind) {
      case 'checked':
        return { status: outcome.status, attemptsLeft: outcome.attemptsLeft };
      case 'ended':
        throw new Problem('verification-ended', { detail: `Its status is ${outcome.status}.` });
      case 'unknown':
        throw new Problem('not-found');
      case 'no-key':
        throw new Problem('unavailable', {
          detail: 'The key of this code is not configured in this process.',
          retryAfterSeconds: 30,
        });
    }
  },
});

import { RotatedSecret } from '@notify/contract';
import { formatId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { mostReplacedSecrets, rotateSecret as rotate, type WebhookSecretPlace } from '@notify/db/webhooks';
import { SecretError, type Secrets, type Log } from '@notify/runtime';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { newWebhookSecret, secretPlace } from './webhook-secret.ts';
import { readWebhookId, WebhookParams } from './webhook.ts';

export const rotateSecret = defineRoute({
  operationId: 'webhooks.rotateSecret',
  method: 'post',
  path: '/v1/webhooks/:id/rotate-secret',
  tag: 'Webhooks',
  summary: 'Rotate the signing secret',
  description: `The previous secret keeps signing for 24 hours, unless it can no longer be read. Earlier ones do too, each for its own 24 hours, but at most ${mostReplacedSecrets} replaced secrets sign at once. The new secret is only returned in this response.`,
  credential: 'bearer',
  scope: 'webhooks:write',
  params: WebhookParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: RotatedSecret,
  problems: ['not-found', 'limit-reached'],
  async handle(
    { params, caller: { tenantId } },
    deps: { readonly db: Db; readonly secrets: Secrets; readonly log: Log },
  ) {
    const { db, secrets } = deps;
    const id = readWebhookId(params.id);
    const secret = newWebhookSecret();
    const rotation = found(
      await rotate(db, tenantId, id, {
        secret: secrets.seal(secret, secretPlace(tenantId, id)),
        reseal: (sealed, from, to) => resealed(sealed, { tenantId, id, from, to }, deps),
      }),
    );
    if (rotation.kind === 'too-many') throw tooMany(rotation.nextEndsAt);
    return {
      id: formatId('wh', id),
      secret,
      previousSecretUntil: rotation.previousSecretUntil.toISOString(),
      warning: 'Store the secret now. It is not shown again.',
    };
  },
});

function tooMany(nextEndsAt: Date): Problem {
  return new Problem('limit-reached', {
    detail: `A webhook can have at most ${mostReplacedSecrets} replaced secrets. The next one expires at ${nextEndsAt.toISOString()}. Rotate again then.`,
  });
}

/**
 * The value sealed again for another place. Null if it cannot be decrypted, in which case the new secret repairs the
 * webhook.
 */
function resealed(
  sealed: string,
  at: { tenantId: string; id: string; from: WebhookSecretPlace; to: WebhookSecretPlace },
  { secrets, log }: { secrets: Secrets; log: Log },
): string | null {
  const { tenantId, id, from, to } = at;
  try {
    return secrets.seal(secrets.open(sealed, { tenantId, ...from }), { tenantId, ...to });
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    log.tell('webhook-secret-unreadable', { err: error, webhookId: id, tenantId });
    return null;
  }
}

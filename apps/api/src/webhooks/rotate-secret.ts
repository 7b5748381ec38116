import { RotatedSecret } from '@notify/contract';
import { formatId } from '@notify/core';
import { rotateSecret as rotate } from '@notify/db';
import { SecretError } from '@notify/runtime';
import type { ApiDeps } from '../deps.ts';
import { found } from '../http/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { newWebhookSecret, secretPlace } from './webhook-secret.ts';
import { readWebhookId, WebhookParams } from './webhook.ts';

export const rotateSecret = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/rotate-secret',
  tag: 'Webhooks',
  summary: 'Give a webhook a new secret',
  description:
    'The secret it had goes on signing beside the new one for 24 hours, unless it could not be read any more. The new one is in this answer and nowhere else.',
  credential: 'bearer',
  params: WebhookParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: RotatedSecret,
  problems: ['not-found'],
  async handle({ params, caller: { tenantId } }, deps) {
    const { db, secrets } = deps;
    const id = readWebhookId(params.id);
    const secret = newWebhookSecret();
    const { previousSecretUntil } = found(
      await rotate(db, tenantId, id, {
        secret: secrets.seal(secret, secretPlace(tenantId, id, 'secret')),
        reseal: (present) => resealed(present, tenantId, id, deps),
      }),
    );
    return {
      id: formatId('wh', id),
      secret,
      previousSecretUntil: previousSecretUntil.toISOString(),
      warning: 'Store the secret now: it is not shown again.',
    };
  },
});

/** The present secret for its new place; null where it cannot be opened, which a new secret is the cure of. */
function resealed(
  present: string,
  tenantId: string,
  id: string,
  { secrets, log }: Pick<ApiDeps, 'secrets' | 'log'>,
): string | null {
  try {
    const opened = secrets.open(present, secretPlace(tenantId, id, 'secret'));
    return secrets.seal(opened, secretPlace(tenantId, id, 'previous_secret'));
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    log.error({ err: error, webhookId: id, tenantId }, 'webhook secret cannot be opened');
    return null;
  }
}

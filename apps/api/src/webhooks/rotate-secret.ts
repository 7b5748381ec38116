import { RotatedSecret } from '@notify/contract';
import { formatId } from '@notify/core';
import { found } from '../http/found.ts';
import { rotateSecret as rotate } from '@notify/db';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { newWebhookSecret, secretPlace } from './webhook-secret.ts';
import { readWebhookId, WebhookParams } from './webhook.ts';

export const rotateSecret = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/rotate-secret',
  tag: 'Webhooks',
  summary: 'Give a webhook a new secret',
  description:
    'The secret it had goes on signing beside the new one for 24 hours. The new one is in this answer and nowhere else.',
  credential: 'bearer',
  params: WebhookParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: RotatedSecret,
  problems: ['not-found'],
  async handle({ params, caller: { tenantId } }, { db, secrets }) {
    const id = readWebhookId(params.id);
    const place = (column: 'secret' | 'previous_secret') => secretPlace(tenantId, id, column);
    const secret = newWebhookSecret();
    const { previousSecretUntil } = found(
      await rotate(db, tenantId, id, {
        secret: secrets.seal(secret, place('secret')),
        reseal: (present) => secrets.seal(secrets.open(present, place('secret')), place('previous_secret')),
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

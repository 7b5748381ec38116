import { randomBytes } from 'node:crypto';
import type { Place } from '@notify/runtime';

/** A secret as Standard Webhooks writes it: `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Where a webhook's secret is stored: the present one, or the one before that still signs. */
export function secretPlace(
  tenantId: string,
  webhookId: string,
  column: 'secret' | 'previous_secret',
): Place {
  return { tenantId, table: 'webhooks', row: webhookId, column };
}

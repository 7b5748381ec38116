import { randomBytes } from 'node:crypto';
import type { Place } from '@notify/runtime';

/** A secret as Standard Webhooks writes it: `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The place of a webhook's current secret. */
export function secretPlace(tenantId: string, webhookId: string): Place {
  return { tenantId, table: 'webhooks', row: webhookId, column: 'secret' };
}

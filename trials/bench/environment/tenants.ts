import { randomBytes, randomUUID } from 'node:crypto';
import { type EventName, eventNames } from '@notify/core';
import { settingsPlace } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { createWebhook } from '@notify/db/webhooks';
import { hashSecret, type Secrets, secretText } from '@notify/runtime';
import { makeTenant } from '@notify/testkit';
import { sql } from 'kysely';

const { make: makeKey } = secretText('svc_live_');

/** A tenant that can send: with an API key, an HTTP gateway as its default SMS account, and an optional webhook. */
export interface LoadTenant {
  readonly tenantId: string;
  readonly keyId: string;
  readonly key: string;
  readonly accountId: string;
}

export interface LoadTenantOptions {
  /** URL of the gateway. */
  readonly gatewayUrl: string;
  readonly webhookUrl?: string;
  /** What the webhook receives; default: every event. */
  readonly events?: readonly EventName[];
}

/** Creates a sender directly in the database. */
export async function makeLoadTenant(
  db: Db,
  secrets: Secrets,
  options: LoadTenantOptions,
): Promise<LoadTenant> {
  const { tenantId, keyId, accountId } = await makeTenant(db, { provider: 'http-sms' });
  const sealed = {
    settings: gatewaySettings(options.gatewayUrl),
    callbackSecret: randomBytes(16).toString('hex'),
  };
  const settings = secrets.seal(JSON.stringify(sealed), settingsPlace(tenantId, accountId));
  await db.updateTable('channel_accounts').set({ settings }).where('id', '=', accountId).execute();
  const key = makeKey();
  await db
    .updateTable('api_keys')
    .set({ hash: hashSecret(key) })
    .where('id', '=', keyId)
    .execute();
  if (options.webhookUrl !== undefined)
    await subscribe(db, secrets, tenantId, options.webhookUrl, options.events);
  return { tenantId, keyId, key, accountId };
}

/** Creates several senders. */
export function makeLoadTenants(
  db: Db,
  secrets: Secrets,
  count: number,
  options: LoadTenantOptions,
): Promise<LoadTenant[]> {
  return Promise.all(Array.from({ length: count }, () => makeLoadTenant(db, secrets, options)));
}

/** Creates a webhook, by default for all events; returns its id. */
export async function subscribe(
  db: Db,
  secrets: Secrets,
  tenantId: string,
  url: string,
  events: readonly EventName[] = eventNames,
): Promise<string> {
  const id = randomUUID();
  const place = { tenantId, table: 'webhooks', row: id, column: 'secret' };
  const secret = secrets.seal(`whsec_${randomBytes(32).toString('base64')}`, place);
  await createWebhook(db, { id, tenantId, url, events, secret }, 1_000);
  return id;
}

/** Signs the callbacks of the accounts below. */
export const twilioAuthToken = 'a-token';

/** Creates a tenant with a Twilio account; returns the path of its callbacks. */
export async function makeTwilioAccount(db: Db, secrets: Secrets): Promise<string> {
  const { tenantId, accountId } = await makeTenant(db, { provider: 'twilio' });
  const callbackSecret = randomBytes(16).toString('hex');
  const account = { accountSid: `AC${'0a'.repeat(16)}`, authToken: twilioAuthToken, from: '+15005550006' };
  const settings = secrets.seal(
    JSON.stringify({ settings: account, callbackSecret }),
    settingsPlace(tenantId, accountId),
  );
  await db.updateTable('channel_accounts').set({ settings }).where('id', '=', accountId).execute();
  return `/callbacks/twilio/${accountId}/${callbackSecret}`;
}

function gatewaySettings(url: string): Record<string, unknown> {
  return {
    url,
    from: 'Notify',
    body: { type: 'form', fields: { id: '{{id}}', to: '{{to}}', text: '{{text}}', dlr_url: '{{dlr_url}}' } },
    externalId: { pointer: '/id' },
    reports: { status: 'status', values: { delivered: 'delivered', failed: 'failed' } },
  };
}

/** Empties the tables that sends fill, so that all passes begin alike. */
export async function emptyTables(db: Db): Promise<void> {
  await sql`truncate messages, attempts, scheduled_messages, dispatch_due, receipts, idempotency_keys, events, delivery_due, deliveries,
    delivery_attempts`.execute(db);
}

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { keyScopes, tokenScopes } from '@notify/contract';
import { eventNames } from '@notify/core';
import { createSandboxAccounts } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import {
  createApiKey,
  createServiceToken,
  createTenant,
  findKeyHolders,
  findTenantByEmail,
  findTokenHolder,
  confirmEmail,
} from '@notify/db/tenants';
import { changeWebhook, createWebhook, listWebhooks, replaceSecret } from '@notify/db/webhooks';
import { createSecrets, hashSecret, seedsIn, type Settings } from '@notify/runtime';
import bcrypt from 'bcrypt';

const name = 'CI';
const defaultEmail = 'ci@example.com';

/**
 * Creates what NOTIFY_SEED_… names and the database lacks: a tenant, its API key, service token and webhook. A webhook of
 * that URL gets the secret and the events that are named. Returns a line about it, or null without such settings. Throws a
 * one-line error if a credential belongs to another tenant or was revoked, and if there are as many as there may be.
 */
export async function seed(db: Db, settings: Settings): Promise<string | null> {
  const given = seedsIn(settings);
  if (given.length === 0) return null;
  const email = settings.seedTenantEmail ?? defaultEmail;
  const tenantId = (await findTenantByEmail(db, email))?.id ?? (await makeTenant(db, settings, email));
  await seedKey(db, settings, tenantId);
  await seedToken(db, settings, tenantId);
  await seedWebhook(db, settings, tenantId);
  return `${email} is ready, with ${given.join(', ')}`;
}

async function makeTenant(db: Db, settings: Settings, email: string): Promise<string> {
  const password = settings.seedTenantPassword ?? randomBytes(24).toString('base64url');
  const passwordHash = await bcrypt.hash(password, settings.bcryptCost);
  return db.transaction().execute(async (trx) => {
    const created = await createTenant(trx, { name, email, passwordHash, trialDays: settings.trialDays });
    if (created === null) throw new Error(`${email} is being registered: start again`);
    if (settings.sandbox) await createSandboxAccounts(trx, createSecrets(settings.masterKeys), created.id);
    await confirmEmail(trx, created.id);
    return created.id;
  });
}

async function seedKey(db: Db, { seedApiKey, maxApiKeys }: Settings, tenantId: string): Promise<void> {
  if (seedApiKey === null) return;
  const [holder] = await findKeyHolders(db, [hashSecret(seedApiKey)]);
  if (holder?.tenantId === tenantId) return;
  const key = {
    ...credential(tenantId, seedApiKey),
    scopes: keyScopes,
    rateLimitOverride: null,
    accountIds: null,
  };
  const made = await createApiKey(db, key, maxApiKeys).catch(takenAs('NOTIFY_SEED_API_KEY'));
  if (made === null)
    throw new Error(`the tenant has ${maxApiKeys} API keys: NOTIFY_SEED_API_KEY would be one more`);
}

async function seedToken(
  db: Db,
  { seedServiceToken, maxServiceTokens }: Settings,
  tenantId: string,
): Promise<void> {
  if (seedServiceToken === null) return;
  const holder = await findTokenHolder(db, hashSecret(seedServiceToken));
  if (holder?.tenantId === tenantId) return;
  const token = { ...credential(tenantId, seedServiceToken), scopes: tokenScopes };
  const made = await createServiceToken(db, token, maxServiceTokens).catch(
    takenAs('NOTIFY_SEED_SERVICE_TOKEN'),
  );
  if (made === null)
    throw new Error(`the tenant has ${maxServiceTokens} tokens: NOTIFY_SEED_SERVICE_TOKEN would be one more`);
}

/** A credential that works from everywhere until it is revoked. */
function credential(tenantId: string, text: string) {
  return { tenantId, name, hash: hashSecret(text), hint: text.slice(-4), expiresAt: null, allowedIps: null };
}

async function seedWebhook(db: Db, settings: Settings, tenantId: string): Promise<void> {
  const { seedWebhookUrl: url, seedWebhookSecret: secret, seedWebhookEvents, maxWebhooks } = settings;
  if (url === null || secret === null) return;
  const present = (await listWebhooks(db, tenantId)).find((webhook) => webhook.url === url);
  const id = present?.id ?? randomUUIDv7();
  const place = { tenantId, table: 'webhooks', row: id, column: 'secret' };
  const sealed = createSecrets(settings.masterKeys).seal(secret, place);
  const events = seedWebhookEvents ?? eventNames;
  if (present !== undefined) {
    await changeWebhook(db, tenantId, id, { events });
    await replaceSecret(db, tenantId, id, sealed);
    return;
  }
  const made = await createWebhook(db, { id, tenantId, url, events, secret: sealed }, maxWebhooks);
  if (made === null)
    throw new Error(`the tenant has ${maxWebhooks} webhooks: NOTIFY_SEED_WEBHOOK_URL would be one more`);
}

/** PostgreSQL, "Error Codes": unique_violation. */
const uniqueViolation = '23505';

function takenAs(variable: string): (error: unknown) => never {
  return (error) => {
    const taken = error instanceof Error && 'code' in error && error.code === uniqueViolation;
    throw taken
      ? new Error(
          `${variable} was revoked, has expired or belongs to another tenant: set it to a new one, which notify new-credentials prints, or unset it`,
        )
      : error;
  };
}

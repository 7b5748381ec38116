import { randomBytes } from 'node:crypto';
import type { Channel } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { AcceptItem } from '@notify/db/messages';
import { sql } from 'kysely';

/** A tenant with a key and one default account, inserted directly into the database. */
export interface TestTenant {
  readonly tenantId: string;
  readonly keyId: string;
  readonly accountId: string;
}

/** Creates a tenant, a key and a default account. `settings` is stored unchanged (sealed or not). */
export async function makeTenant(
  db: Db,
  options: { readonly channel?: Channel; readonly provider?: string; readonly settings?: string } = {},
): Promise<TestTenant> {
  const { id: tenantId } = await db
    .insertInto('tenants')
    .values({
      name: 'Test',
      email: `${randomBytes(8).toString('hex')}@example.com`,
      password_hash: 'x',
      trial_ends_at: new Date(Date.now() + 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: keyId } = await db
    .insertInto('api_keys')
    .values({ tenant_id: tenantId, name: 'test', hash: randomBytes(32), hint: 'test' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: accountId } = await db
    .insertInto('channel_accounts')
    .values({
      id: sql`uuidv7()`,
      tenant_id: tenantId,
      channel: options.channel ?? 'sms',
      provider: options.provider ?? 'sandbox',
      name: 'test',
      is_default: true,
      settings: options.settings ?? '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { tenantId, keyId, accountId };
}

/** Adds an account like the tenant's first one, and returns its ID. */
export async function addAccount(db: Db, { accountId }: Pick<TestTenant, 'accountId'>): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into channel_accounts (id, tenant_id, channel, provider, name, is_default, settings)
    select uuidv7(), tenant_id, channel, provider, name, false, settings from channel_accounts
    where id = ${accountId} returning id`.execute(db);
  return rows[0]!.id;
}

/** A text message of that tenant as `acceptMessages` takes it. */
export function textItem(tenant: TestTenant, changes: Partial<AcceptItem> = {}): AcceptItem {
  return {
    tenantId: tenant.tenantId,
    keyId: tenant.keyId,
    channel: 'sms',
    accountId: null,
    to: '+15550001000',
    type: 'text',
    body: { text: 'hello' },
    bulk: false,
    expiresInSeconds: 86_400,
    idempotencyKey: null,
    requestHash: '5a3e',
    ...changes,
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Template } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { plainTemplate } from '@notify/testkit';
import { sql } from 'kysely';
import type { Tenant } from '../world/tenant.ts';

/** A template of the api's list, as far as tests look at it. */
export interface Listed {
  readonly name: string;
  readonly label: string | null;
}

interface Page {
  readonly data: readonly Listed[];
  readonly syncedAt: string | null;
  readonly syncPending: boolean;
}

/** Resolves when the templates of an account have been read from its provider. */
export async function letSync(tenant: Tenant, accountId: string): Promise<void> {
  const read = (): Promise<Page> => tenant.ask<Page>('GET', `/v1/channel-accounts/${accountId}/templates`);
  for (let page = await read(); page.syncedAt === null || page.syncPending; page = await read())
    await wait(200);
}

/** The templates that the account's provider has. */
export async function sandboxTemplates(tenant: Tenant, accountId: string): Promise<readonly Listed[]> {
  return (await tenant.ask<Page>('GET', `/v1/channel-accounts/${accountId}/templates`)).data;
}

/** Stores a template as a sync would have done. The next sync that finds other templates removes it. */
export async function addTemplate(
  db: Db,
  accountId: string,
  name: string,
  changes: Partial<Template>,
): Promise<void> {
  const {
    name: _,
    language,
    status,
    reason,
    ...content
  } = plainTemplate(name, {
    language: 'en_US',
    body: { text: 'Hello', variables: [] },
    ...changes,
  });
  await sql`
    insert into account_templates (account_id, name, language, status, reason, content)
    values (${accountId}::uuid, ${name}, ${language}, ${status}, ${reason}, ${JSON.stringify(content)}::json)
    on conflict do nothing`.execute(db);
}

/**
 * Makes the last sync that worked one of some time ago, and lets the one after it have failed, if there is a reason. There
 * is none until somebody asks.
 */
export async function setSync(
  db: Db,
  accountId: string,
  { agoMinutes, failure }: { readonly agoMinutes: number; readonly failure: string | null },
): Promise<void> {
  await sql`
    update account_template_syncs set
      synced_at = now() - ${agoMinutes} * interval '1 minute', claimed_at = now() - interval '1 minute',
      due_at = now() + interval '1 hour',
      failed_at = case when ${failure}::text is null then null else now() end, failure = ${failure}
    where account_id = ${accountId}::uuid`.execute(db);
}

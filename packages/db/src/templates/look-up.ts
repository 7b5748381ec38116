import type { Channel, Template } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import { toTemplate, type StoredTemplate } from './stored.ts';

/** Asks for the templates of a name, of the account that a send would use. */
export interface TemplateLookUp {
  readonly tenantId: string;
  readonly channel: Channel;
  /** Null for the default of the channel. */
  readonly accountId: string | null;
  /** Null for none: the account alone is wanted. */
  readonly name: string | null;
}

/** An account, and its stored templates of the name. */
export interface TemplatesOfAccount {
  readonly accountId: string;
  readonly provider: string;
  /** Whether the templates were read from the provider within the last hour, so that a missing one is none. */
  readonly isFresh: boolean;
  /** One for each language. */
  readonly templates: readonly Template[];
}

interface Row {
  ordinal: number;
  accountId: string | null;
  provider: string;
  isFresh: boolean;
  templates: StoredTemplate[] | null;
}

/** Looks templates up, in the order asked. Null if there is no such account. */
export async function findTemplates(
  db: Db,
  lookUps: readonly TemplateLookUp[],
): Promise<(TemplatesOfAccount | null)[]> {
  const asked = unnestRows(
    'q',
    lookUps,
    {
      tenant_id: uuid((one) => one.tenantId),
      channel: text((one) => one.channel),
      account_id: uuid((one) => one.accountId),
      name: text((one) => one.name),
    },
    'ordinal',
  );
  const { rows } = await sql<Row>`
    select q.ordinal::int, a.id as "accountId", a.provider,
      coalesce(s.synced_at > now() - interval '1 hour', false) as "isFresh",
      (
        select json_agg(json_build_object('name', t.name, 'language', t.language, 'status', t.status,
          'reason', t.reason, 'content', t.content) order by t.language)
        from account_templates t where t.account_id = a.id and t.name = q.name
      ) as templates
    from ${asked}
    left join lateral (
      select id, provider from channel_accounts
      where tenant_id = q.tenant_id and channel = q.channel and deleted_at is null
        and case when q.account_id is null then is_default else id = q.account_id end limit 1
    ) a on true
    left join account_template_syncs s on s.account_id = a.id`.execute(db);
  const found: (TemplatesOfAccount | null)[] = [];
  for (const { ordinal, accountId, provider, isFresh, templates } of rows)
    found[ordinal - 1] =
      accountId === null
        ? null
        : { accountId, provider, isFresh, templates: (templates ?? []).map(toTemplate) };
  return found;
}

/** Asks for the authentication templates of the account that a verification would use. */
export type AuthenticationLookUp = Omit<TemplateLookUp, 'name'>;

/** An account, and its approved authentication templates of every name and language, in the order of their names. */
export type AuthenticationTemplates = Pick<TemplatesOfAccount, 'accountId' | 'provider' | 'templates'>;

/** Looks accounts and their authentication templates up, in the order asked. Null if there is no such account. */
export async function findAuthenticationTemplates(
  db: Db,
  lookUps: readonly AuthenticationLookUp[],
): Promise<(AuthenticationTemplates | null)[]> {
  const asked = unnestRows(
    'q',
    lookUps,
    {
      tenant_id: uuid((one) => one.tenantId),
      channel: text((one) => one.channel),
      account_id: uuid((one) => one.accountId),
    },
    'ordinal',
  );
  const { rows } = await sql<Omit<Row, 'isFresh'>>`
    select q.ordinal::int, a.id as "accountId", a.provider,
      (
        select json_agg(json_build_object('name', t.name, 'language', t.language, 'status', t.status,
          'reason', t.reason, 'content', t.content) order by t.name, t.language)
        from account_templates t
        where t.account_id = a.id and t.status = 'approved' and t.content ->> 'category' = 'authentication'
      ) as templates
    from ${asked}
    left join lateral (
      select id, provider from channel_accounts
      where tenant_id = q.tenant_id and channel = q.channel and deleted_at is null
        and case when q.account_id is null then is_default else id = q.account_id end limit 1
    ) a on true
    order by q.ordinal`.execute(db);
  return rows.map(({ accountId, provider, templates }) =>
    accountId === null ? null : { accountId, provider, templates: (templates ?? []).map(toTemplate) },
  );
}

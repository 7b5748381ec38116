import { sql } from 'kysely';
import type { ExportKinds } from './export-kinds.ts';

/** The tenant, its credentials without their secrets, and its accounts. */
export const accountKinds: ExportKinds = {
  tenant: (id) => sql`
    select 'ten_' || id as id, name, email, plan, trial_ends_at as "trialEndsAt", blocked_at as "blockedAt",
      email_verified_at as "emailVerifiedAt", created_at as "createdAt"
    from tenants where id = ${id}::uuid`,
  sessions: (id) => sql`
    select 'ses_' || id as id, user_agent as "userAgent", address, created_at as "createdAt",
      last_used_at as "lastUsedAt", expires_at as "expiresAt", revoked_at as "revokedAt"
    from sessions where tenant_id = ${id}::uuid order by id`,
  'api-keys': (id) => sql`
    select 'key_' || id as id, name, hint, scopes, account_ids as "channelAccountIds",
      rate_limit_override as "rateLimit", allowed_ips as "allowedIps", expires_at as "expiresAt",
      'key_' || replaced_by as "replacedBy", created_at as "createdAt", last_used_at as "lastUsedAt",
      revoked_at as "revokedAt"
    from api_keys where tenant_id = ${id}::uuid order by id`,
  'service-tokens': (id) => sql`
    select 'tok_' || id as id, name, hint, scopes, allowed_ips as "allowedIps", expires_at as "expiresAt",
      created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
    from service_tokens where tenant_id = ${id}::uuid order by id`,
  accounts: (id) => sql`
    select a.id, a.channel, a.provider, a.name, a.is_default as "isDefault", a.status, a.status_detail as "statusDetail",
      a.per_second as "perSecond", a.paused_until as "pausedUntil", a.pause_reason as "pauseReason", l.phone as "linkedPhone",
      l.linked_at as "linkedAt", a.last_connected_at as "lastConnectedAt", a.created_at as "createdAt",
      a.deleted_at as "deletedAt"
    from channel_accounts a left join whatsapp_links l on l.account_id = a.id
    where a.tenant_id = ${id}::uuid order by a.id`,
  templates: (id) => sql`
    select t.account_id as "channelAccountId", t.name, t.language, t.status, t.reason, t.content,
      t.changed_at as "changedAt"
    from account_templates t join channel_accounts a on a.id = t.account_id
    where a.tenant_id = ${id}::uuid order by t.account_id, t.name, t.language`,
  'verification-limits': (id) => sql`
    select prefix, starts_per_hour as "startsPerHour", guarded, held_until as "heldUntil"
    from verification_limits where tenant_id = ${id}::uuid order by prefix`,
};

import { sql } from 'kysely';
import type { ExportKinds } from './export-kinds.ts';

/** Messages in both directions with what became of them, groups, verifications and figures. */
export const messageKinds: ExportKinds = {
  messages: (id) => sql`
    select 'msg_' || id as "messageId", case when received_at is null then 'outbound' else 'inbound' end as direction,
      channel_account_id as "channelAccountId", channel, recipient as "to", sender as "from", contact, type, body, bulk,
      status, external_id as "externalId", error, error_code as "errorCode", segments, parts,
      possible_duplicate as "possibleDuplicate", attempts, urgent, created_at as "createdAt",
      updated_at as "updatedAt", scheduled_at as "scheduledAt", expires_at as "expiresAt", sent_at as "sentAt",
      delivered_at as "deliveredAt", read_at as "readAt", failed_at as "failedAt", received_at as "receivedAt",
      reports as receipts, 'msg_' || resend_of as "resendOf", 'msg_' || resent_as as "resentAs",
      'msg_' || reply_to as "replyTo", 'grp_' || group_id as "groupId", traceparent,
      'key_' || api_key_id as "apiKeyId", idempotency_key as "idempotencyKey", metadata, tags
    from messages where tenant_id = ${id}::uuid order by messages.id`,
  attempts: (id) => sql`
    select 'msg_' || t.message_id as "messageId", t.number, t.part, t.outcome, t.provider_code as "providerCode", t.text,
      t.started_at as "startedAt", t.ended_at as "endedAt"
    from messages m join attempts t on t.message_id = m.id
    where m.tenant_id = ${id}::uuid order by t.message_id, t.number, t.part`,
  'idempotency-keys': (id) => sql`
    select key as "idempotencyKey", 'msg_' || message_id as "messageId", account_id as "channelAccountId",
      created_at as "createdAt"
    from idempotency_keys where tenant_id = ${id}::uuid order by created_at, key`,
  groups: (id) => sql`
    select 'grp_' || id as id, status, routes, left_for as "leftFor",
      array(select 'msg_' || one from unnest(message_ids) with ordinality as of (one, place) order by place)
        as "messageIds",
      delivered_twice as "deliveredTwice", advance_after as "advanceAfterSeconds", created_at as "createdAt",
      scheduled_at as "scheduledAt", expires_at as "expiresAt", ended_at as "endedAt",
      metadata, tags
    from message_groups where tenant_id = ${id}::uuid order by message_groups.id`,
  verifications: (id) => sql`
    select 'ver_' || id as id, shown_recipient as "to", prefix, account_ids as "channelAccountIds",
      'grp_' || group_id as "groupId", status, tries, sandbox, created_at as "createdAt",
      first_checked_at as "firstCheckedAt", expires_at as "expiresAt", ended_at as "endedAt", metadata, tags
    from verifications where tenant_id = ${id}::uuid order by verifications.id`,
  usage: (id) => sql`
    select per, starts_at as "startsAt", source, subject_id as "subjectId", measure, detail, total::float8 as total
    from usage where tenant_id = ${id}::uuid order by per, starts_at, source, subject_id, measure, detail`,
  'usage-by-tag': (id) => sql`
    select per, starts_at as "startsAt", tag, source, subject_id as "subjectId", measure, detail, total::float8 as total
    from usage_by_tag where tenant_id = ${id}::uuid order by per, starts_at, tag, source, subject_id, measure, detail`,
  'verification-usage': (id) => sql`
    select prefix, hour as "startsAt", starts, sandbox_starts as "sandboxStarts", checked, checks, approved, failed, refused
    from verification_counts where tenant_id = ${id}::uuid order by hour, prefix`,
};

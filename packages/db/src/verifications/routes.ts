import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import { acceptGroup } from '../groups/accept.ts';
import { endGroup } from '../groups/move.ts';
import type { AcceptedMessage, RefusalCode } from '../messages/accept.ts';
import type { ReachedStatus } from '../messages/status-changes.ts';
import type { NewVerification, StartRules, StoredCode, Woken } from './new-verification.ts';

/** What ending the messages of a verification has changed. */
export interface Ended {
  readonly webhooks: Woken['webhooks'];
  readonly reached: readonly ReachedStatus[];
}

/** Sees to it that no message of these groups is sent any more, but for a call in progress. Nothing to do for one that is gone. */
export async function endRoutes(trx: Statements, groupIds: readonly string[]): Promise<Ended> {
  const ended: Ended[] = [];
  for (const groupId of groupIds) ended.push((await endGroup(trx, groupId)) ?? { webhooks: [], reached: [] });
  return {
    webhooks: ended.flatMap(({ webhooks }) => webhooks),
    reached: ended.flatMap(({ reached }) => reached),
  };
}

export type SentRoutes =
  | {
      readonly kind: 'accepted';
      readonly groupId: string;
      readonly message: AcceptedMessage;
      readonly woken: Woken;
    }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly route: number | null };

/**
 * Stores the messages of a verification as a group. Its idempotency key is the verification's, so the group has none, but its messages
 * show it. It tells no events of itself.
 */
export async function sendRoutes(
  trx: Statements,
  { tenantId, keyId, requestKey, routes, expiresInSeconds, advanceAfterSeconds, labels }: NewVerification,
  rules: StartRules,
): Promise<SentRoutes> {
  const group = {
    tenantId,
    keyId,
    routes,
    sendAt: null,
    expiresInSeconds,
    advanceAfterSeconds,
    idempotencyKey: null,
    requestHash: '',
    madeBy: { apiKeyId: keyId, idempotencyKey: requestKey?.key ?? null },
    quiet: true,
    ...(labels === undefined ? {} : { labels }),
  };
  const sent = await acceptGroup(trx, group, rules);
  if (sent.kind === 'refused') return sent;
  const { groupId, message, accounts, webhooks, groups } = sent;
  return { kind: 'accepted', groupId, message, woken: { accounts, webhooks, groups } };
}

/** Stores a verification whose messages have been stored. */
export async function storeVerification(
  trx: Statements,
  start: NewVerification,
  { id, expiresAt, groupId }: { readonly id: string; readonly expiresAt: Date; readonly groupId: string },
  { sealed, hash, salt, keyVersion }: StoredCode,
): Promise<void> {
  await sql`
    insert into verifications (id, tenant_id, recipient, shown_recipient, prefix, account_ids, group_id, sandbox,
      sealed_code, code_hash, code_salt, key_version, expires_at, metadata, tags)
    select ${id}::uuid, ${start.tenantId}::uuid, ${start.recipient}, ${start.shownRecipient}, ${start.prefix}::text,
      ${start.accountIds.toSorted()}::uuid[], ${groupId}::uuid, ${start.sandbox}::bool, ${sealed}, ${hash}::bytea,
      ${salt}::bytea, ${keyVersion}::int, ${expiresAt}::timestamptz, metadata, tags
    from message_groups where id = ${groupId}::uuid`.execute(trx);
}

import {
  type Channel,
  longestScheduleDays,
  type MessageBody,
  type MessageType,
  uploadOf,
  type Wake,
} from '@notify/core';
import { sql } from 'kysely';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import { acceptOne, type AcceptedMessage, type RefusalCode } from '../messages/accept.ts';
import type { AcceptItem, AcceptRules } from '../messages/accept-statement.ts';
import { isOfSandbox, isReal } from '../messages/may-repeat.ts';
import type { StoredRoute } from '../schema/group-tables.ts';
import { lockUploads, useUploads } from '../uploads/use.ts';
import { routeItem, routeSeconds } from './route-item.ts';

/** One way to the recipient, checked as far as possible without the database. */
export interface NewRoute {
  readonly channel: Channel;
  /** The requested account; null for the channel's default. */
  readonly accountId: string | null;
  readonly to: string;
  readonly type: MessageType;
  readonly body: MessageBody;
  /** Set if the route is known to be unsendable, as with an `AcceptItem`. */
  readonly preFailed?: NonNullable<AcceptItem['preFailed']>;
}

/** A group to accept. */
export interface NewGroup extends Pick<
  AcceptItem,
  'tenantId' | 'keyId' | 'idempotencyKey' | 'requestHash' | 'earlierHash' | 'madeBy' | 'labels'
> {
  /** At least one, tried in order. */
  readonly routes: readonly NewRoute[];
  /** When the first route begins. Null: at once. */
  readonly sendAt: Date | null;
  /** The lifetime of the whole group. Counts from `sendAt`. */
  readonly expiresInSeconds: number;
  readonly advanceAfterSeconds: number;
  /** Whether it tells no events of itself, only those of its messages. Default false. */
  readonly quiet?: boolean;
}

export type AcceptedGroup =
  | {
      readonly kind: 'accepted';
      readonly groupId: string;
      /** That of the first route. */
      readonly message: AcceptedMessage;
      /** The idempotency key was known, and the group is the one that it made then. */
      readonly repeated: boolean;
      readonly accounts: readonly Wake[];
      readonly webhooks: readonly Wake[];
      /** The tenant, to wake when the time of the first route is over. */
      readonly groups: readonly Wake[];
    }
  /** `route`: the one that cannot be sent, from 0. Null if it is not about one. Nothing was stored. */
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly route: number | null };

/**
 * Stores a group and the message of its first route, in a transaction of the caller's. Checks the sender and the accounts of all
 * routes. The idempotency key is compared as that of one message is: the same key with the same hash answers the group that it made. A
 * caller who finds `refused` or `repeated` has stored nothing by it.
 */
export async function acceptGroup(
  trx: Statements,
  group: NewGroup,
  rules: AcceptRules,
): Promise<AcceptedGroup> {
  const found = await findAccounts(trx, group);
  const accountIds = found.map(({ account_id: id }) => id);
  const groupId = found[0]!.group_id;
  const uploads = [...new Set(group.routes.flatMap(({ body }) => uploadOf(body) ?? []))];
  const held = uploads.length === 0 ? null : await lockUploads(trx, group.tenantId, uploads);
  const faults = found.map((account, at) => faultOf(group.routes[at]!, account, held));
  const faulty = faults.findIndex((fault) => fault !== undefined);
  const item = firstItem(group, groupId, accountIds[0] ?? null, faults[faulty]);
  const accepted = await acceptOne(trx, item, rules);
  const result = accepted.results[0]!;
  if (result.kind === 'failed') throw new Error('a single message is refused instead of stored as failed');
  if (result.kind === 'refused') {
    const isOfRoute = faulty >= 0 && !aboutSender.has(result.code);
    return { kind: 'refused', code: result.code, route: isOfRoute ? faulty : routeOfRace(result.code) };
  }
  const { message, repeated } = result;
  const { accounts, webhooks } = accepted;
  if (repeated) {
    const known = await repeatedGroup(trx, message.id, group, accountIds);
    if (known === null) return { kind: 'refused', code: 'idempotency-key-reused', route: null };
    return { kind: 'accepted', groupId: known, message, repeated, accounts, webhooks, groups: [] };
  }
  const routes = group.routes.map((route, at) => toStored(route, accountIds[at]!));
  const delayMs = await storeGroup(trx, group, { groupId, messageId: message.id, routes }, rules);
  if (uploads.length > 0) await useUploads(trx, uploads, { groupId });
  const groups: Wake[] = [{ id: group.tenantId, lane: 'fast', delayMs }];
  return { kind: 'accepted', groupId, message, repeated, accounts, webhooks, groups };
}

/** Refusals that are not about a route. */
const aboutSender: ReadonlySet<RefusalCode> = new Set([
  'invalid-api-key',
  'forbidden',
  'trial-expired',
  'email-unverified',
  'idempotency-key-reused',
  'invalid-send-at',
]);

/** The account of the first route may go between the look-up and the statement that accepts. */
function routeOfRace(code: RefusalCode): number | null {
  return aboutSender.has(code) ? null : 0;
}

interface FoundAccount {
  group_id: string;
  account_id: string | null;
  /** Whether an account was asked for, or the key is for some accounts only. */
  is_chosen: boolean;
}

/** The account of each route, and the id for the group. */
async function findAccounts(trx: Statements, { tenantId, keyId, routes }: NewGroup): Promise<FoundAccount[]> {
  const asked = unnestRows(
    'r',
    routes,
    { channel: text((route) => route.channel), account_id: uuid((route) => route.accountId) },
    'ordinal',
  );
  const { rows } = await sql<FoundAccount>`
    select uuidv7() as group_id, a.id as account_id, r.account_id is not null or k.account_ids is not null as is_chosen
    from ${asked}
    left join lateral (
      select account_ids from api_keys where id = ${keyId}::uuid and tenant_id = ${tenantId}::uuid limit 1
    ) k on true
    left join lateral (
      select id from channel_accounts
      where tenant_id = ${tenantId}::uuid and channel = r.channel and deleted_at is null
        and case when r.account_id is null then is_default else id = r.account_id end
        and (k.account_ids is null or id = any (k.account_ids)) limit 1
    ) a on true
    order by r.ordinal`.execute(trx);
  return rows;
}

/** What is wrong with a route, if anything. `held`: the uploaded files that can be used. */
function faultOf(
  { preFailed, body }: NewRoute,
  { account_id: accountId, is_chosen: isChosen }: FoundAccount,
  held: ReadonlySet<string> | null,
): AcceptItem['preFailed'] {
  if (accountId === null)
    return { errorCode: isChosen ? 'channel-account-not-found' : 'channel-not-connected', text: '' };
  if (preFailed !== undefined) return preFailed;
  const upload = uploadOf(body);
  return upload === null || held?.has(upload) === true
    ? undefined
    : { errorCode: 'file-not-found', text: '' };
}

function firstItem(
  group: NewGroup,
  groupId: string,
  accountId: string | null,
  preFailed: AcceptItem['preFailed'],
): AcceptItem {
  const { tenantId, keyId, routes, sendAt, idempotencyKey, requestHash, earlierHash, madeBy, labels } = group;
  const [first] = routes;
  const seconds = routeSeconds(group.advanceAfterSeconds, group.expiresInSeconds, routes.length === 1);
  return {
    ...routeItem({ groupId, tenantId }, { ...first!, accountId: accountId ?? first!.accountId }, seconds),
    keyId,
    sendAt,
    idempotencyKey,
    requestHash,
    ...(earlierHash === undefined ? {} : { earlierHash }),
    ...(madeBy === undefined ? {} : { madeBy }),
    ...(labels === undefined ? {} : { labels }),
    ...(preFailed === undefined ? {} : { preFailed }),
  };
}

function toStored({ channel, to, type, body }: NewRoute, accountId: string): StoredRoute {
  return { channel, to, type, body, accountId };
}

/**
 * The group of the message that an idempotency key made. Null if it does not answer this sender: a route is of an account that the key of
 * the sender is not for, or one of the sandbox in the place of a real one. A group without a row is gone, and answers by its message.
 */
async function repeatedGroup(
  trx: Statements,
  messageId: string,
  { tenantId, keyId }: NewGroup,
  accountIds: readonly (string | null)[],
): Promise<string | null> {
  const known = sql`(route ->> 'accountId')::uuid`;
  const { rows } = await sql<{ group_id: string; answers: boolean }>`
    select m.group_id, not exists (
        select from message_groups g cross join json_array_elements(g.routes) with ordinality stored (route, ordinal)
        left join api_keys k on k.id = ${keyId}::uuid and k.tenant_id = ${tenantId}::uuid
        left join channel_accounts a on a.id = (${accountIds}::uuid[])[ordinal]
        where g.id = m.group_id and (not coalesce(${known} = any (k.account_ids), k.account_ids is null)
          or ${isReal(sql`a.provider`)} and ${isOfSandbox(known)})
      ) as answers
    from messages m where m.id = ${messageId}::uuid`.execute(trx);
  const { group_id: groupId, answers } = rows[0]!;
  return answers ? groupId : null;
}

interface Made {
  readonly groupId: string;
  readonly messageId: string;
  readonly routes: readonly StoredRoute[];
}

/**
 * Stores the row of the group, and when to look at it. Returns after how many ms the tenant is to be woken: a wake with a delay would not
 * bring a later one forward, so if one is planned, the tenant is woken at once and plans anew.
 */
async function storeGroup(
  trx: Statements,
  { tenantId, sendAt, expiresInSeconds, advanceAfterSeconds, quiet = false }: NewGroup,
  { groupId, messageId, routes }: Made,
  { traceparents }: AcceptRules,
): Promise<number> {
  const { rows } = await sql<{ delay_ms: number }>`
    with made as (
      insert into message_groups (id, tenant_id, routes, message_ids, advance_after, route_ends_at, expires_at,
        scheduled_at, traceparent, quiet, metadata, tags)
      select ${groupId}::uuid, ${tenantId}::uuid, ${JSON.stringify(routes)}::json, array[id],
        ${advanceAfterSeconds}::int, expires_at,
        greatest(now(), scheduled_at) + make_interval(secs => ${expiresInSeconds}::int), ${sendAt}::timestamptz,
        ${traceparents?.[0] ?? null}::text, ${quiet}::bool, metadata, tags
      from messages where id = ${messageId}::uuid
      returning id, tenant_id, route_ends_at
    ),
    due as (
      insert into group_due (group_id, tenant_id, due_at) select id, tenant_id, route_ends_at from made
    )
    select case when exists (
        select from group_due planned where planned.tenant_id = made.tenant_id and planned.due_at > made.route_ends_at
      ) then 0 else ceil(extract(epoch from route_ends_at - now()) * 1000)::float8 end as delay_ms
    from made`.execute(trx);
  return rows[0]!.delay_ms;
}

/** The rules for a route that is not the first: its group was accepted, so its sender's standing is not judged again. */
export const rulesOfNext: AcceptRules = {
  idempotencyDays: 1,
  blockExpiredTrials: false,
  scheduleDays: longestScheduleDays,
};

import {
  type Channel,
  longestScheduleDays,
  type Labels,
  type MessageBody,
  type MessageType,
  uploadOf,
} from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import { bool, bytea, int, text, unnestRows, uuid } from '../connection/rows.ts';
import { isLive } from '../tenants/is-live.ts';
import { keptUploads, lockedUploads } from '../uploads/use.ts';
import { insertEvents, webhooksToWake } from './insert-events.ts';
import { type GivenLabels, labelsOf, tagged } from './labels.ts';
import { mayRepeat } from './may-repeat.ts';
import { isFar, isSendable, isNothingLaterPlanned } from './send-at.ts';
import { afterSpacing, counted, spreadOut } from './loop-guard.ts';

/*
 * The parts of the statement that accepts messages: each reads the one before it. `accept.ts` documents its promises.
 */

/** One message to send, checked as far as possible without the database. */
export interface AcceptItem {
  readonly tenantId: string;
  /** Null if a session sends. The session was checked with the request, so only its tenant is checked again. */
  readonly keyId: string | null;
  readonly channel: Channel;
  /** The requested account; null for the channel's default. */
  readonly accountId: string | null;
  readonly to: string;
  readonly type: MessageType;
  readonly body: MessageBody;
  /** The message of the same conversation that this one answers. The caller has checked it. Default: none. */
  readonly replyTo?: string | null;
  /** An item of a bulk call. If it cannot be sent, it is stored as failed instead of being refused. */
  readonly bulk: boolean;
  /** When it is to leave. Default: at once. */
  readonly sendAt?: Date | null;
  /** Whether it is sent in the quiet hours of its account too. Default: no. */
  readonly urgent?: boolean;
  /** Counts from `sendAt`. */
  readonly expiresInSeconds: number;
  readonly idempotencyKey: string | null;
  /** SHA-256 of the request as idempotency compares it, in hex: Node 24 takes three times as long to give a buffer. */
  readonly requestHash: string;
  /** The same as the version before made it, if that is another one: it compared the recipient as written. */
  readonly earlierHash?: string;
  /**
   * Set on a well-formed item that is known to be unsendable. Counts after what bars the sender and after a known
   * idempotency key.
   */
  readonly preFailed?: { readonly errorCode: string; readonly text: string };
  /** The group of which this is a route. */
  readonly groupId?: string;
  /** What its message shows of the request that made it. Default: `keyId` and `idempotencyKey`. */
  readonly madeBy?: MadeBy;
  /** Its metadata and tags. Idempotency does not compare them. Default: none. */
  readonly labels?: Labels;
}

/** What a message shows of the request that made it. Null: no API key sent it, or it had no idempotency key. */
export interface MadeBy {
  readonly apiKeyId: string | null;
  readonly idempotencyKey: string | null;
}

/** The fields that decide the sender and its account. */
export type Sender = Pick<AcceptItem, 'tenantId' | 'keyId' | 'channel' | 'accountId'>;

export interface AcceptRules {
  readonly idempotencyDays: number;
  readonly blockExpiredTrials: boolean;
  /** Tenants send only after they have confirmed their email address. Default false. */
  readonly requireConfirmedEmail?: boolean;
  /** The `traceparent` of each item, to store with its message. Absent if no item has one. */
  readonly traceparents?: readonly (string | null)[];
  /** How far ahead `sendAt` may be. Default 30. */
  readonly scheduleDays?: number;
}

/** The times at which items are to leave. */
export interface Schedule {
  /** `sendAt` of each item, as Postgres reads an array. */
  readonly times: string;
  /** How far ahead they may be. */
  readonly days: number;
}

/** Null if no item has a `sendAt`. Then the statement has no parameter for it, and sends that leave at once cost no more. */
export function scheduleOf(
  items: readonly AcceptItem[],
  { scheduleDays = longestScheduleDays }: AcceptRules,
): Schedule | null {
  if (items.every(({ sendAt }) => sendAt === undefined || sendAt === null)) return null;
  const times = items.map(({ sendAt }) => sendAt?.toISOString() ?? 'NULL');
  return { times: `{${times.join(',')}}`, days: scheduleDays };
}

/** `urgent` of each item, as Postgres reads an array. Null if no item is. */
function urgencyOf(items: readonly AcceptItem[]): string | null {
  if (items.every(({ urgent }) => urgent !== true)) return null;
  return `{${items.map(({ urgent }) => (urgent === true ? 't' : 'NULL')).join(',')}}`;
}

/** The uploaded file of each item. Null if no item has one. Then the statement has no parameter for it. */
export function uploadsOf(items: readonly AcceptItem[]): readonly (string | null)[] | null {
  const ids = items.map(({ body }) => uploadOf(body));
  return ids.every((id) => id === null) ? null : ids;
}

/**
 * Locks the uploaded files, so that none goes before its message is stored. With a comma after it; empty if there are none. Comes before
 * every other lock of the statement.
 */
export function lockedFiles(uploads: readonly (string | null)[] | null): RawBuilder<unknown> {
  return uploads === null ? sql`` : sql`files as materialized (${lockedUploads(uploads)}), `;
}

/** The earlier hashes of items with a key, as Postgres reads an array. Null if no item has one. */
function earlierHashesOf(items: readonly AcceptItem[]): string | null {
  const hashes = items.map((item) => (item.idempotencyKey === null ? undefined : item.earlierHash));
  return hashes.every((hash) => hash === undefined)
    ? null
    : `{${hashes.map((hash) => hash ?? 'NULL').join(',')}}`;
}

/**
 * The tenant and the account that may send. Looked up once per sender, however many items share it. `account_ids` are the only
 * accounts of its key; null if the key is not narrowed.
 */
export function senders(known: readonly Sender[], rules: AcceptRules): RawBuilder<unknown> {
  const asking = unnestRows(
    's',
    known,
    {
      tenant_id: uuid((sender) => sender.tenantId),
      key_id: uuid((sender) => sender.keyId),
      channel: text((sender) => sender.channel),
      requested_account: uuid((sender) => sender.accountId),
    },
    'ordinal',
  );
  return sql`senders as materialized (
      select s.ordinal, s.tenant_id, s.key_id, s.channel, a.id as account_id, a.lane, a.provider, c.account_ids,
        coalesce(greatest(a.paused_until, a.paced_until) > now(), false) or coalesce(a.blocked, false) as paused,
        case
          when c.blocked is null then 'invalid-api-key'
          when c.blocked then 'forbidden'
          when ${rules.blockExpiredTrials}::bool and c.trial_over then 'trial-expired'
          when ${rules.requireConfirmedEmail ?? false}::bool and c.unconfirmed then 'email-unverified'
        end as barred,
        case
          when a.id is null and (s.requested_account is not null or c.account_ids is not null)
            then 'channel-account-not-found'
          when a.id is null then 'channel-not-connected'
        end as unconnected
      from ${asking}
      left join lateral (
        select t.blocked_at is not null as blocked, t.plan = 'trial' and t.trial_ends_at <= now() as trial_over,
          t.email_verified_at is null as unconfirmed, ak.account_ids
        from tenants t left join api_keys ak on ak.id = s.key_id and ak.tenant_id = t.id and ${isLive('ak')}
        where t.id = s.tenant_id and (s.key_id is null or ak.id is not null) limit 1
      ) c on true
      left join lateral (
        select * from channel_accounts
        where tenant_id = s.tenant_id and channel = s.channel and deleted_at is null
          and case when s.requested_account is null then is_default else id = s.requested_account end
          and (c.account_ids is null or id = any (c.account_ids)) limit 1
      ) a on true
    )`;
}

/**
 * The items of this wave, each with its sender, the id of its future message, and whether its idempotency key is known. A key
 * repeats only what answers its sender (`mayRepeat`). A known key is locked: that is a write, so the commit waits for
 * the synchronous standby as the first one did. Otherwise an old primary that was restarted after a promotion would answer
 * with a message that it alone has.
 * Messages are sent in id order, so the ids are drawn before the join, which keeps no order.
 */
export function looked(
  items: readonly AcceptItem[],
  wave: readonly number[],
  senderOf: readonly number[],
  rules: AcceptRules,
  schedule: Schedule | null,
  uploads: readonly (string | null)[] | null,
): RawBuilder<unknown> {
  const asked = wave.map((ordinal) => ({ ordinal, sender: senderOf[ordinal]!, item: items[ordinal]! }));
  const rows = unnestRows('u', asked, {
    ordinal: int((one) => one.ordinal),
    sender: int((one) => one.sender),
    recipient: text(({ item }) => item.to),
    type: text(({ item }) => item.type),
    body: text(({ item }) => JSON.stringify(item.body)),
    reply_to: uuid(({ item }) => item.replyTo ?? null),
    bulk: bool(({ item }) => item.bulk),
    expires_in: int(({ item }) => item.expiresInSeconds),
    idempotency_key: text(({ item }) => item.idempotencyKey),
    request_hash: bytea(({ item }) => `\\x${item.requestHash}`),
    pre_failed_code: text(({ item }) => item.preFailed?.errorCode ?? null),
    pre_failed_text: text(({ item }) => item.preFailed?.text ?? null),
  });
  const sendAt = schedule === null ? sql`` : sql`i.send_at, `;
  const drawn = schedule === null ? sql`` : sql`, (${schedule.times}::timestamptz[])[ordinal + 1] as send_at`;
  const earlier = earlierHashesOf(items);
  const isSame =
    earlier === null
      ? sql`k.request_hash = i.request_hash`
      : sql`k.request_hash in (i.request_hash, decode((${earlier}::text[])[i.ordinal + 1], 'hex'))`;
  const unscheduled =
    schedule === null
      ? sql``
      : sql`case when not ${isSendable(sql`i.send_at`, schedule.days)} then 'invalid-send-at' end, `;
  const file = uploads === null ? sql`` : sql`, (${uploads}::uuid[])[ordinal + 1] as upload_id`;
  const missing =
    uploads === null
      ? sql``
      : sql`, case when i.upload_id is not null
          and not exists (select from files f where f.id = i.upload_id and f.tenant_id = s.tenant_id)
          then 'file-not-found' end`;
  return sql`looked as materialized (
      select ${sendAt}i.ordinal, i.recipient, i.type, i.body, i.reply_to, i.bulk, i.expires_in, i.idempotency_key, i.request_hash,
        i.pre_failed_text, i.new_id, s.tenant_id, s.key_id, s.channel, s.account_id, s.lane, s.paused, s.barred,
        coalesce(i.pre_failed_code, ${unscheduled}s.unconnected${missing}) as unsendable,
        k.message_id as known_message, k.account_id as known_account, k.created_at as known_at,
        ${isSame} and ${mayRepeat('k', 's')} as known_is_same, s.account_ids, s.provider
      from (select *, uuidv7() as new_id${drawn}${file} from ${rows}) i
      join senders s on s.ordinal = i.sender
      left join lateral (
        select message_id, account_id, created_at, request_hash from idempotency_keys
        where tenant_id = s.tenant_id and key = i.idempotency_key
          and ${isKnown(rules.idempotencyDays)} limit 1 for key share
      ) k on true
    )`;
}

/** Whether an idempotency key still counts, in SQL: for some days, and for as long as its message waits. */
export function isKnown(days: number): RawBuilder<boolean> {
  return sql`(created_at > now() - make_interval(days => ${days}::int) or message_waits(message_id))`;
}

/** Takes the new keys. If another commit is taking a key, waits for that commit and returns the key as it left it. */
export function taken(rules: AcceptRules): RawBuilder<unknown> {
  const isCurrent = sql`(k.created_at > now() - make_interval(days => ${rules.idempotencyDays}::int)
          or message_waits(k.message_id))`;
  return sql`taken as (
      insert into idempotency_keys as k (tenant_id, key, request_hash, message_id, account_id)
      select tenant_id, idempotency_key, request_hash, new_id, account_id from looked
      where idempotency_key is not null and barred is null and unsendable is null and known_message is null
      order by tenant_id, idempotency_key
      on conflict (tenant_id, key) do update set
        request_hash = case when ${isCurrent}
          then k.request_hash else excluded.request_hash end,
        message_id = case when ${isCurrent}
          then k.message_id else excluded.message_id end,
        account_id = case when ${isCurrent}
          then k.account_id else excluded.account_id end,
        created_at = case when ${isCurrent}
          then k.created_at else excluded.created_at end
      returning tenant_id, key, request_hash, message_id, account_id, created_at
    )`;
}

/** The outcome of each item, in SQL. `sendAt`: a further column, with a comma. */
const decidedWith = (sendAt: RawBuilder<unknown>): RawBuilder<unknown> => sql`outcomes as (
      select l.*,
        coalesce(l.known_message, nullif(t.message_id, l.new_id)) as earlier_message,
        coalesce(l.known_account, t.account_id) as earlier_account,
        coalesce(l.known_at, t.created_at) as earlier_at,
        case
          when l.barred is not null then l.barred
          when l.known_message is not null and l.known_is_same then 'repeated'
          when t.message_id <> l.new_id and t.request_hash = l.request_hash and ${mayRepeat('t', 'l')} then 'repeated'
          when l.known_message is not null or t.message_id <> l.new_id
            then case when l.bulk then 'failed' else 'idempotency-key-reused' end
          when l.unsendable is not null then case when l.bulk then 'failed' else l.unsendable end
          else 'accepted'
        end as outcome,
        case when l.known_message is not null or t.message_id <> l.new_id then 'idempotency-key-reused'
          else l.unsendable end as error_code
      from looked l
      left join taken t on t.tenant_id = l.tenant_id and t.key = l.idempotency_key
    ),
    decided as materialized (
      select ${sendAt}ordinal, outcome, new_id, uuidv7() as event_id, tenant_id, account_id, channel, lane, paused,
        recipient, type, body, reply_to, bulk, expires_in, key_id, idempotency_key, error_code, earlier_message, earlier_account, earlier_at,
        case when outcome = 'failed' then coalesce(pre_failed_text, case error_code
          when 'idempotency-key-reused' then 'The idempotency key was used for a different request'
          when 'channel-account-not-found' then 'No such channel account'
          when 'invalid-send-at' then 'sendAt is too far in the past or in the future'
          when 'file-not-found' then 'No such file'
          else 'No account of the channel is its default. Name one in channelAccountId, make one the default, or connect one.' end) end as error
      from outcomes
    )`;

const decidedNow = decidedWith(sql``);
const decidedLater = decidedWith(sql`send_at, `);

/** The outcome of each item. */
export function decided(schedule: Schedule | null): RawBuilder<unknown> {
  return schedule === null ? decidedNow : decidedLater;
}

/** The recipient of a stored message as conversations compare it. `contactKey` of core is the same rule. */
const contact = sql`case made.channel when 'sms' then contact_key(made.channel, made.recipient) else coalesce((
          select contact_key(made.channel, address) from moved_contacts v
          where v.account_id = made.account_id and v.contact = contact_key(made.channel, made.recipient)
        ), contact_key(made.channel, made.recipient)) end`;

/**
 * Adds each stored message to the conversation with its recipient, if there is one, and finds when it is due if that
 * conversation is slowed. Conversations are locked in the order of their keys, as an inbound message locks them. One that
 * was joined to another while this waited for its lock gets no message.
 */
const joinConversations = (leaves: RawBuilder<unknown>): RawBuilder<unknown> => sql`joined as materialized (
      select c.id as conversation_id, made.new_id as message_id, ${leaves} as leaves
      from made cross join lateral (
        select id from conversations where account_id = made.account_id and contact = ${contact} limit 1
      ) c
    ),
    locked as materialized (
      select id, slow_until, next_send_at from conversations where id = any (array(select conversation_id from joined))
      order by account_id, contact for no key update
    ),
    placed as materialized (
      select j.*, case when j.leaves and l.slow_until > now() then ${spreadOut(
        sql`l.next_send_at`,
        sql`(row_number() over (partition by j.conversation_id, j.leaves order by j.message_id) - 1)`,
      )} end as due_at
      from joined j join locked l on l.id = j.conversation_id
    ),
    linked as (
      insert into conversation_messages (conversation_id, message_id, inbound)
      select conversation_id, message_id, false from placed
    ),
    continued as (
      update conversations c set
        latest_id = greatest(c.latest_id, added.newest_id),
        next_send_at = coalesce(${afterSpacing(sql`added.last_due_at`)}, c.next_send_at),
        ${counted(sql`0`, sql`added.leaving`)}
      from (
        select conversation_id, (array_agg(message_id order by message_id desc))[1] as newest_id,
          count(*) filter (where leaves)::int as leaving, max(due_at) as last_due_at
        from placed group by conversation_id
      ) added
      where c.id = added.conversation_id and c.id = any (array(select id from locked))
    )`;

/** The first event of each stored message, in SQL. `more`: further columns, each after a comma. */
const firstEvents = (more: RawBuilder<unknown>): RawBuilder<unknown> => sql`
        select event_id, 'message.' || status as event, 1 as sequence, tenant_id, new_id as message_id, account_id,
          channel, recipient, type, status, null as external_id, error, error_code, false as possible_duplicate${more}
        from made`;

/** The further columns of `writtenWith`, each after a comma, and whether items have a `send_at`. */
interface Writing {
  /** The sender's of an item, for its message and its event. */
  readonly traceparent: RawBuilder<unknown> | null;
  /** The group of an item. */
  readonly group: RawBuilder<unknown> | null;
  readonly scheduled: boolean;
  /** Whether an item is urgent. */
  readonly urgent: RawBuilder<unknown> | null;
  /** `madeBy` of an item. Null: each shows its own. */
  readonly madeBy: { readonly apiKey: RawBuilder<unknown>; readonly key: RawBuilder<unknown> } | null;
  /** `labels` of an item. */
  readonly labels: GivenLabels | null;
  /** The uploaded file of an item. */
  readonly upload: RawBuilder<unknown> | null;
}

const own = { apiKey: sql`key_id`, key: sql`idempotency_key` };

/** The rows, in SQL. */
function writtenWith({
  traceparent,
  group,
  scheduled,
  urgent,
  madeBy,
  labels,
  upload,
}: Writing): RawBuilder<unknown> {
  // An item that failed has not used up its key.
  const { apiKey, key } = madeBy ?? own;
  const column = sql`${traceparent === null ? sql`` : sql`, traceparent`}${group === null ? sql`` : sql`, group_id`}${labels === null ? sql`` : sql`, metadata, tags`}`;
  const value = sql`${traceparent === null ? sql`` : sql`, ${traceparent} as traceparent`}${group === null ? sql`` : sql`, ${group} as group_id`}${labels === null ? sql`` : sql`, ${labels.metadata} as metadata, ${labels.tags} as tags`}`;
  const urgentColumn = urgent === null ? sql`` : sql`, urgent`;
  const urgentValue = urgent === null ? sql`` : sql`, ${urgent}`;
  const scheduledColumn = scheduled ? sql`, scheduled_at` : sql``;
  const sendAt = scheduled ? sql`, send_at` : sql``;
  const begin = scheduled ? sql`greatest(now(), send_at)` : sql`now()`;
  // A message that is due much later does not count in its conversation, and is not spread out.
  const leaves = scheduled
    ? sql`outcome = 'accepted' and not ${isFar(sql`send_at`)}`
    : sql`outcome = 'accepted'`;
  const later = scheduled
    ? sql`later as (
      insert into scheduled_messages (message_id, account_id, tenant_id, bulk, due_at, expires_at)
      select new_id, account_id, tenant_id, bulk, send_at, send_at + make_interval(secs => expires_in)
      from made where outcome = 'accepted' and ${isFar(sql`send_at`)} order by new_id
    ),`
    : sql``;
  return sql`made as not materialized (
      select *, case outcome when 'failed' then 'failed' else 'queued' end as status
      from decided where outcome in ('accepted', 'failed')
    ),
    stored as (
      insert into messages (id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, error,
        error_code, emitted, updated_at, expires_at, failed_at, reply_to, api_key_id, idempotency_key${scheduledColumn}${urgentColumn}${column})
      select new_id, tenant_id, account_id, channel, recipient, type, body::json, bulk, status, error, error_code,
        array[status], greatest(now(), uuid_extract_timestamp(event_id)), ${begin} + make_interval(secs => expires_in), case status when 'failed' then now() end, reply_to,
        ${apiKey}, case outcome when 'accepted' then ${key} end${sendAt}${urgentValue}${value}
      from made order by new_id
    ),
    ${joinConversations(leaves)},
    ${later}${labels === null ? sql`` : tagged(labels)}
    ${upload === null ? sql`` : keptUploads(upload)}due as (
      insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at${scheduledColumn})
      select new_id, account_id, tenant_id, bulk, greatest(p.due_at, ${begin}), ${begin} + make_interval(secs => expires_in)${sendAt}
      from made left join placed p on p.message_id = new_id where ${leaves} order by new_id
    ),
    ${insertEvents(firstEvents(value), { traced: traceparent !== null, grouped: group !== null, labelled: labels !== null })}`;
}

/** What the messages show of their requests, in SQL. Null if each shows its own. */
function makersOf(items: readonly AcceptItem[]): Writing['madeBy'] {
  if (items.every(({ madeBy }) => madeBy === undefined)) return null;
  const shown = items.map(
    ({ madeBy, keyId, idempotencyKey }) => madeBy ?? { apiKeyId: keyId, idempotencyKey },
  );
  return {
    apiKey: sql`(${shown.map(({ apiKeyId }) => apiKeyId)}::uuid[])[ordinal + 1]`,
    key: sql`(${shown.map((one) => one.idempotencyKey)}::text[])[ordinal + 1]`,
  };
}

const plain = writtenWith({
  traceparent: null,
  group: null,
  scheduled: false,
  urgent: null,
  madeBy: null,
  labels: null,
  upload: null,
});

/**
 * The rows of messages that are accepted, or stored as failed. `traceparents` are the senders', for every item. If nobody gave
 * one, and no item is of a group, urgent, labelled, made by another request or with an uploaded file, the statement has no
 * parameter for them.
 */
export function written(
  items: readonly AcceptItem[],
  traceparents: AcceptRules['traceparents'],
  schedule: Schedule | null,
  uploads: readonly (string | null)[] | null,
): RawBuilder<unknown> {
  const grouped = items.some(({ groupId }) => groupId !== undefined);
  const urgency = urgencyOf(items);
  const madeBy = makersOf(items);
  const labels = labelsOf(items);
  const isPlain =
    !grouped &&
    [traceparents ?? null, schedule, urgency, madeBy, labels, uploads].every((one) => one === null);
  if (isPlain) return plain;
  const traceparent = traceparents === undefined ? null : sql`(${traceparents}::text[])[ordinal + 1]`;
  const group = grouped ? sql`(${items.map(({ groupId }) => groupId ?? null)}::uuid[])[ordinal + 1]` : null;
  const urgent = urgency === null ? null : sql`(${urgency}::bool[])[ordinal + 1]`;
  const upload = uploads === null ? null : sql`(${uploads}::uuid[])[ordinal + 1]`;
  return writtenWith({ traceparent, group, scheduled: schedule !== null, urgent, madeBy, labels, upload });
}

/**
 * One row per item. The first row also has the time of acceptance and names the webhooks with new work. `lane` is that of an
 * account to wake, `delay_ms` when.
 */
export function answered(firstOrdinal: number, schedule: Schedule | null): RawBuilder<unknown> {
  const wake =
    schedule === null
      ? sql`case when not d.paused then d.lane end as lane, 0::float8 as delay_ms`
      : sql`case when not d.paused and not ${isFar(sql`d.send_at`)} then d.lane end as lane,
      case when d.send_at > now() and ${isNothingLaterPlanned(sql`d.account_id`, sql`d.send_at`)}
        then ceil(extract(epoch from d.send_at - now()) * 1000)::float8 else 0 end as delay_ms`;
  return sql`select d.ordinal, d.outcome, case when d.outcome = 'repeated' then d.earlier_message else d.new_id end as id,
      case when d.outcome = 'repeated' then d.earlier_at end as earlier_at,
      case when d.outcome = 'repeated' then nullif(message_recipient(d.earlier_message), d.recipient) end as earlier_recipient,
      case when d.outcome = 'repeated' then message_labels(d.earlier_message) end as earlier_labels,
      case when d.ordinal = ${firstOrdinal}::int then now() end as accepted_at,
      case when d.outcome = 'repeated' then d.earlier_account else d.account_id end as account_id,
      d.error_code, d.error, ${wake},
      case when d.ordinal = ${firstOrdinal}::int then (
        select json_agg(woken) from (${webhooksToWake}) woken
      ) end as webhooks
    from decided d`;
}

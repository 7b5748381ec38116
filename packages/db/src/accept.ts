import type { Channel, MessageBody, MessageType } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from './connect.ts';
import type { Lane } from './tables.ts';

/** One message that a tenant wants sent, checked as far as that goes without the database. */
export interface AcceptItem {
  readonly tenantId: string;
  readonly keyId: string;
  readonly channel: Channel;
  /** The account asked for; null for the channel's default. */
  readonly accountId: string | null;
  readonly to: string;
  readonly type: MessageType;
  readonly body: MessageBody;
  /** An item of a bulk call: what cannot be sent is stored as failed instead of being refused. */
  readonly bulk: boolean;
  readonly expiresInSeconds: number;
  readonly idempotencyKey: string | null;
  /** SHA-256 of the request as idempotency compares it. */
  readonly requestHash: Buffer;
  /** A bulk item that is well-formed but is known not to be sendable. */
  readonly preFailed?: { readonly errorCode: string; readonly text: string };
}

export type RefusalCode =
  | 'invalid-api-key'
  | 'forbidden'
  | 'trial-expired'
  | 'channel-not-connected'
  | 'channel-account-not-found'
  | 'idempotency-key-reused';

export interface AcceptedMessage {
  readonly id: string;
  readonly createdAt: Date;
  readonly channelAccountId: string | null;
}

export type AcceptResult =
  /** `repeated`: the idempotency key was known; this is the message it made then. */
  | { readonly kind: 'accepted'; readonly message: AcceptedMessage; readonly repeated: boolean }
  | {
      readonly kind: 'failed';
      readonly message: AcceptedMessage;
      readonly errorCode: string;
      readonly error: string;
    }
  | { readonly kind: 'refused'; readonly code: RefusalCode };

/** Somebody who has work now. */
export interface Wake {
  readonly id: string;
  readonly lane: Lane;
}

export interface Accepted {
  /** In the order of the items. */
  readonly results: readonly AcceptResult[];
  /** Accounts and webhooks that have new work and are not paused. */
  readonly accounts: readonly Wake[];
  readonly webhooks: readonly Wake[];
}

export interface AcceptRules {
  readonly idempotencyDays: number;
  readonly blockExpiredTrials: boolean;
}

interface Row {
  ordinal: number;
  outcome: 'accepted' | 'repeated' | 'failed' | RefusalCode;
  id: string;
  created_at: Date;
  account_id: string | null;
  error_code: string | null;
  error: string | null;
  lane: Lane | null;
  webhooks: Wake[] | null;
}

/**
 * Stores the messages with everything that belongs to them (idempotency keys, what is due, the `queued` event and its
 * deliveries) in one commit, and in one statement unless a
 * key comes twice: when it returns, what it says was accepted is safe. The keys, their
 * tenants and the accounts are looked at in the same commit, so what was revoked, blocked or removed before it counts.
 */
export async function acceptMessages(
  db: Db,
  items: readonly AcceptItem[],
  rules: AcceptRules,
): Promise<Accepted> {
  const waves = wavesOf(items);
  if (waves.length <= 1) return collect(await acceptWave(db, items, waves[0] ?? [], rules));
  return db.transaction().execute(async (trx) => {
    const rows: Row[] = [];
    for (const wave of waves) rows.push(...(await acceptWave(trx, items, wave, rules)));
    return collect(rows);
  });
}

function collect(rows: readonly Row[]): Accepted {
  const results: AcceptResult[] = [];
  const accounts = new Map<string, Wake>();
  const webhooks = new Map<string, Wake>();
  for (const row of rows) {
    results[row.ordinal] = toResult(row);
    if (row.outcome === 'accepted' && row.lane !== null && row.account_id !== null)
      accounts.set(row.account_id, { id: row.account_id, lane: row.lane });
    for (const webhook of row.webhooks ?? []) webhooks.set(webhook.id, webhook);
  }
  return { results, accounts: [...accounts.values()], webhooks: [...webhooks.values()] };
}

/** Splits the items so that no statement sees an idempotency key twice; a later wave finds what an earlier one made. */
function wavesOf(items: readonly AcceptItem[]): number[][] {
  const waves: number[][] = [];
  const seen = new Map<string, number>();
  for (const [ordinal, item] of items.entries()) {
    let wave = 0;
    if (item.idempotencyKey !== null) {
      const key = `${item.tenantId} ${item.idempotencyKey}`;
      wave = seen.get(key) ?? 0;
      seen.set(key, wave + 1);
    }
    (waves[wave] ??= []).push(ordinal);
  }
  return waves;
}

async function acceptWave(
  db: Db,
  items: readonly AcceptItem[],
  wave: readonly number[],
  rules: AcceptRules,
): Promise<Row[]> {
  const chosen = wave.map((ordinal) => items[ordinal]!);
  const column = <T>(read: (item: AcceptItem) => T): T[] => chosen.map(read);
  const statement = sql<Row>`
    with input as materialized (
      select i.*, uuidv7() as new_id
      from unnest(
        ${wave}::int[], ${column((item) => item.tenantId)}::uuid[], ${column((item) => item.keyId)}::uuid[],
        ${column((item) => item.channel)}::text[], ${column((item) => item.accountId)}::uuid[],
        ${column((item) => item.to)}::text[], ${column((item) => item.type)}::text[],
        ${column((item) => JSON.stringify(item.body))}::text[], ${column((item) => item.bulk)}::bool[],
        ${column((item) => item.expiresInSeconds)}::int[], ${column((item) => item.idempotencyKey)}::text[],
        ${column((item) => item.requestHash)}::bytea[],
        ${column((item) => item.preFailed?.errorCode ?? null)}::text[],
        ${column((item) => item.preFailed?.text ?? null)}::text[]
      ) as i(ordinal, tenant_id, key_id, channel, requested_account, recipient, type, body, bulk, expires_in,
        idempotency_key, request_hash, pre_failed_code, pre_failed_text)
    ),
    -- Who may send, to which account, and whether the idempotency key is known.
    looked as materialized (
      select i.*, a.id as account_id, a.lane, a.provider,
        coalesce(greatest(a.paused_until, a.paced_until) > now(), false) or coalesce(a.blocked, false) as paused,
        k.message_id as known_message, k.account_id as known_account, k.created_at as known_at,
        k.request_hash = i.request_hash as known_is_same,
        case
          when c.key_id is null then 'invalid-api-key'
          when c.blocked then 'forbidden'
          when ${rules.blockExpiredTrials}::bool and c.trial_over then 'trial-expired'
        end as barred,
        case
          when i.pre_failed_code is not null then i.pre_failed_code
          when a.id is null and i.requested_account is not null then 'channel-account-not-found'
          when a.id is null then 'channel-not-connected'
        end as unsendable
      from input i
      left join lateral (
        select ak.id as key_id, t.blocked_at is not null as blocked,
          t.plan = 'trial' and t.trial_ends_at <= now() as trial_over
        from api_keys ak join tenants t on t.id = ak.tenant_id
        where ak.id = i.key_id and ak.tenant_id = i.tenant_id and ak.revoked_at is null
      ) c on true
      left join channel_accounts a on a.tenant_id = i.tenant_id and a.channel = i.channel and a.deleted_at is null
        and case when i.requested_account is null then a.is_default else a.id = i.requested_account end
      left join idempotency_keys k on k.tenant_id = i.tenant_id and k.key = i.idempotency_key
        and k.created_at > now() - make_interval(days => ${rules.idempotencyDays}::int)
    ),
    -- Takes the keys that are new. One that another commit takes at this moment is waited for and returned as it is.
    taken as (
      insert into idempotency_keys as k (tenant_id, key, request_hash, message_id, account_id)
      select tenant_id, idempotency_key, request_hash, new_id, account_id from looked
      where idempotency_key is not null and barred is null and unsendable is null and known_message is null
      order by tenant_id, idempotency_key
      on conflict (tenant_id, key) do update set
        request_hash = case when k.created_at > now() - make_interval(days => ${rules.idempotencyDays}::int)
          then k.request_hash else excluded.request_hash end,
        message_id = case when k.created_at > now() - make_interval(days => ${rules.idempotencyDays}::int)
          then k.message_id else excluded.message_id end,
        account_id = case when k.created_at > now() - make_interval(days => ${rules.idempotencyDays}::int)
          then k.account_id else excluded.account_id end,
        created_at = case when k.created_at > now() - make_interval(days => ${rules.idempotencyDays}::int)
          then k.created_at else excluded.created_at end
      returning tenant_id, key, request_hash, message_id, account_id, created_at
    ),
    decided as materialized (
      select l.*,
        coalesce(l.known_message, nullif(t.message_id, l.new_id)) as earlier_message,
        coalesce(l.known_account, t.account_id) as earlier_account,
        coalesce(l.known_at, t.created_at) as earlier_at,
        case
          when l.barred is not null then l.barred
          when l.known_message is not null and l.known_is_same then 'repeated'
          when t.message_id <> l.new_id and t.request_hash = l.request_hash then 'repeated'
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
    made as materialized (
      select d.*, uuidv7() as event_id,
        case when outcome = 'failed' then coalesce(pre_failed_text, case error_code
          when 'idempotency-key-reused' then 'The idempotency key was used for a different request'
          when 'channel-account-not-found' then 'No such channel account'
          else 'No account is connected on the channel' end) end as error
      from decided d where outcome in ('accepted', 'failed')
    ),
    stored as (
      insert into messages (id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, error,
        error_code, emitted, expires_at, failed_at)
      select new_id, tenant_id, account_id, channel, recipient, type, body::json, bulk,
        case outcome when 'failed' then 'failed' else 'queued' end, error,
        case outcome when 'failed' then error_code end,
        case outcome when 'failed' then '{failed}'::text[] else '{queued}'::text[] end,
        now() + make_interval(secs => expires_in), case outcome when 'failed' then now() end
      from made order by new_id
    ),
    due as (
      insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at)
      select new_id, account_id, tenant_id, bulk, now(), now() + make_interval(secs => expires_in)
      from made where outcome = 'accepted' order by new_id
    ),
    told as (
      insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
      select event_id, tenant_id, new_id, event, 1,
        event_body(event_id, event, 1, now(), new_id, tenant_id, account_id, channel, recipient, type,
          case outcome when 'failed' then 'failed' else 'queued' end, null, error,
          case outcome when 'failed' then error_code end, false),
        now()
      from made, lateral (
        select case outcome when 'failed' then 'message.failed' else 'message.queued' end as event
      ) kind
    ),
    posted as (
      insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at)
      select uuidv7(), w.id, m.tenant_id, m.event_id, now(), now()
      from made m join webhooks w on w.tenant_id = m.tenant_id and w.is_active
        and case m.outcome when 'failed' then 'message.failed' else 'message.queued' end = any (w.events)
      returning webhook_id
    )
    select d.ordinal, d.outcome, case when d.outcome = 'repeated' then d.earlier_message else d.new_id end as id,
      coalesce(case when d.outcome = 'repeated' then d.earlier_at end, now()) as created_at,
      case when d.outcome = 'repeated' then d.earlier_account else d.account_id end as account_id,
      d.error_code, m.error, case when not d.paused then d.lane end as lane,
      case when d.ordinal = ${wave[0]}::int then (
        select json_agg(json_build_object('id', w.id, 'lane', w.lane)) from webhooks w
        where w.id in (select webhook_id from posted) and coalesce(w.paused_until <= now(), true)
      ) end as webhooks
    from decided d left join made m on m.ordinal = d.ordinal`;
  const { rows } = await statement.execute(db);
  return rows;
}

function toResult(row: Row): AcceptResult {
  const message = { id: row.id, createdAt: row.created_at, channelAccountId: row.account_id };
  switch (row.outcome) {
    case 'accepted':
    case 'repeated':
      return { kind: 'accepted', message, repeated: row.outcome === 'repeated' };
    case 'failed':
      return { kind: 'failed', message, errorCode: row.error_code ?? '', error: row.error ?? '' };
    case 'invalid-api-key':
    case 'forbidden':
    case 'trial-expired':
    case 'channel-not-connected':
    case 'channel-account-not-found':
    case 'idempotency-key-reused':
      return { kind: 'refused', code: row.outcome };
  }
}

import type {
  Channel,
  ContactProfile,
  EventKind,
  InboundBody,
  InboundType,
  Lane,
  MessageBody,
  MessageStatus,
  MessageType,
  ReceiptStatus,
  WebhookLane,
} from '@notify/core';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Sealed, Time, TimeOrNull } from './column-types.ts';
import type { GroupTables } from './group-tables.ts';
import type { InboundTables } from './inbound-tables.ts';
import type { OwnershipTables } from './ownership-tables.ts';
import type { TemplateTables } from './template-tables.ts';
import type { UploadTables } from './upload-tables.ts';
import type { VerificationTables } from './verification-tables.ts';
import type { WhatsappTables } from './whatsapp-tables.ts';

export type { LinkStep } from './whatsapp-tables.ts';

export type AccountStatus = 'connected' | 'connecting' | 'disconnected' | 'action-required';

/** A delivery receipt, as it is kept with its message. */
export interface MessageReceipt {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly status: ReceiptStatus;
  readonly part?: number;
  readonly errorCode?: string;
  readonly providerCode?: string;
  readonly text?: string;
}

export interface Database
  extends
    GroupTables,
    InboundTables,
    OwnershipTables,
    TemplateTables,
    UploadTables,
    VerificationTables,
    WhatsappTables {
  tenants: {
    id: Generated<string>;
    name: string;
    email: string;
    email_key: GeneratedAlways<string>;
    password_hash: string;
    plan: Generated<string>;
    trial_ends_at: Time;
    blocked_at: TimeOrNull;
    email_verified_at: TimeOrNull;
    created_at: Time;
  };
  sessions: {
    id: Generated<string>;
    tenant_id: string;
    transport: 'cookie' | 'body' | null;
    user_agent: string | null;
    address: string | null;
    created_at: Time;
    last_used_at: Time;
    expires_at: Time;
    revoked_at: TimeOrNull;
  };
  one_time_links: {
    hash: Buffer;
    tenant_id: string;
    purpose: 'password' | 'email';
    emailed: boolean;
    created_at: Time;
    expires_at: Time;
  };
  refresh_tokens: { hash: Buffer; session_id: string; created_at: Time; replaced_at: TimeOrNull };
  api_keys: {
    id: Generated<string>;
    tenant_id: string;
    name: string;
    hash: Buffer;
    hint: string;
    rate_limit_override: number | null;
    scopes: Generated<string[]>;
    account_ids: string[] | null;
    expires_at: TimeOrNull;
    /** CIDR blocks. */
    allowed_ips: string[] | null;
    replaced_by: string | null;
    created_at: Time;
    last_used_at: TimeOrNull;
    revoked_at: TimeOrNull;
  };
  service_tokens: {
    id: Generated<string>;
    tenant_id: string;
    name: string;
    hash: Buffer;
    hint: string;
    scopes: string[];
    expires_at: TimeOrNull;
    /** CIDR blocks. */
    allowed_ips: string[] | null;
    created_at: Time;
    last_used_at: TimeOrNull;
    revoked_at: TimeOrNull;
  };
  tenant_purges: { tenant_id: string; requested_at: Time };
  channel_accounts: {
    id: string;
    tenant_id: string;
    channel: Channel;
    provider: string;
    name: string;
    is_default: Generated<boolean>;
    status: Generated<AccountStatus>;
    status_detail: string | null;
    /** JSON of `{settings, callbackSecret}`. */
    settings: Sealed;
    lane: Generated<Lane>;
    paused_until: TimeOrNull;
    pause_reason: string | null;
    failures_in_row: Generated<number>;
    /** The operator blocked the tenant, so claims skip the account. */
    blocked: Generated<boolean>;
    /** The most messages per second. Null sets no limit of ours. */
    per_second: number | null;
    /** The time from which one more message may go. */
    paced_until: TimeOrNull;
    deleted_at: TimeOrNull;
    last_connected_at: TimeOrNull;
    created_at: Time;
  };
  webhooks: {
    id: string;
    tenant_id: string;
    url: string;
    events: string[];
    /** Filters: only events of these accounts and channels, and with one of these tags. Null: no filter. */
    account_ids: string[] | null;
    channels: Channel[] | null;
    tags: string[] | null;
    /** The most events in a post, and the longest that they wait for each other. Null: a post for each event. */
    pack_max_events: number | null;
    pack_max_wait_ms: number | null;
    description: string | null;
    secret: Sealed;
    previous_secret: Sealed | null;
    previous_secret_until: TimeOrNull;
    is_active: Generated<boolean>;
    disabled_reason: string | null;
    generation: Generated<number>;
    failure_count: Generated<number>;
    failing_since: TimeOrNull;
    last_triggered_at: TimeOrNull;
    /** When the latest failed attempt began; what came of it is in the two below, either of which may be null. */
    last_failed_at: TimeOrNull;
    last_failed_status: number | null;
    last_failed_error: string | null;
    lane: Generated<WebhookLane>;
    paused_until: TimeOrNull;
    /** The most posts in flight. */
    at_once: Generated<number>;
    /** Failed probes of a failing webhook. */
    probes: Generated<number>;
    /** A replay covers the events after this one … */
    replay_after: string | null;
    /** … up to this one. */
    replay_until: string | null;
    created_at: Time;
  };
  /** Replaced secrets that still sign, except the latest, which is `webhooks.previous_secret`. */
  webhook_older_secrets: {
    id: string;
    webhook_id: string;
    tenant_id: string;
    secret: Sealed;
    until: Time;
  };
  messages: {
    id: string;
    tenant_id: string;
    channel_account_id: string | null;
    channel: Channel;
    recipient: string;
    type: MessageType | InboundType;
    body: ColumnType<MessageBody | InboundBody, string, never>;
    bulk: boolean;
    status: Generated<MessageStatus>;
    external_id: string | null;
    error: string | null;
    error_code: string | null;
    segments: number | null;
    parts: Generated<number>;
    delivered_parts: Generated<number[]>;
    /** Event kinds emitted so far, in order. The length is the last `sequence`. A message that a person wrote has one. */
    emitted: Generated<(EventKind | 'received')[]>;
    possible_duplicate: Generated<boolean>;
    attempts: Generated<number>;
    created_at: Time;
    /** Never goes back: the ids of events take their time from it (`messages/insert-events.ts`). */
    updated_at: Time;
    expires_at: Time;
    /** When its sender wants it to leave. Null: at once. */
    scheduled_at: TimeOrNull;
    /** Sent in quiet hours too. Null: no. */
    urgent: boolean | null;
    /** How long quiet hours have postponed it in all, in ms. Null: never. */
    postponed_ms: number | null;
    sent_at: TimeOrNull;
    delivered_at: TimeOrNull;
    read_at: TimeOrNull;
    /** The sender's W3C `traceparent`, where it gave one. */
    traceparent: string | null;
    failed_at: TimeOrNull;
    /** The first receipts that were applied to it, oldest first. */
    reports: Generated<MessageReceipt[]>;
    /** The failed message that this one is a resend of … */
    resend_of: string | null;
    /** … and the latest resend of this one. */
    resent_as: string | null;
    /** Set on inbound messages only, as are the next three. */
    received_at: TimeOrNull;
    sender: string | null;
    contact: ColumnType<ContactProfile | null, string | null, never>;
    /** What the provider's adapter needs to read the file. */
    file: ColumnType<unknown, string | null, never>;
    /** The message that this one answers. */
    reply_to: string | null;
    /** The group of which it is a route. */
    group_id: string | null;
    /** The API key that sent it. Null if a session or a service token did, or it was accepted before this was stored. */
    api_key_id: string | null;
    /** Of the request that made it. Stays when `idempotency_keys` has forgotten the key. */
    idempotency_key: string | null;
    /** The sender's, on messages that were sent. Null: none. */
    metadata: ColumnType<Readonly<Record<string, string>> | null, string | null, never>;
    tags: string[] | null;
  };
  /** The messages of each tag. */
  message_tags: { tenant_id: string; tag: string; message_id: string };
  attempts: {
    id: Generated<string>;
    message_id: string;
    number: number;
    part: number;
    outcome: string;
    provider_code: string | null;
    text: string | null;
    started_at: Time;
    ended_at: Time;
  };
  processes: {
    id: string;
    name: string;
    version: string;
    host: string;
    pid: number;
    /** `host:port` of its health checks and metrics. */
    health: string | null;
    figures: ColumnType<object, string, string>;
    started_at: Time;
    seen_at: Time;
  };
  samples: {
    only_row: Generated<boolean>;
    taken_by: string;
    taken_at: Time;
    figures: ColumnType<object, string, string>;
  };
  log_levels: {
    id: Generated<string>;
    process: string | null;
    component: string | null;
    level: string;
    until: Time;
    created_at: Time;
  };
  dispatch_due: {
    message_id: string;
    account_id: string;
    tenant_id: string;
    bulk: boolean;
    due_at: Time;
    expires_at: Time;
    claimed_until: TimeOrNull;
    claimed_by: string | null;
    attempt_began_at: TimeOrNull;
    attempts: Generated<number>;
    throttles: Generated<number>;
    resends: Generated<number>;
    /** How far it has come: see `part-progress.ts`. */
    part: Generated<number>;
    awaiting_receipt: Generated<boolean>;
    /** Whether the due time is one that its recipient's pace gave it. */
    has_slot: Generated<boolean>;
    /** When its sender wants it to leave. Null: at once. */
    scheduled_at: TimeOrNull;
    /** The end of the quiet hours that last postponed it. Null: none did. */
    quiet_until: TimeOrNull;
  };
  /** Messages that are due later than soon: see `messages/scheduled.ts`. They move to `dispatch_due`. */
  scheduled_messages: {
    message_id: string;
    account_id: string;
    tenant_id: string;
    bulk: boolean;
    due_at: Time;
    expires_at: Time;
  };
  /** At most one row, as long as nothing may leave. */
  sends_hold: { only_row: Generated<boolean>; held_since: Time; accepted_before: Date; server: string };
  /** When the next message to a recipient may leave. */
  recipient_slots: { account_id: string; recipient: string; next_at: Time };
  suppressions: { account_id: string; recipient: string; created_at: Time };
  receipts: {
    id: GeneratedAlways<string>;
    account_id: string;
    message_id: string | null;
    external_id: string | null;
    part: number | null;
    status: ReceiptStatus;
    error_code: string | null;
    provider_code: string | null;
    text: string | null;
    apply_at: Time;
    received_at: Time;
  };
  idempotency_keys: {
    tenant_id: string;
    key: string;
    request_hash: Buffer;
    message_id: string;
    account_id: string;
    created_at: Time;
  };
  events: {
    id: string;
    tenant_id: string;
    message_id: string | null;
    event: string;
    sequence: number | null;
    /** The JSON that is posted, byte for byte. */
    body: string;
    occurred_at: Time;
    /** The sender's W3C `traceparent` of its message, where it gave one. */
    traceparent: string | null;
    /** Of its message or group. */
    tags: string[] | null;
  };
  delivery_due: {
    id: string;
    webhook_id: string;
    tenant_id: string;
    event_id: string;
    due_at: Time;
    attempts: Generated<number>;
    claimed_until: TimeOrNull;
    claimed_by: string | null;
    created_at: Time;
    /** The pack in which it is posted. Null if it is posted alone, or not packed yet. */
    pack_id: string | null;
    /** Whether it stands for its pack in lists. */
    leads_pack: boolean | null;
  };
  /** The deliveries of each pack, in the order of their ids. */
  delivery_packs: {
    id: string;
    webhook_id: string;
    tenant_id: string;
    delivery_ids: string[];
  };
  deliveries: {
    id: string;
    webhook_id: string;
    tenant_id: string;
    event_id: string;
    state: 'delivered' | 'failed' | 'skipped';
    /** Why it failed. */
    reason: 'attempts-exhausted' | 'expired' | null;
    attempts: number;
    created_at: Time;
    ended_at: Time;
    /** The pack in which it was posted. Null if it was posted alone. */
    pack_id: string | null;
    leads_pack: boolean | null;
  };
  delivery_attempts: {
    id: Generated<string>;
    /** The delivery, or the pack. */
    delivery_id: string;
    webhook_id: string;
    number: number;
    status: number | null;
    error: string | null;
    answer: string | null;
    duration_ms: number;
    began_at: Time;
  };
  /** Figures of a tenant; see `usage/`. */
  usage: {
    tenant_id: string;
    per: 'hour' | 'day';
    starts_at: Time;
    /** Of the account `subject_id` on this channel, or of the webhook `subject_id`. */
    source: Channel | 'webhook';
    subject_id: string;
    measure: string;
    detail: string;
    total: string;
  };
  /** The same of messages, by tag. */
  usage_by_tag: {
    tenant_id: string;
    per: 'hour' | 'day';
    starts_at: Time;
    /** One of `usage_tags`, or `other`. */
    tag: string;
    source: Channel;
    subject_id: string;
    measure: string;
    detail: string;
    total: string;
  };
  /** The tags that have figures on a day (UTC). */
  usage_tags: { tenant_id: string; day: Time; tag: string };
  /** Messages that count as failed. */
  usage_failed: { message_id: string; error_code: string; was_sent: boolean };
  /** How far the events, or the attempts to deliver, are counted. */
  usage_progress: {
    source: 'events' | 'delivery_attempts';
    as_of: TimeOrNull;
    xid: string | null;
    next_as_of: TimeOrNull;
    next_xid: string | null;
    after: Generated<string>;
  };
}

/** The state of a webhook delivery. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'skipped';

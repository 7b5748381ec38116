import type { Channel, ConsentStatus, ContactProfile } from '@notify/core';
import type { ColumnType, Generated } from 'kysely';
import type { Sealed, Time, TimeOrNull } from './column-types.ts';

/** How a change of consent came to be known. `earlier`: before changes were kept. */
export type ConsentSource = 'keyword' | 'provider' | 'api' | 'earlier';

/** Conversations, consent, the list of events, and what reads updates and files from providers. */
export interface InboundTables {
  conversations: {
    id: string;
    tenant_id: string;
    account_id: string;
    channel: Channel;
    /** The address as consent compares it. */
    contact: string;
    /** The address as a send takes it. */
    address: string;
    profile: ColumnType<ContactProfile | null, string | null, string | null>;
    /** The newest message, or an id made when the contact paired. Orders the list. */
    latest_id: string;
    last_inbound_at: TimeOrNull;
    /** The newest message that was marked as read. */
    read_through: string | null;
    created_at: Time;
    /** Messages in both directions since `burst_began_at`, to notice two programs that answer each other. */
    burst_began_at: TimeOrNull;
    burst_in: Generated<number>;
    burst_out: Generated<number>;
    /** Sends to the contact are spread out until then; the next one leaves at `next_send_at`. */
    slow_until: TimeOrNull;
    next_send_at: TimeOrNull;
  };
  conversation_messages: { conversation_id: string; message_id: string; inbound: boolean };
  /** `contact` is the key of the old address, `address` the new one. */
  moved_contacts: {
    account_id: string;
    contact: string;
    address: string;
    moved_at: Time;
    /** Whether a provider told that both are one person. Else the person moved, and somebody else may get the old one. */
    told: Generated<boolean>;
  };
  inbound_seen: { account_id: string; external_id: string; message_id: string; seen_at: Time };
  /** Messages that a number answers, while that may come. */
  numbered_messages: { account_id: string; contact: string; message_id: string; sent_at: Time };
  inbound_pieces: {
    account_id: string;
    reference: string;
    piece: number;
    pieces: number;
    external_id: string;
    message: ColumnType<unknown, string, never>;
    received_at: Time;
  };
  consents: {
    account_id: string;
    /** The key of the recipient. */
    recipient: string;
    /** The address in the spelling in which it came. Null in rows of the version before, whose key it is. */
    address: string | null;
    tenant_id: string;
    status: ConsentStatus;
    source: ConsentSource;
    change_id: string;
    changed_at: Time;
    /** When the person wrote the newest word, as the provider says. */
    said_at: TimeOrNull;
  };
  consent_changes: {
    id: string;
    tenant_id: string;
    account_id: string;
    recipient: string;
    status: ConsentStatus | 'removed';
    source: ConsentSource;
    message_id: string | null;
    changed_at: Time;
    /** What the tenant noted with the change. */
    note: string | null;
  };
  pairings: {
    hash: Buffer;
    tenant_id: string;
    account_id: string;
    reference: string;
    contact: string | null;
    created_at: Time;
    expires_at: Time;
  };
  event_secrets: {
    tenant_id: string;
    secret: Sealed;
    created_at: Time;
  };
  event_epoch: { only: Generated<boolean>; epoch: string };
  update_sources: {
    account_id: string;
    provider: string;
    mode: 'webhook' | 'poll' | 'off' | null;
    url: string | null;
    next_update: string | null;
    due_at: Time;
    holder: string | null;
    leased_until: TimeOrNull;
    detail: string | null;
  };
  file_requests: {
    id: string;
    account_id: string;
    file: ColumnType<unknown, string, never>;
    seen_until: Time;
    holder: string | null;
    held_until: TimeOrNull;
    read_chunks: Generated<number>;
    written_chunks: Generated<number>;
    ended: Generated<boolean>;
    failure: 'expired' | 'unavailable' | null;
    detail: string | null;
  };
  file_chunks: { request_id: string; chunk: number; bytes: Buffer };
}

import type { ChatState } from '@notify/core';
import type { Generated } from 'kysely';
import type { Sealed, Time, TimeOrNull } from './column-types.ts';

/** The step that the linking of a WhatsApp device has reached. */
export type LinkStep = 'idle' | 'display-qr' | 'display-code' | 'connected' | 'failed';

/** Linked devices. */
export interface WhatsappTables {
  whatsapp_links: {
    account_id: string;
    tenant_id: string;
    /** `relink`: unlink, then link again. */
    wanted: 'link' | 'unlink' | 'relink' | null;
    wanted_phone: string | null;
    /** The number of requests to link it. */
    requests: Generated<string>;
    step: Generated<LinkStep>;
    /** The QR or pairing code, sealed with the master key. */
    shown: Sealed | null;
    shown_until: TimeOrNull;
    reason: string | null;
    /** The number it is linked to, by its digits. */
    phone: string | null;
    linked_at: TimeOrNull;
    /** WhatsApp refuses first messages to new contacts until then. */
    restricted_until: TimeOrNull;
    /** Sealed with the master key; seals credentials, keys and sent messages. */
    data_key: Sealed | null;
    /** Sealed with the data key. */
    creds: string | null;
    version: Generated<string>;
    /** No login before this time; `infinity` until the tenant acts. */
    login_after: TimeOrNull;
    /** Consecutive logins that WhatsApp refused and that `login_after` holds. */
    login_refusals: Generated<number>;
    /** How often WhatsApp throttled the account, minus the messages it has accepted since. */
    pushbacks: Generated<number>;
    pushed_back_at: TimeOrNull;
  };
  whatsapp_keys: { account_id: string; type: string; id: string; value: string };
  whatsapp_contacts: {
    account_id: string;
    recipient: string;
    /** Null when the number has no WhatsApp account. */
    jid: string | null;
    checked_at: TimeOrNull;
    /**
     * When the account first wrote to the contact. For an `unproven` contact, when it last took a place as a new one.
     */
    first_sent_at: TimeOrNull;
    /** WhatsApp has not accepted a message to the contact yet, or has refused the last one. */
    unproven: Generated<boolean>;
    /** Consecutive messages that WhatsApp refused because of the contact. */
    refusals: Generated<number>;
    refused_until: TimeOrNull;
    /** WhatsApp named no LID of the contact. The next request for one is after this time. */
    no_lid_until: TimeOrNull;
  };
  whatsapp_sent: {
    account_id: string;
    id: string;
    content: string;
    created_at: Time;
    /** Our message id. WhatsApp's receipts do not carry it. */
    message_id: string | null;
    /** How often each device requested it again. */
    asked_again: Generated<Record<string, number>>;
  };
  /** What devices are to tell people beside messages. */
  tell_requests: {
    id: string;
    account_id: string;
    state: ChatState;
    recipient: string;
    external_ids: string[];
    drop_at: Time;
    holder: string | null;
    /** `delivered`, or why not. */
    result: string | null;
  };
}

import type { Generated } from 'kysely';
import type { Sealed, Time, TimeOrNull } from './column-types.ts';

/** Where the linking of a WhatsApp device stands. */
export type LinkStep = 'idle' | 'display-qr' | 'display-code' | 'connected' | 'failed';

/** Linked devices: who holds them, and all they consist of. */
export interface WhatsappTables {
  whatsapp_partitions: {
    partition: number;
    owner: string | null;
    epoch: Generated<string>;
    leased_until: TimeOrNull;
  };
  /** `partitions`: how many there are, as the process was told. */
  whatsapp_processes: { id: string; seen_until: Time; partitions: Generated<number> };
  whatsapp_links: {
    account_id: string;
    tenant_id: string;
    /** `relink`: to be unlinked, and linked again after that. */
    wanted: 'link' | 'unlink' | 'relink' | null;
    wanted_phone: string | null;
    /** How often it was asked for to be linked. */
    requests: Generated<string>;
    step: Generated<LinkStep>;
    /** The QR or pairing code, sealed with the master key. */
    shown: Sealed | null;
    shown_until: TimeOrNull;
    reason: string | null;
    /** The number it is linked to, by its digits. */
    phone: string | null;
    linked_at: TimeOrNull;
    /** WhatsApp takes no first messages to new contacts until then. */
    restricted_until: TimeOrNull;
    /** Sealed with the master key; seals credentials, keys and sent messages. */
    data_key: Sealed | null;
    /** Sealed with the data key. */
    creds: string | null;
    version: Generated<string>;
    /** No login before then; `infinity` until the tenant has acted. */
    login_after: TimeOrNull;
    /** Logins in a row that WhatsApp refused and that are held by `login_after`. */
    login_refusals: Generated<number>;
    /** How often WhatsApp told the account to slow down, less the messages it has taken since. */
    pushbacks: Generated<number>;
    pushed_back_at: TimeOrNull;
  };
  whatsapp_keys: { account_id: string; type: string; id: string; value: string };
  whatsapp_contacts: {
    account_id: string;
    recipient: string;
    /** Null where there is no such WhatsApp account. */
    jid: string | null;
    checked_at: TimeOrNull;
    /** When the account first wrote to it; when it did so anew, for one that is `unproven`. */
    first_sent_at: TimeOrNull;
    /** WhatsApp has not taken a message to it yet, or has refused the last one. */
    unproven: Generated<boolean>;
    /** Messages in a row that WhatsApp refused because of the contact. */
    refusals: Generated<number>;
    refused_until: TimeOrNull;
    /** WhatsApp named no LID of it; asked again after that. */
    no_lid_until: TimeOrNull;
  };
  whatsapp_sent: {
    account_id: string;
    id: string;
    content: string;
    created_at: Time;
    /** Ours, which receipts do not name. */
    message_id: string | null;
    /** How often each device asked for it again. */
    asked_again: Generated<Record<string, number>>;
  };
}

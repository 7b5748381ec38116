import type { VerificationStatus } from '@notify/core';
import type { ColumnType, Generated } from 'kysely';
import type { Sealed, Time, TimeOrNull } from './column-types.ts';

/** The tables of the room `verifications`. */
export interface VerificationTables {
  /** One-time codes. At most one of a recipient is `pending` for the same accounts. One that has expired may still say so. */
  verifications: {
    id: string;
    tenant_id: string;
    /** The key of the recipient: the digits of a phone number, any other address in lower case. */
    recipient: string;
    /** The recipient as the request named it. */
    shown_recipient: string;
    /** The country code of a phone number, such as `+49`. */
    prefix: string | null;
    /** The accounts of its routes, in order. */
    account_ids: string[];
    /** Its messages. */
    group_id: string;
    status: Generated<VerificationStatus>;
    tries: Generated<number>;
    /** Whether all its accounts are of the sandbox. */
    sandbox: boolean;
    /** Null as soon as no route needs it. */
    sealed_code: Sealed | null;
    /** A keyed hash of the code. Null after its end, as is the salt. */
    code_hash: Buffer | null;
    code_salt: Buffer | null;
    /** The version of the master key that the key of the hash is derived from. */
    key_version: number;
    created_at: Time;
    first_checked_at: TimeOrNull;
    expires_at: Time;
    ended_at: TimeOrNull;
    /** Its messages have the same. */
    metadata: ColumnType<Readonly<Record<string, string>> | null, string | null, never>;
    tags: string[] | null;
  };
  /** Rules for a country prefix. Those of the prefix '' hold for every other one. */
  verification_limits: {
    tenant_id: string;
    prefix: string;
    starts_per_hour: number | null;
    guarded: Generated<boolean>;
    held_until: TimeOrNull;
    /** Holds in a row, each within a day of the one before. */
    holds: Generated<number>;
    /** Older verifications do not count for the next hold. */
    judged_from: TimeOrNull;
  };
  /** Figures by hour. The prefix '' is for recipients without one. */
  verification_counts: {
    tenant_id: string;
    prefix: string;
    hour: Time;
    starts: Generated<number>;
    /** Those of the sandbox among them. */
    sandbox_starts: Generated<number>;
    /** Verifications of this hour that were checked at least once. */
    checked: Generated<number>;
    checks: Generated<number>;
    approved: Generated<number>;
    failed: Generated<number>;
    refused: Generated<number>;
  };
}

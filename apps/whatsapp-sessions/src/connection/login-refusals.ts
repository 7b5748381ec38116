import type { Random } from '@notify/core';
import type { LoginHold } from '@notify/db/whatsapp';
import type { BinaryNode } from '@whiskeysockets/baileys';

/** A temporary ban, as WhatsApp announces it when it refuses a login (402). */
export interface Ban {
  /** The reason, 101 to 106; null if WhatsApp does not say. */
  readonly reason: string | null;
  /** In seconds; null if WhatsApp does not say. */
  readonly expire: number | null;
}

/** The facts that decide how long a refused login is held. */
export interface Refusal {
  readonly code: number;
  readonly ban: Ban | null;
  /** Refused logins in a row, this one included. */
  readonly count: number;
  readonly now: Date;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const longestMs = 24 * hourMs;
/**
 * WhatsApp sends `expire` in two forms. A value below this is the length of the ban; a value above is the time of its
 * end.
 */
const epochFrom = 1_000_000_000;

/** whatsmeow, `types/events`: `TempBanReason`. */
const banReasons: Readonly<Record<string, string>> = {
  101: 'it sent too many messages to people who do not have it in their address books',
  102: 'too many people blocked it',
  103: 'it made too many groups with people who do not have it in their address books',
  104: 'it sent the same message to too many people',
  106: 'it sent too many messages to broadcast lists',
};

/** Reads the ban from a `<failure>`; null for every other stanza. */
export function banOf({ tag, attrs }: BinaryNode): Ban | null {
  if (tag !== 'failure' || attrs['reason'] !== '402') return null;
  const expire = Number(attrs['expire'] ?? Number.NaN);
  return { reason: attrs['code'] ?? null, expire: Number.isFinite(expire) ? expire : null };
}

/**
 * How long a device must not log in after WhatsApp has refused it. Codes: whatsmeow's `ConnectFailureReason`. After an
 * unknown code it waits a minute, then two, four … up to a day.
 */
export function holdAfter(refusal: Refusal, random: Random): LoginHold {
  switch (refusal.code) {
    case 402:
      return banned(refusal, random);
    case 403:
    case 419:
      return asked(
        'WhatsApp has blocked this account. See the phone for details, then unlink this account and link it again.',
      );
    case 406:
      return asked(
        'WhatsApp has banned this number (406). Open WhatsApp on the phone for the reason and to request a review. Then unlink this account and link it again.',
      );
    case 409:
      return asked(
        'WhatsApp rejects the client version of this linked device (409). Unlink this account and link it again. If that does not help, the operator has to set WHATSAPP_WEB_VERSION.',
      );
    case 411:
      return asked(
        'WhatsApp on the phone is too old for linked devices. Update it, then unlink this account and link it again.',
      );
    case 500: {
      const afterMs = growing(hourMs, refusal.count, random);
      const detail = `WhatsApp rejects the session of this device. Unlink this account and link it again, or wait for the next try at ${later(refusal.now, afterMs)}.`;
      return { ends: { afterMs, until: null }, state: { status: 'action-required', detail } };
    }
    default: {
      const afterMs = growing(minuteMs, refusal.count, random);
      const detail = `WhatsApp rejects the login of this device (${refusal.code}). Next try at ${later(refusal.now, afterMs)}.`;
      return { ends: { afterMs, until: null }, state: { status: 'disconnected', detail } };
    }
  }
}

/** A ban lasts until the end that WhatsApp names. If WhatsApp names none, or repeats the ban, the wait grows. */
function banned({ ban, count, now }: Refusal, random: Random): LoginHold {
  const end = endOf(ban?.expire ?? null, now);
  const leastMs =
    end === null ? growing(hourMs, count, random) : count === 1 ? 0 : growing(minuteMs, count, random);
  const saidMs = end === null || end.isTime ? 0 : end.at.getTime() - now.getTime();
  const until = end?.isTime === true ? end.at : null;
  const afterMs = Math.max(leastMs, saidMs);
  const shown = new Date(Math.max(until?.getTime() ?? 0, now.getTime() + afterMs)).toISOString();
  const reason = banReasons[ban?.reason ?? ''];
  const why = reason === undefined ? '' : `: ${reason}`;
  return {
    ends: { afterMs, until },
    state: {
      status: 'disconnected',
      detail: `WhatsApp has banned this number until ${shown}${why}. It reconnects after that.`,
    },
  };
}

/** Null if WhatsApp named no end, or one that has passed. A duration counts from `now`. */
function endOf(expire: number | null, now: Date): { readonly at: Date; readonly isTime: boolean } | null {
  if (expire === null) return null;
  const isTime = expire >= epochFrom;
  const at = new Date(isTime ? expire * 1_000 : now.getTime() + expire * 1_000);
  return at.getTime() > now.getTime() ? { at, isTime } : null;
}

function asked(detail: string): LoginHold {
  return { ends: 'asked', state: { status: 'action-required', detail } };
}

/** Twice as long each time, up to a day, plus up to a fifth at random. */
function growing(firstMs: number, count: number, random: Random): number {
  return Math.round(Math.min(longestMs, firstMs * 2 ** Math.min(20, count - 1)) * (1 + random() / 5));
}

function later(now: Date, afterMs: number): string {
  return new Date(now.getTime() + afterMs).toISOString();
}

import type { Random } from '@notify/core';
import type { ConnectionState } from '@notify/db/ownership';
import type { LoginHold } from '@notify/db/whatsapp';
import { type Ban, holdAfter } from './login-refusals.ts';

/** Why a connection closed: a code of WhatsApp or Baileys, or a cause we found ourselves. */
export type CloseCode = number | 'frozen' | 'no-ack';

/** The codes that a label names. Any other is `other`. */
const knownCodes = [400, 401, 402, 403, 405, 406, 408, 409, 411, 419, 428, 440, 500, 503, 515];
const labelled: ReadonlySet<CloseCode> = new Set<CloseCode>([...knownCodes, 'frozen', 'no-ack']);

/** The close code as a label of a metric. */
export function closeLabel(code: CloseCode): string {
  return labelled.has(code) ? String(code) : 'other';
}

/** The end of a connection. */
export interface Closed {
  readonly code: CloseCode;
  /** The ban that a refused login announced. */
  readonly ban: Ban | null;
  /** WhatsApp had accepted the login. */
  readonly wasOpen: boolean;
}

/** The history of connections before this end. */
export interface Before {
  /** Connections in a row, this one included, that closed before they were open. */
  readonly failures: number;
  /**
   * Connections in a row, this one included, that were open only briefly. Connections that never opened do not end the
   * row.
   */
  readonly flaps: number;
  /** Refused logins in a row that led to a hold, without this one. */
  readonly refusals: number;
  readonly now: Date;
}

/** The next step after the end of a connection. */
export type AfterClose =
  /** Connect again. `state` is shown to the tenant meanwhile; null for a close that is part of the procedure. */
  | { readonly kind: 'reconnect'; readonly afterMs: number; readonly state: ConnectionState | null }
  /** The device is no longer linked, so its credentials are worthless. */
  | { readonly kind: 'forget'; readonly detail: string }
  /** The credentials are kept. No process logs in with them for now. */
  | { readonly kind: 'hold'; readonly hold: LoginHold };

const restartRequired = 515;
const operatorWaitMs = 600_000;
const conflictWaitMs = 60_000;
const badSessionTries = 5;
/** How often an open connection may end with an unknown code before its logins are held. */
const unknownTries = 3;

const versionRetired =
  'WhatsApp no longer accepts this version. The operator has to set WHATSAPP_WEB_VERSION.';
const wrongCertificate =
  'The server is not WhatsApp: its certificate is invalid. The operator has to check the connection.';

/** Decides by the code. The codes are Baileys' `DisconnectReason` and `<failure reason>` of WhatsApp's login. */
export function afterClose(closed: Closed, before: Before, random: Random): AfterClose {
  const { code } = closed;
  const { failures, flaps } = before;
  const tries = failures + flaps;
  switch (code) {
    case restartRequired:
      // A second one in a row is not part of the procedure.
      return tries > 1 ? again(tries - 1, random) : { kind: 'reconnect', afterMs: 0, state: null };
    case 401:
      return {
        kind: 'forget',
        detail: 'The phone or WhatsApp removed this linked device. Link it again.',
      };
    case 440:
      return told(
        conflictWaitMs,
        'Another program connected with the keys of this linked device. Reconnecting in a minute.',
      );
    case 405:
      return told(operatorWaitMs, versionRetired);
    case 400:
      return told(operatorWaitMs, wrongCertificate);
    case 408:
    case 428:
    case 503:
    case 'frozen':
    case 'no-ack':
      return again(tries, random);
    case 500:
      return Math.max(failures, flaps) < badSessionTries && before.refusals === 0
        ? again(tries, random)
        : held(code, closed, before, random);
    case 402:
    case 403:
    case 406:
    case 409:
    case 411:
    case 419:
      return held(code, closed, before, random);
    default:
      return closed.wasOpen && flaps < unknownTries
        ? again(tries, random)
        : held(code, closed, before, random);
  }
}

function held(code: number, { ban }: Closed, { flaps, refusals, now }: Before, random: Random): AfterClose {
  const count = Math.max(refusals, flaps - unknownTries) + 1;
  return { kind: 'hold', hold: holdAfter({ code, ban, count, now }, random) };
}

function told(afterMs: number, detail: string): AfterClose {
  return { kind: 'reconnect', afterMs, state: { status: 'disconnected', detail } };
}

/** Waits 1 s, 2 s, 4 s … up to a minute, shortened at random by up to half. */
function again(tries: number, random: Random): AfterClose {
  const longestMs = Math.min(60_000, 1_000 * 2 ** Math.max(0, tries - 1));
  const afterMs = Math.round(longestMs * (1 - random() / 2));
  const state: ConnectionState =
    tries < 3
      ? { status: 'connecting', detail: 'The connection to WhatsApp was lost. Reconnecting.' }
      : { status: 'disconnected', detail: 'Cannot reach WhatsApp. Retrying every minute.' };
  return { kind: 'reconnect', afterMs, state };
}

/**
 * Tells the tenant why linking ended before a phone accepted it. Baileys says 408 in two cases: nobody used the code,
 * or the code never reached anybody. `wasReached` is whether there was a code to show.
 */
export function linkingFailure(code: CloseCode, wasReached: boolean): string {
  switch (code) {
    case 408:
      return wasReached
        ? 'The code was not scanned or entered in time. Try again.'
        : 'Cannot reach WhatsApp. Try again later.';
    case 405:
      return versionRetired;
    case 400:
      return wrongCertificate;
    case 402:
      return 'WhatsApp has banned this number temporarily. See the phone for details, and try again when the ban has ended.';
    case 406:
      return 'WhatsApp has banned this number. See the phone for details.';
    case 409:
      return 'WhatsApp rejects the client version of this linked device. The operator has to set WHATSAPP_WEB_VERSION.';
    case 428:
    case 500:
    case 503:
    case 515:
    case 'frozen':
    case 'no-ack':
      return 'The connection to WhatsApp was lost. Try again.';
    case 401:
    case 403:
      return 'WhatsApp rejected linking this phone.';
    default:
      return `WhatsApp rejected linking this phone (${code}). Try again later.`;
  }
}

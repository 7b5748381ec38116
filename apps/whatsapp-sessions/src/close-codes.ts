import type { Random } from '@notify/core';
import type { DeviceState } from '@notify/db';

/** Why a connection closed: WhatsApp's or Baileys' code, or what we noticed ourselves. */
export type CloseCode = number | 'frozen' | 'no-ack';

/** What follows from the end of a connection. */
export type AfterClose =
  /** Connect again; `state` is what the tenant is told meanwhile, null for a close that is part of the procedure. */
  | { readonly kind: 'reconnect'; readonly afterMs: number; readonly state: DeviceState | null }
  /** The device is linked no more: its credentials are worth nothing. */
  | { readonly kind: 'forget'; readonly detail: string }
  /** Connecting again would help nobody; the credentials are kept. */
  | { readonly kind: 'stop'; readonly detail: string };

const restartRequired = 515;
const operatorWaitMs = 600_000;
const conflictWaitMs = 60_000;
const badSessionTries = 5;

/**
 * Decides by the code. `failures` counts the connections in a row, this one included, that closed before they were open.
 * Codes: Baileys' `DisconnectReason`, and `<failure reason>` of WhatsApp's login.
 */
export function afterClose(code: CloseCode, failures: number, random: Random): AfterClose {
  switch (code) {
    case restartRequired:
      return { kind: 'reconnect', afterMs: 0, state: null };
    case 401:
      return {
        kind: 'forget',
        detail: 'The phone removed this linked device, or WhatsApp did. Link it again.',
      };
    case 403:
    case 419:
      return {
        kind: 'stop',
        detail:
          'WhatsApp has blocked this account. See what the phone says; then unlink this account and link it again.',
      };
    case 411:
      return {
        kind: 'stop',
        detail:
          'WhatsApp on the phone is too old for linked devices. Update it, unlink this account, link it again.',
      };
    case 440:
      return told(
        conflictWaitMs,
        'Another program connected with the keys of this linked device. It is tried again in a minute.',
      );
    case 405:
      return told(
        operatorWaitMs,
        'WhatsApp takes this version no more. The operator has to set WHATSAPP_WEB_VERSION.',
      );
    case 400:
      return told(
        operatorWaitMs,
        'What answers is not WhatsApp: its certificate is wrong. The operator has to look.',
      );
    case 500:
      return failures < badSessionTries
        ? again(failures, random)
        : {
            kind: 'stop',
            detail: 'WhatsApp refuses the session of this device. Unlink this account and link it again.',
          };
    case 'frozen':
    case 'no-ack':
    default:
      return again(failures, random);
  }
}

function told(afterMs: number, detail: string): AfterClose {
  return { kind: 'reconnect', afterMs, state: { status: 'disconnected', detail } };
}

/** After 1 s, 2 s, 4 s … up to a minute, of which a random half may be spared. */
function again(failures: number, random: Random): AfterClose {
  const longestMs = Math.min(60_000, 1_000 * 2 ** Math.max(0, failures - 1));
  const afterMs = Math.round(longestMs * (1 - random() / 2));
  const state: DeviceState =
    failures < 3
      ? { status: 'connecting', detail: 'The connection to WhatsApp was lost; it is being made again.' }
      : { status: 'disconnected', detail: 'WhatsApp cannot be reached. It is tried again every minute.' };
  return { kind: 'reconnect', afterMs, state };
}

/**
 * Why an attempt to link ended before a phone took it, in words for the tenant. Baileys says 408 both when nobody took
 * what was shown and when it reached nobody: `wasReached` is whether there was anything to show.
 */
export function linkingFailure(code: CloseCode, wasReached: boolean): string {
  switch (code) {
    case 408:
      return wasReached
        ? 'Nobody scanned the code, or typed it, in time. Begin again.'
        : 'WhatsApp cannot be reached. Begin again later.';
    case 405:
      return 'WhatsApp takes this version no more. The operator has to set WHATSAPP_WEB_VERSION.';
    case 400:
      return 'What answers is not WhatsApp: its certificate is wrong. The operator has to look.';
    case 401:
    case 403:
      return 'WhatsApp refused to link this phone.';
    case 'frozen':
    case 'no-ack':
    default:
      return 'The connection to WhatsApp was lost. Begin again.';
  }
}

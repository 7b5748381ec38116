import type { Outcome } from '@notify/core';

/** The server's answer to a message: its error, or null when the server accepted the message. */
export interface Ack {
  readonly error: string | null;
}

/** The meaning of a server error for a message. */
type ErrorClass =
  /** The server accepts no first message from this account, or to this contact. Each further try makes that worse. */
  | 'restricted'
  /** The server is too busy, for this account or in general. The message itself is fine. */
  | 'slow-down'
  | 'outage'
  /** The server will never accept this stanza. */
  | 'malformed'
  /** The server may accept the message after a fresh look at the recipient's devices. */
  | 'stale-devices'
  | 'unknown';

const unsentRetryMs = 5_000;
/** The first waits, in ms. Each further wait in a row is twice as long. */
const slowDownMs = 60_000;
const outageMs = 5_000;
const unknownTries = 5;

/** WhatsApp accepts no first message from this account now: it is restricted, or has no token for the contact. */
export const accountRestricted = '463';

/**
 * 400, 406, 413 and 415 as in HTTP. With 487 to 495, 550 and 551 clients refuse a stanza they cannot read
 * (`NACK_REASONS` of Baileys 7.0.0-rc14); the server may pass such a code on.
 */
const malformed = ['400', '406', '413', '415', '487', '488', '489', '490', '491', '493', '495', '550', '551'];

function classOf(code: string): ErrorClass {
  if (code === accountRestricted) return 'restricted';
  if (code === '429') return 'slow-down';
  if (code === '479') return 'stale-devices';
  if (malformed.includes(code)) return 'malformed';
  return /^5\d\d$/.test(code) ? 'outage' : 'unknown';
}

/** The outcome of a message, by the server's answer. */
export function outcomeOfAck({ error }: Ack, externalId: string, attempt: number): Outcome {
  if (error === null) return { kind: 'accepted', externalId };
  const text = `WhatsApp rejected the message (${error}).`;
  const rejected = { kind: 'rejected', errorCode: 'provider-rejected', text, providerCode: error } as const;
  const retry = { kind: 'retry', errorCode: 'provider-error', text, providerCode: error } as const;
  switch (classOf(error)) {
    case 'restricted':
      return {
        kind: 'rejected',
        errorCode: 'account-restricted',
        text: 'WhatsApp currently blocks messages from this account to new contacts.',
        providerCode: error,
      };
    case 'slow-down':
      return slowedDown(error);
    case 'outage':
      return outage(error);
    case 'malformed':
      return rejected;
    case 'stale-devices':
      return attempt <= 1 ? { ...retry, afterMs: unsentRetryMs } : rejected;
    case 'unknown':
      return attempt < unknownTries ? { ...retry, afterMs: unsentRetryMs * 2 ** attempt } : rejected;
  }
}

/** The outcome of a message if the server refused a query for it, such as for the recipient's devices. */
export function outcomeOfQuery(code: number, attempt: number): Outcome {
  const error = String(code);
  const kind = classOf(error);
  if (kind === 'slow-down') return slowedDown(error);
  if (kind === 'outage') return outage(error);
  const text = `WhatsApp rejected a query about the recipient (${error}).`;
  return attempt < unknownTries
    ? { kind: 'retry', errorCode: 'provider-error', text, providerCode: error }
    : { kind: 'rejected', errorCode: 'provider-rejected', text, providerCode: error };
}

/** The code in the error that Baileys throws when the server refuses a query; null for every other error. */
export function queryErrorOf(error: unknown): number | null {
  const { data } = (error ?? {}) as { readonly data?: unknown };
  return typeof data === 'number' && Number.isFinite(data) ? data : null;
}

function slowedDown(code: string): Outcome {
  const text = `WhatsApp told this account to slow down (${code}).`;
  return { kind: 'throttled', afterMs: slowDownMs, scope: 'account', text };
}

function outage(code: string): Outcome {
  const text = `WhatsApp currently accepts no messages (${code}).`;
  return { kind: 'throttled', afterMs: outageMs, scope: 'account', text };
}

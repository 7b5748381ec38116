import type { Outcome } from '@notify/core';

/** The server's answer to a message: its error, or null when it took the message. */
export interface Ack {
  readonly error: string | null;
}

const unsentRetryMs = 5_000;

/** WhatsApp takes no first message from this account now: restricted, or it has no token for the contact. */
export const accountRestricted = '463';

/** What an answer of the server means. A 463 is never tried again: each try makes the restriction worse. */
export function outcomeOfAck({ error }: Ack, externalId: string, attempt: number): Outcome {
  if (error === null) return { kind: 'accepted', externalId };
  if (error === accountRestricted)
    return {
      kind: 'rejected',
      errorCode: 'account-restricted',
      text: 'WhatsApp takes no messages from this account to new contacts for now.',
      providerCode: error,
    };
  const text = `WhatsApp refused the message (${error}).`;
  // 479 and its like are often a device list that has changed; the second try asks for it anew.
  if (attempt <= 1)
    return {
      kind: 'retry',
      errorCode: 'provider-error',
      text,
      providerCode: error,
      afterMs: unsentRetryMs,
    };
  return { kind: 'rejected', errorCode: 'provider-rejected', text, providerCode: error };
}

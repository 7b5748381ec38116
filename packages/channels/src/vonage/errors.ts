import type { ProviderErrorCode } from '../error-codes.ts';

/** The meaning of a problem: a broken account, throttling, a retry, or a refusal with our error code. */
export type Meaning =
  | { readonly kind: 'account' | 'throttled' | 'retry' }
  | { readonly kind: 'rejected'; readonly errorCode: ProviderErrorCode };

const account: Meaning = { kind: 'account' };
const throttled: Meaning = { kind: 'throttled' };
const retry: Meaning = { kind: 'retry' };

function rejected(errorCode: ProviderErrorCode): Meaning {
  return { kind: 'rejected', errorCode };
}

/**
 * Problems, by the fragment of their `type` (developer.vonage.com/en/api-errors and …/api-errors/messages), that say
 * more than their HTTP status. An unlisted problem is judged by its HTTP status and stored as received.
 */
export const problems: ReadonlyMap<string, Meaning> = new Map([
  ['low-balance', account],
  ['unauthorized', account],
  ['forbidden', account],
  ['unprovisioned', account],
  ['account-suspended', account],
  ['jwt-expired', account],
  ['jwt-revoked', account],
  ['invalid-api-key', account],
  ['invalid-signature', account],
  ['throttled', throttled],
  ['rate-limit', throttled],
  ['1000', throttled],
  ['1030', retry], // internal error
  ['1040', rejected('recipient-rejected')], // unroutable prefix
  ['1050', rejected('recipient-rejected')], // number barred
  ['1060', account], // account barred
  ['1070', account], // no credit
  ['1080', account], // not enabled for this API
  ['1090', rejected('content-rejected')], // too long
  ['1100', retry], // communication failed
  ['1120', rejected('sender-rejected')],
  ['1140', account], // facility not allowed
  ['1160', rejected('recipient-rejected')], // trial accounts: number not on the list
  ['1170', rejected('recipient-rejected')], // not a number
]);

/** The meaning of the error in a receipt. Any other error means `undelivered`. */
export const receiptErrors: ReadonlyMap<string, ProviderErrorCode> = new Map([
  ['1040', 'recipient-rejected'],
  ['1050', 'recipient-rejected'],
  ['1090', 'content-rejected'],
  ['1120', 'sender-rejected'],
  ['1160', 'recipient-rejected'],
  ['1170', 'recipient-rejected'],
  ['1180', 'recipient-unreachable'], // absent for now
  ['1190', 'recipient-rejected'], // absent for good
  ['1240', 'recipient-opted-out'], // the user has sent STOP
]);

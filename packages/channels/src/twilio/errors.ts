import type { ProviderErrorCode } from '../error-codes.ts';

/** The meaning of an API error: a broken account, a broken sender, throttling, or a refusal with our error code. */
export type Meaning =
  | { readonly kind: 'account' }
  /** The sender cannot be used: the account does not work, unless only some numbers get messages from that sender. */
  | { readonly kind: 'sender' }
  | { readonly kind: 'throttled'; readonly afterMs?: number }
  | { readonly kind: 'rejected'; readonly errorCode: ProviderErrorCode };

const account: Meaning = { kind: 'account' };
const sender: Meaning = { kind: 'sender' };
const throttled: Meaning = { kind: 'throttled' };
const tenMinutesMs = 600_000;

function rejected(errorCode: ProviderErrorCode): Meaning {
  return { kind: 'rejected', errorCode };
}

/**
 * Codes of the API (twilio.com/docs/api/errors) that say more than their HTTP status. Twilio splits codes into new ones
 * now and then, so an unlisted code is judged by its HTTP status and stored as received.
 */
export const apiErrors: ReadonlyMap<number, Meaning> = new Map([
  [10001, account], // account not active
  [14107, throttled], // sending rate of the account
  [20003, account], // wrong credentials
  [20005, account], // account not active
  [20006, account], // access denied
  [20008, account], // test credentials
  [20404, account], // no such account
  [20429, throttled], // too many requests; never processed
  [21211, rejected('recipient-rejected')], // invalid number
  [21212, sender], // invalid sender
  [21214, rejected('recipient-rejected')], // cannot be reached
  [21217, rejected('recipient-rejected')], // looks invalid
  [21408, rejected('recipient-rejected')], // region not enabled
  [21602, rejected('content-rejected')], // no body
  [21603, account], // no sender
  [21605, rejected('content-rejected')], // too long
  [21606, sender], // not a sender of this account
  [21608, rejected('recipient-rejected')], // trial accounts: number not verified
  [21609, account], // the receipt address is not a URL it can use
  [21610, rejected('recipient-opted-out')],
  [21611, { kind: 'throttled', afterMs: tenMinutesMs }], // the sender's queue is full
  [21612, rejected('recipient-rejected')], // no route from this sender
  [21614, rejected('recipient-rejected')], // not a mobile number
  [21617, rejected('content-rejected')], // longer than 1600 characters
  [21619, rejected('content-rejected')], // no body
  [21635, rejected('recipient-rejected')], // a landline
  [21655, rejected('template-not-found')], // no content with this SID in the account
  [21656, rejected('template-parameters-invalid')], // empty, or with line breaks, tabs or runs of spaces
  [21658, rejected('template-parameters-invalid')], // longer than 1600 characters
  [21659, sender], // not a Twilio number
  [21660, sender], // sender of another account
  [21661, sender], // sender without SMS
  [21704, account], // Messaging Service without senders
  [21705, account], // no such Messaging Service
  [21711, sender], // not a sender of the Messaging Service
  [30002, account], // account suspended
]);

/** Codes in receipts with status `failed` or `undelivered`. Any other code means `undelivered`. */
export const receiptErrors: ReadonlyMap<number, ProviderErrorCode> = new Map([
  [21610, 'recipient-opted-out'],
  [30002, 'sender-rejected'], // account suspended
  [30003, 'recipient-unreachable'], // switched off or out of range
  [30004, 'recipient-rejected'], // blocked
  [30005, 'recipient-rejected'], // unknown handset
  [30006, 'recipient-rejected'], // landline, or a carrier that cannot be reached
  [30007, 'content-rejected'], // filtered
  [30032, 'sender-rejected'], // toll-free number not verified
  [30034, 'sender-rejected'], // number not registered (US A2P 10DLC)
  [63005, 'content-rejected'], // a type of content that the channel does not take
  [63016, 'outside-24h-window'],
  [63028, 'template-parameters-invalid'], // another number of variables
  [63049, 'marketing-limited'],
]);

import type { ProviderErrorCode } from '../error-codes.ts';

/** The meaning of a Meta error for a message. */
export type Meaning =
  | { readonly kind: 'rejected'; readonly errorCode: ProviderErrorCode }
  /** Meta could not take the file: retried once, then refused. */
  | { readonly kind: 'media' }
  | { readonly kind: 'throttled'; readonly scope: 'account' | 'recipient' }
  | { readonly kind: 'retry' | 'connection-broken' };

const rejected = (errorCode: ProviderErrorCode): Meaning => ({ kind: 'rejected', errorCode });
const broken: Meaning = { kind: 'connection-broken' };
const retry: Meaning = { kind: 'retry' };
const throttled: Meaning = { kind: 'throttled', scope: 'account' };

/**
 * By `error.code`. Meta advises to use it rather than HTTP status, title or subcode
 * (developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes).
 */
const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>(
  Object.entries({
    '0': broken, // the token cannot be used to authenticate
    '1': retry, // unknown error
    '2': retry, // service down or overloaded
    '3': broken, // capability or permission
    '4': throttled, // calls of the app
    '10': broken, // permission not granted, or taken away
    '33': broken, // the number has been deleted
    '100': rejected('provider-rejected'), // invalid parameter
    '190': broken, // token expired
    '368': broken, // restricted for violating a policy
    '80007': throttled, // calls of the business account
    '130429': throttled, // messages of the number
    '130472': rejected('recipient-rejected'), // the recipient is part of an experiment
    '131000': retry, // something went wrong
    '131008': rejected('provider-rejected'), // a parameter is missing
    '131009': rejected('provider-rejected'), // the value of a parameter is not valid
    '131016': retry, // service unavailable
    '131021': rejected('recipient-rejected'), // recipient and sender are the same
    '131026': rejected('recipient-unreachable'), // not on WhatsApp, or an old app
    '131030': rejected('recipient-rejected'), // a test number may write to its own list only
    '131031': broken, // account locked
    '131042': broken, // payment
    '131045': broken, // certificate or registration of the number
    '131047': rejected('outside-24h-window'),
    '131048': broken, // restricted for spam
    '131049': rejected('recipient-rejected'), // more marketing than Meta wants the recipient to have
    '131050': rejected('recipient-rejected'), // the recipient wants no marketing from this sender
    '131051': rejected('content-rejected'), // message type not supported
    '131052': { kind: 'media' }, // could not fetch it
    '131053': { kind: 'media' }, // could not take it in
    '131056': { kind: 'throttled', scope: 'recipient' },
    '131057': retry, // account in maintenance
    '133004': retry, // server unavailable
    '133010': broken, // number not registered
  }),
);

/** The meaning of a code; null if the HTTP status decides. */
export function meaningOf(code: string): Meaning | null {
  if (/^2\d\d$/.test(code)) return broken; // permission
  if (/^132\d\d\d$/.test(code)) return rejected('content-rejected'); // template
  return meanings.get(code) ?? null;
}

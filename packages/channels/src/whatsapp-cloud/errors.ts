import type { ProviderErrorCode } from '../error-codes.ts';

/** The meaning of a Meta error for a message. */
export type Meaning =
  | { readonly kind: 'rejected'; readonly errorCode: ProviderErrorCode; readonly advice?: string }
  /** Meta could not take the file: retried once, then refused. */
  | { readonly kind: 'media' }
  | { readonly kind: 'throttled'; readonly scope: 'account' | 'recipient' }
  | { readonly kind: 'retry' | 'connection-broken' };

const rejected = (errorCode: ProviderErrorCode, advice?: string): Meaning => ({
  kind: 'rejected',
  errorCode,
  ...(advice === undefined ? {} : { advice }),
});
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
    '131047': rejected('outside-24h-window', 'Send a template instead.'),
    '131048': broken, // restricted for spam
    '131049': rejected(
      'marketing-limited',
      'Meta limits the marketing messages that a person gets. Do not repeat it soon.',
    ),
    '131050': rejected('recipient-rejected'), // the recipient wants no marketing from this sender
    '131051': rejected('content-rejected'), // message type not supported
    '131052': { kind: 'media' }, // could not fetch it
    '131053': { kind: 'media' }, // could not take it in
    '131056': { kind: 'throttled', scope: 'recipient' },
    '131057': retry, // account in maintenance
    '132000': rejected('template-parameters-invalid'), // another number of parameters
    '132001': rejected('template-not-found'), // no such name and language, or not approved
    '132005': rejected('template-parameters-invalid'), // too long once filled
    '132007': rejected('content-rejected'), // the template violates a policy
    '132012': rejected('template-parameters-invalid'), // another kind of parameter
    '132015': rejected('template-paused'),
    '132016': rejected('template-disabled'),
    '132018': rejected('template-parameters-invalid'), // line breaks, tabs, or more than four spaces in a row
    '133004': retry, // server unavailable
    '133010': broken, // number not registered
  }),
);

/** Meta's words, and our advice on this error if there is any. */
export function advised(text: string, meaning: Meaning | null): string {
  const advice = meaning?.kind === 'rejected' ? meaning.advice : undefined;
  return advice === undefined ? text : `${text}${/[.!?]$/.test(text) ? '' : '.'} ${advice}`;
}

/** The meaning of a code; null if the HTTP status decides. */
export function meaningOf(code: string): Meaning | null {
  if (/^2\d\d$/.test(code)) return broken; // permission
  const known = meanings.get(code);
  if (known !== undefined) return known;
  return /^132\d\d\d$/.test(code) ? rejected('content-rejected') : null; // template
}

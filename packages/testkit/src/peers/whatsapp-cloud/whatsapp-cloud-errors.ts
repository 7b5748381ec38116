/**
 * Meta's errors: `[HTTP status, title]` by code. The statuses are Meta's own but unreliable, so callers go by the code.
 */
export const cloudErrors: Readonly<Record<number, readonly [status: number, title: string]>> = {
  0: [401, 'AuthException'],
  1: [400, 'API Unknown'],
  2: [503, 'API Service'],
  3: [500, 'API Method'],
  4: [400, 'Application request limit reached'],
  10: [403, 'Permission Denied'],
  33: [400, 'Parameter value is not valid'],
  100: [400, 'Invalid parameter'],
  190: [401, 'Access token has expired'],
  200: [403, 'API Permission'],
  299: [403, 'API Permission'],
  368: [403, 'Temporarily blocked for policies violations'],
  80007: [400, 'Rate limit issues'],
  130429: [400, 'Rate limit hit'],
  130472: [400, "User's number is part of an experiment"],
  131000: [500, 'Something went wrong'],
  131008: [400, 'Required parameter is missing'],
  131009: [400, 'Parameter value is not valid'],
  131016: [500, 'Service unavailable'],
  131021: [400, 'Recipient cannot be sender'],
  131026: [400, 'Message undeliverable'],
  131031: [403, 'Account has been locked'],
  131042: [400, 'Business eligibility payment issue'],
  131045: [500, 'Incorrect certificate'],
  131047: [400, 'Re-engagement message'],
  131048: [400, 'Spam rate limit hit'],
  131049: [400, 'This message was not delivered to maintain healthy ecosystem engagement'],
  131051: [400, 'Unsupported message type'],
  131052: [400, 'Media download error'],
  131053: [400, 'Media upload error'],
  131056: [400, '(Business Account, Consumer Account) pair rate limit hit'],
  132000: [400, 'Number of parameters does not match the expected number of params'],
  132001: [404, 'Template name does not exist in the translation'],
  132005: [400, 'Translated text too long'],
  132007: [400, 'Template format character policy violated'],
  132012: [400, 'Parameter format does not match format in the created template'],
  132015: [400, 'Template is paused'],
  132016: [400, 'Template is disabled'],
  132018: [400, 'There is an issue with the parameters in your template'],
  133004: [500, 'Server Temporarily Unavailable'],
  133010: [400, 'Phone number not registered'],
};

/** A refusal by Meta. `details` says more; `subcode` is set only if Meta still gives one. */
export class CloudError extends Error {
  readonly code: number;
  readonly details: string;
  readonly subcode: number | undefined;

  constructor(code: number, details = 'As the peer was told.', subcode?: number) {
    super(titleOf(code));
    this.code = code;
    this.details = details;
    this.subcode = subcode;
  }

  get status(): number {
    return cloudErrors[this.code]?.[0] ?? 400;
  }

  /** The answer's body, as the Graph API writes it. */
  get document(): object {
    return {
      error: {
        message: `(#${this.code}) ${this.message}`,
        type: 'OAuthException',
        code: this.code,
        ...(this.subcode === undefined ? {} : { error_subcode: this.subcode }),
        error_data: { messaging_product: 'whatsapp', details: this.details },
        fbtrace_id: 'AzPeerTrace',
      },
    };
  }
}

/** Meta's title of an error. */
export function titleOf(code: number): string {
  return cloudErrors[code]?.[1] ?? 'Unknown error';
}

/** The codes a message's `errorCode` can take because of what a provider said, and what each means. */
export const providerErrorCodes = {
  'provider-rejected': 'The provider refused the message for good.',
  'recipient-rejected': 'The provider refused the recipient: the number is wrong, not reachable or blocked.',
  'recipient-opted-out': 'The recipient does not want messages from this sender.',
  'sender-rejected': 'The provider refused the sender.',
  'content-rejected': 'The provider refused the content.',
  'provider-unreachable': 'The provider could not be reached until the message expired.',
  'provider-error': 'The provider answered with errors of its own until the message expired.',
  undelivered: 'The provider took the message and later reported that it could not be delivered.',
} as const;

export type ProviderErrorCode = keyof typeof providerErrorCodes;

/** The codes a message's `errorCode` can take because of what a provider said, and what each means. */
export const providerErrorCodes = {
  'provider-rejected': "The provider refused the message for good. `error` has the provider's words.",
  'recipient-rejected': 'The provider refused the recipient: the number is wrong, not reachable or blocked.',
  'recipient-opted-out': 'The recipient does not want messages from this sender.',
  'recipient-unreachable':
    'The recipient could not be reached: switched off, out of range, roaming, or not on the channel.',
  'recipient-blocked':
    'The recipient takes no messages from this sender: blocked it, never began a conversation with it, or is gone.',
  'sender-rejected': 'The provider refused the sender.',
  'account-restricted':
    'WhatsApp takes no messages from this account to new contacts for now; see the account for how long.',
  'content-rejected': 'The provider refused the content.',
  'media-rejected': 'The provider could not take the file.',
  'outside-24h-window':
    'The recipient has not written within 24 hours, so WhatsApp takes no free text; a template is needed.',
  'media-too-large': 'The file is larger than the interface or the provider allows.',
  'media-type-not-supported': 'The file is not of a format that the interface and the provider take.',
  'media-caption-not-supported': 'The provider takes no caption with such a file.',
  'media-unavailable': 'The file could not be fetched from its URL.',
  'provider-unreachable': 'The provider could not be reached until the message expired.',
  'provider-error': 'The provider answered with errors of its own until the message expired.',
  undelivered: 'The provider took the message and later reported that it could not be delivered.',
} as const;

export type ProviderErrorCode = keyof typeof providerErrorCodes;

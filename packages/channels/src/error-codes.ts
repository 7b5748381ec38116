/** The values of a message's `errorCode` that come from a provider's answer, and what each means. */
export const providerErrorCodes = {
  'provider-rejected':
    "The provider rejected the message permanently. `error` contains the provider's reason.",
  'recipient-rejected': 'The provider rejected the recipient: the number is wrong, unreachable or blocked.',
  'recipient-opted-out': 'The recipient opted out of messages from this sender.',
  'recipient-unreachable':
    'The recipient could not be reached: phone off, out of coverage, roaming, or not on the channel.',
  'recipient-blocked':
    'The recipient blocked this sender, never started a conversation with it, or no longer exists.',
  'sender-rejected': 'The provider rejected the sender.',
  'account-restricted':
    'WhatsApp has blocked this account from messaging new contacts. The account shows until when.',
  'content-rejected': 'The provider rejected the content.',
  'interactive-not-supported':
    'The account cannot send buttons or lists, and the message has no `fallback`. Use an account of `whatsapp-cloud` or `telegram-bot`, or one of `sandbox` on whatsapp or telegram.',
  'template-not-supported':
    'The account has a provider without templates. Use an account of `whatsapp-cloud`, `twilio` or `sandbox`.',
  'template-not-found': 'The provider has no approved template with this name and language.',
  'template-parameters-invalid':
    "The parameters do not fit the template: their number, kind, length or form. `error` contains the provider's words.",
  'template-paused':
    'WhatsApp paused the template because of its quality. It can be sent again when the pause is over, or after a change.',
  'template-disabled': 'WhatsApp disabled the template for good because of its quality. Use another one.',
  'marketing-limited':
    'WhatsApp did not deliver the marketing message, because the recipient gets too many. Repeating it soon does not help.',
  'request-too-large':
    "With the templates in the account's settings, the request for this message has more than 256 KB. Use fewer placeholders in them.",
  'media-rejected': 'The provider could not process the file.',
  'outside-24h-window':
    'The recipient has not written within 24 hours, so WhatsApp accepts only templates, not free-form text. Send a template.',
  'media-too-large': 'The file is larger than the API or the provider allows.',
  'media-type-not-supported': 'The API or the provider does not support the file format.',
  'media-caption-not-supported': 'The provider does not support captions with this type of file.',
  'media-unavailable': 'The file could not be fetched from its URL.',
  'provider-unreachable': 'The provider was unreachable until the message expired.',
  'provider-error': 'The provider kept returning errors until the message expired.',
  undelivered: 'The provider accepted the message, then reported that it could not be delivered.',
} as const;

export type ProviderErrorCode = keyof typeof providerErrorCodes;

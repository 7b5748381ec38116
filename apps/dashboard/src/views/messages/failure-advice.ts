/** Advice about a failure, by its code. docs/errors.md explains each code. */
const byCode: Readonly<Record<string, string>> = {
  expired:
    'It could not be sent in time: each attempt failed, or its account had a backlog or needed attention.',
  'outcome-unknown':
    'The provider never responded, so the message may have arrived. Resending it may deliver it twice.',
  'channel-account-removed': 'Its account was removed before it was sent. Resend it from another account.',
  canceled: 'It was canceled before it was sent.',
  'settings-changed':
    'The account’s settings changed after part of it was sent. Send the rest as a new message.',
  'delivery-failed': 'The provider gave no reason. Check that the recipient exists and is reachable.',
  'recipient-rejected': 'Check the recipient: the number or ID is wrong or unreachable on this channel.',
  'recipient-opted-out': 'The recipient opted out of messages from this sender. Do not message them again.',
  'recipient-unreachable': 'The recipient’s phone was off or out of coverage. Try again later.',
  'recipient-blocked':
    'The recipient blocked this sender, or has to write to it first. Resending does not help.',
  'sender-rejected': 'Check the sender in the account’s settings, and that the provider has approved it.',
  'account-restricted': 'The provider has restricted this account. The account’s page says for how long.',
  'content-rejected': 'The provider rejected the text. Change it, then send a new message.',
  'request-too-large':
    'The request that the account’s settings make of this text is too large. Use fewer placeholders in them, then resend it.',
  'media-rejected': 'The provider could not process the file. Try another format or a smaller file.',
  'outside-24h-window':
    'WhatsApp accepts free-form text only within 24 hours of the recipient’s last message. Send a template.',
  'template-not-found':
    'Check the name and language among the account’s templates, and whether the template is approved.',
  'template-not-supported': 'Send a text, or send from an account whose provider has templates.',
  'template-parameters-invalid': 'Compare the parameters with those that the template takes.',
  'interactive-not-supported':
    'The account cannot send buttons or lists. Send with the numbered fallback, or from another account.',
  'template-paused': 'Send another template until the provider resumes this one.',
  'template-disabled': 'The template can no longer be sent. Send another one.',
  'media-too-large': 'Make the file smaller, then send a new message.',
  'media-type-not-supported': 'Send the file in another format.',
  'media-caption-not-supported': 'Send the caption as a separate text message.',
  'media-unavailable': 'The file could not be fetched. Check that its URL is public and still valid.',
  'provider-unreachable': 'The provider was unreachable until the message expired. Resend it.',
  'provider-error': 'The provider kept failing until the message expired. Resend it.',
  undelivered: 'The provider could not deliver it. Check the recipient, or try again later.',
};

/** Advice about a failed message. */
export function failureAdvice(code: string | null): string {
  return (
    byCode[code ?? ''] ?? 'See the provider’s response for the reason, and its documentation for what to do.'
  );
}

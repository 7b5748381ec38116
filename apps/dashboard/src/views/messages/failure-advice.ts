/** What to do about a failure, by its code; docs/errors.md says what each means. */
const byCode: Readonly<Record<string, string>> = {
  expired:
    'It could not be sent in time. Look at its account: it may need to be put right, or has too much to do.',
  'outcome-unknown':
    'The provider never answered, so it may have arrived all the same. Sending it again may make it arrive twice.',
  'channel-account-removed': 'Its account was removed while it waited. Send it again by another account.',
  canceled: 'Somebody canceled it while it waited.',
  'settings-changed':
    'The account’s settings changed when a part of it had been sent. Send the rest as a new message.',
  'delivery-failed': 'The provider gives no reason. Check that the recipient exists and can be reached.',
  'recipient-rejected':
    'Check the recipient: the number or id is wrong, or cannot be reached on this channel.',
  'recipient-opted-out': 'The recipient does not want messages from this sender. Do not write to it again.',
  'recipient-unreachable': 'The recipient was switched off or out of reach. Sending it again later may help.',
  'recipient-blocked':
    'The recipient has to write to this sender first, or has blocked it. Sending it again does not help.',
  'sender-rejected': 'Check the sender in the account’s settings, and whether the provider has approved it.',
  'account-restricted': 'The provider restricts this account for now. Its page says for how long.',
  'content-rejected': 'The provider refused the text. Change it, then send a new message.',
  'media-rejected': 'The provider could not take the file. Try another format or a smaller file.',
  'outside-24h-window': 'WhatsApp takes free text only within 24 hours after the recipient wrote.',
  'media-too-large': 'Make the file smaller, then send a new message.',
  'media-type-not-supported': 'Send the file in another format.',
  'media-caption-not-supported': 'Send the caption as a text of its own.',
  'media-unavailable': 'The file could not be fetched. Check that its URL is public and still valid.',
  'provider-unreachable': 'The provider could not be reached until the message expired. Send it again.',
  'provider-error': 'The provider had a fault of its own until the message expired. Send it again.',
  undelivered: 'The provider could not deliver it. Check the recipient; sending it again later may help.',
};

/** What somebody can do about a message that failed. */
export function failureAdvice(code: string | null): string {
  return byCode[code ?? ''] ?? 'The provider’s words say why; its documentation says what to do.';
}

const names: Readonly<Record<string, string>> = { whatsapp: 'WhatsApp', telegram: 'Telegram', sms: 'SMS' };

/** The display name of a channel. */
export function channelName(channel: string): string {
  return names[channel] ?? channel;
}

const names: Readonly<Record<string, string>> = { whatsapp: 'WhatsApp', telegram: 'Telegram', sms: 'SMS' };

/** A channel as people write it. */
export function channelName(channel: string): string {
  return names[channel] ?? channel;
}

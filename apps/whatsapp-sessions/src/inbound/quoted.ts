import type { Quoted } from '@notify/channels';
import type { WAMessage } from '@whiskeysockets/baileys';

/**
 * The message that an answer quotes, as far as it is known here. The recipient's phone shows its own copy, and the text
 * only if it has none.
 */
export function quoted(jid: string, { externalId, isInbound, text }: Quoted): WAMessage {
  return {
    key: { remoteJid: jid, fromMe: !isInbound, id: externalId },
    message: { conversation: text ?? '' },
  };
}

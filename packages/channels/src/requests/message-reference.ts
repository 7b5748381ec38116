import { isUuid } from '@notify/core';
import type { Receipt, SendRequest } from '../adapter/channel.ts';

/** The reference that a provider returns in its receipts: our id, and the part if the message has several. */
export function messageReference({
  messageId,
  part,
  parts,
}: Pick<SendRequest, 'messageId' | 'part' | 'parts'>): string {
  return parts > 1 ? `${messageId}.${part}` : messageId;
}

/** Reads a reference written by `messageReference`; null for any other text. */
export function readReference(text: string | null): Pick<Receipt, 'messageId' | 'part'> | null {
  const [messageId = '', part] = (text ?? '').split('.', 2);
  return isUuid(messageId) ? { messageId: messageId.toLowerCase(), part: readPart(part) } : null;
}

function readPart(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : null;
}

import { isUuid } from '@notify/core';
import type { Receipt, SendRequest } from './channel.ts';

/** What a provider is given to name a message in its reports: our id, and which part of it this is where there are several. */
export function messageReference({
  messageId,
  part,
  parts,
}: Pick<SendRequest, 'messageId' | 'part' | 'parts'>): string {
  return parts > 1 ? `${messageId}.${part}` : messageId;
}

/** Reads what `messageReference` wrote; null when it is anything else. */
export function readReference(text: string | null): Pick<Receipt, 'messageId' | 'part'> | null {
  const [messageId = '', part] = (text ?? '').split('.', 2);
  return isUuid(messageId) ? { messageId: messageId.toLowerCase(), part: readPart(part) } : null;
}

function readPart(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : null;
}

import type { ProviderErrorCode } from '@notify/channels';
import type { ReceiptStatus } from '@notify/core';
import { type WAMessageUpdate, WAMessageStatus } from '@whiskeysockets/baileys';

/** What a message that was sent has come to at its recipient. */
export interface Report {
  /** WhatsApp's id of the message. */
  readonly id: string;
  readonly status: ReceiptStatus;
  readonly errorCode?: ProviderErrorCode;
  readonly providerCode?: string;
  readonly text?: string;
}

/** What updates say of messages of ours: delivered, or read (which a played voice message is too). */
export function reportsOf(updates: readonly WAMessageUpdate[]): Report[] {
  return updates.flatMap(({ key, update }) => {
    const status = statusOf(update.status);
    return key.fromMe === true && typeof key.id === 'string' && status !== null
      ? [{ id: key.id, status }]
      : [];
  });
}

function statusOf(status: unknown): 'delivered' | 'read' | null {
  switch (status) {
    case WAMessageStatus.DELIVERY_ACK:
      return 'delivered';
    case WAMessageStatus.READ:
    case WAMessageStatus.PLAYED:
      return 'read';
    default:
      return null;
  }
}

import type { ProviderErrorCode } from '@notify/channels';
import type { ReceiptStatus } from '@notify/core';
import { type WAMessageUpdate, WAMessageStatus } from '@whiskeysockets/baileys';

/** The new state of a sent message at its recipient. */
export interface DeviceReceipt {
  /** WhatsApp's id of the message. */
  readonly id: string;
  readonly status: ReceiptStatus;
  readonly errorCode?: ProviderErrorCode;
  readonly providerCode?: string;
  readonly text?: string;
}

/** Reads the delivery receipts in message updates: delivered, or read (a played voice message counts as read). */
export function receiptsOf(updates: readonly WAMessageUpdate[]): DeviceReceipt[] {
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

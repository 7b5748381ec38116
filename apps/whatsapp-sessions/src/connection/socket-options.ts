import type { AuthenticationCreds } from '@whiskeysockets/baileys';
import type { DeviceStore } from '../devices/device-store.ts';
import type { HistoryNotice } from '../history/file.ts';
import type { ReadMessage } from '../inbound/read.ts';
import type { DeviceReceipt } from '../sending/message-updates.ts';
import type { TimeLock } from './time-lock.ts';

/** The events of a connection. */
export interface SocketEvents {
  /** A new QR code to show, and how long it is valid, in ms. */
  onQr?(qr: string, forMs: number): void;
  /** The credentials have changed. */
  onCreds(): void;
  /** WhatsApp has accepted the login. Messages can be sent from here on. */
  onOpen(): void;
  onReceipts(receipts: readonly DeviceReceipt[]): void;
  /** The phone announces its chat history, under an id. */
  onHistory(id: string, notice: HistoryNotice): void;
  /** A person has written. WhatsApp learns that the message has arrived once this resolves. */
  onMessage(message: ReadMessage): Promise<void>;
  /** WhatsApp has said whether it accepts messages to new contacts. */
  onTimeLock(lock: TimeLock): void;
}

/** The inputs to a connection. */
export interface SocketOptions {
  readonly creds: AuthenticationCreds;
  readonly store: DeviceStore;
  readonly url: string | null;
  readonly version: readonly [number, number, number] | null;
  readonly keepAliveMs: number;
  /** The longest wait for the server's answer to a message. */
  readonly ackMs: number;
  readonly events: SocketEvents;
}

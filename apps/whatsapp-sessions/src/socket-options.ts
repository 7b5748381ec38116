import type { AuthenticationCreds } from '@whiskeysockets/baileys';
import type { DeviceStore } from './device-store.ts';
import type { HistoryNotice } from './history/file.ts';
import type { Report } from './reports.ts';
import type { TimeLock } from './time-lock.ts';

/** What a connection tells while it lasts. */
export interface SocketEvents {
  /** A QR code to show, one after the other, and how long it holds, in ms. */
  onQr?(qr: string, forMs: number): void;
  /** The credentials have changed. */
  onCreds(): void;
  /** WhatsApp has taken the device in; from here on messages can be sent. */
  onOpen(): void;
  onReports(reports: readonly Report[]): void;
  /** The phone tells of its chats, under an id. */
  onHistory(id: string, notice: HistoryNotice): void;
  /** WhatsApp has said whether it takes messages to new contacts. */
  onTimeLock(lock: TimeLock): void;
}

/** What a connection is made with. */
export interface SocketOptions {
  readonly creds: AuthenticationCreds;
  readonly store: DeviceStore;
  readonly url: string | null;
  readonly version: readonly [number, number, number] | null;
  readonly keepAliveMs: number;
  /** How long the server's answer to a message is waited for. */
  readonly ackMs: number;
  readonly events: SocketEvents;
}

import type { BinaryNode } from '@whiskeysockets/baileys';
import type { ConnectionEntry } from './log.ts';
import { type Address, jidOf } from './stanzas.ts';

/** The keys of a linked device that others are given. */
export interface DeviceKeys {
  /** Registration, identity and signed prekey. */
  readonly parts: readonly BinaryNode[];
  /** One-time prekeys, each to be given out once. */
  readonly preKeys: BinaryNode[];
}

/** A connection, as far as the device that is logged in there needs it. */
export interface DeviceConnection {
  readonly entry: ConnectionEntry;
  /** Sends a stanza; what is sent on a closed connection is lost. */
  send(stanza: BinaryNode): void;
  /** Sends what nobody can decrypt. */
  sendGarbage(): void;
  /** Ends the connection with a last stanza, and writes down why. */
  end(reason: string, last: BinaryNode): void;
  /** Cuts the connection without a word. */
  cut(): void;
}

/** A client that a phone has linked: what Notify calls a channel account. */
export interface LinkedDevice extends Address {
  readonly jid: string;
  readonly identityKey: Buffer;
  readonly noiseKey: Buffer;
  /** The phone has removed it, or it has removed itself. */
  loggedOut: boolean;
  /** One-time prekeys it has left with the server. */
  preKeys: number;
  /** What others need to begin a session with it; null until it has left that. */
  keys: DeviceKeys | null;
  connection: DeviceConnection | null;
  /** Receipts it has not acknowledged, by id and type; sent again when it comes back. */
  readonly unacknowledged: Map<string, BinaryNode>;
  /** How often each message was asked for again, by its id. */
  readonly retries: Map<string, number>;
}

/** Every device that phones have linked, gone ones included. */
export class LinkedDevices {
  private readonly byJid = new Map<string, LinkedDevice>();

  /** Links a device to a phone: the next one, :1 first. */
  link(phone: string, keys: Pick<LinkedDevice, 'identityKey' | 'noiseKey'>): LinkedDevice {
    const address = { phone, device: this.of(phone).length + 1 };
    const device: LinkedDevice = {
      ...address,
      ...keys,
      jid: jidOf(address),
      loggedOut: false,
      preKeys: 0,
      keys: null,
      connection: null,
      unacknowledged: new Map(),
      retries: new Map(),
    };
    this.byJid.set(device.jid, device);
    return device;
  }

  /** The device at `address`, or null. */
  find(address: Address): LinkedDevice | null {
    return this.byJid.get(jidOf(address)) ?? null;
  }

  /** All of a phone's, oldest first. */
  of(phone: string): LinkedDevice[] {
    return this.all().filter((device) => device.phone === phone);
  }

  all(): LinkedDevice[] {
    return [...this.byJid.values()];
  }
}

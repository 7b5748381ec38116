import type { BinaryNode } from '@whiskeysockets/baileys';
import type { ConnectionEntry, WrittenEntry } from '../log.ts';
import { type Address, jidOf } from './stanzas.ts';

/** The keys of a linked device that the server gives to others. */
export interface DeviceKeys {
  /** Registration, identity and signed prekey. */
  readonly parts: readonly BinaryNode[];
  /** One-time prekeys, each given out once. */
  readonly preKeys: BinaryNode[];
}

/** The parts of a connection that its device needs. */
export interface DeviceConnection {
  readonly entry: ConnectionEntry;
  /** Sends a stanza. On a closed connection it is lost. */
  send(stanza: BinaryNode): void;
  /** Sends a frame that cannot be decrypted. */
  sendGarbage(): void;
  /** Ends the connection with a last stanza, and logs the reason. */
  end(reason: string, last: BinaryNode): void;
  /** Closes the connection without a last stanza. */
  cut(): void;
}

/** A message to a linked device that the device has not acknowledged. */
export interface Waiting {
  readonly stanza: BinaryNode;
  /** Encrypts it once more. */
  seal(): Promise<BinaryNode[]>;
  readonly entry: WrittenEntry;
}

/** A client that a phone has linked. Notify calls it a channel account. */
export interface LinkedDevice extends Address {
  readonly jid: string;
  readonly identityKey: Buffer;
  readonly noiseKey: Buffer;
  /** The phone has removed it, or it has logged out. */
  loggedOut: boolean;
  /** The number of one-time prekeys that it has left with the server. */
  preKeys: number;
  /** The keys that others need to begin a session with it; null until it has uploaded them. */
  keys: DeviceKeys | null;
  connection: DeviceConnection | null;
  /** Receipts it has not acknowledged, by id and type; sent again when it comes back. */
  readonly unacknowledged: Map<string, BinaryNode>;
  /** Messages it has not acknowledged, by id, in their order; sent again when it comes back. */
  readonly inbox: Map<string, Waiting>;
  /** Messages it could not decrypt and has asked for again, until it acknowledges the unreadable copy. */
  readonly asked: Map<string, Waiting>;
  /** How often each message was asked for again, by its id. */
  readonly retries: Map<string, number>;
}

/** Every device that phones have linked, removed ones included. */
export class LinkedDevices {
  private readonly byJid = new Map<string, LinkedDevice>();

  /** Links a device to a phone, with the next device number. The first is :1. */
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
      inbox: new Map(),
      asked: new Map(),
      retries: new Map(),
    };
    this.byJid.set(device.jid, device);
    return device;
  }

  /** The device at `address`, or null. */
  find(address: Address): LinkedDevice | null {
    return this.byJid.get(jidOf(address)) ?? null;
  }

  /** All devices of a phone, oldest first. */
  of(phone: string): LinkedDevice[] {
    return this.all().filter((device) => device.phone === phone);
  }

  all(): LinkedDevice[] {
    return [...this.byJid.values()];
  }
}

import { SignalParty } from '../messages/signal-party.ts';
import type { Address } from '../server/stanzas.ts';

/** WhatsApp's state of a phone number. */
export interface NumberState {
  /** Whether it is on WhatsApp. */
  readonly exists: boolean;
  /**
   * The devices that read its messages: 0 is the phone, others are linked ones. Empty: the number exists, but has no
   * device.
   */
  readonly devices: readonly number[];
  /** Whether WhatsApp reveals its LID. Without the LID no session with it can begin. */
  readonly lid: boolean;
  /** The number by which WhatsApp knows the person; null: this one. All other fields are those of that number. */
  readonly knownAs: string | null;
  /** The privacy token, in base64, that a first message needs (463 without it); null: any message is accepted. */
  readonly token: string | null;
}

/** The possible recipients. By default any number is on WhatsApp with one phone. */
export class Numbers {
  private readonly states = new Map<string, NumberState>();
  private readonly parties = new Map<string, SignalParty>();

  set(phone: string, changes: Partial<NumberState>): void {
    this.states.set(phone, { ...this.of(phone), ...changes });
  }

  of(phone: string): NumberState {
    return this.states.get(phone) ?? { exists: true, devices: [0], lid: true, knownAs: null, token: null };
  }

  /** The device at `address`, or null if there is none. */
  party({ phone, device }: Address): SignalParty | null {
    const { exists, devices } = this.of(phone);
    if (!exists || !devices.includes(device)) return null;
    const key = `${phone}:${device}`;
    const party = this.parties.get(key) ?? new SignalParty();
    this.parties.set(key, party);
    return party;
  }

  /**
   * The number gets new keys on all devices, as after a new installation of WhatsApp. Old sessions become unreadable.
   */
  reinstall(phone: string): void {
    for (const key of this.parties.keys()) if (key.startsWith(`${phone}:`)) this.parties.delete(key);
  }
}

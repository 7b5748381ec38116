import { generateParticipantHashV2 } from '@whiskeysockets/baileys';
import type { Peer } from './peer.ts';
import { type Address, addressOf, jidOf } from './stanzas.ts';

/**
 * The hash of the devices that should have got a message to `jid`, if its copies are for other devices. Undefined
 * otherwise, and for a message to a single device.
 */
export function missedHash(peer: Peer, jid: string, copies: readonly Address[]): string | undefined {
  const { phone, device } = addressOf(jid);
  const { devices } = peer.numbers.of(phone);
  const reached = new Set(copies.map((copy) => copy.device));
  if (device !== 0 || (devices.length === reached.size && devices.every((id) => reached.has(id))))
    return undefined;
  return generateParticipantHashV2(devices.map((id) => jidOf({ phone, device: id })));
}

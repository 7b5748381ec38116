import { randomBytes } from 'node:crypto';
import type { BinaryNode, proto } from '@whiskeysockets/baileys';
import type { LinkedDevice } from './linked-devices.ts';
import type { Peer } from './peer.ts';
import { type Address, jidOf, lidOf, node, nowSeconds } from './stanzas.ts';

/**
 * Sends a message from another phone, or from the account's own, to a connected device, encrypted for it. A message
 * from the account's own phone goes only to this device (`peer`). Throws if the device has left no keys, or is not
 * connected.
 */
export async function sendInbound(
  peer: Peer,
  device: LinkedDevice,
  from: string,
  message: proto.IMessage,
): Promise<string> {
  if (device.keys === null || device.connection === null)
    throw new Error(`${device.jid} cannot be written to`);
  const address: Address = { phone: from, device: 0 };
  const party = peer.numbers.party(address);
  if (party === null) throw new Error(`${from} is nobody`);
  const enc = await party.encrypt(device.jid, device.keys, message);
  const id = randomBytes(8).toString('hex').toUpperCase();
  device.connection.send(stanzaFrom(address, id, from === device.phone, enc));
  return id;
}

function stanzaFrom(address: Address, id: string, isOwn: boolean, enc: BinaryNode): BinaryNode {
  const own = isOwn ? { category: 'peer' } : { sender_lid: lidOf(address), notify: 'Somebody' };
  return node('message', { from: jidOf(address), id, type: 'text', t: nowSeconds(), ...own }, [enc]);
}

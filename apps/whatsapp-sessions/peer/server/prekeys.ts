import {
  type BinaryNode,
  generateSignalPubKey,
  getBinaryNodeChild,
  getBinaryNodeChildren,
} from '@whiskeysockets/baileys';
import { isSignedBy } from '../../src/connection/library.ts';
import type { Peer } from '../peer.ts';
import type { LinkedDevice } from './linked-devices.ts';
import { addressOf, bytesOf, node, result } from './stanzas.ts';

/** The number of one-time prekeys that the client has left here. */
export function countPreKeys({ preKeys }: LinkedDevice, query: BinaryNode): BinaryNode {
  return result(query, [node('count', { value: String(preKeys) })]);
}

/** Stores the keys that a client uploads. Throws when its signed prekey is not signed by its identity. */
export function takePreKeys(device: LinkedDevice, query: BinaryNode): BinaryNode {
  const identity = bytesOf(getBinaryNodeChild(query, 'identity'));
  if (!identity.equals(device.identityKey)) throw new Error('the identity is not the one that was linked');
  verifySigned(device, getBinaryNodeChild(query, 'skey'));
  const keys = getBinaryNodeChildren(getBinaryNodeChild(query, 'list'), 'key');
  device.preKeys += keys.length;
  const parts = ['registration', 'identity', 'skey'].flatMap((tag) => getBinaryNodeChildren(query, tag));
  device.keys = { parts, preKeys: [...(device.keys?.preKeys ?? []), ...keys] };
  return result(query);
}

/** Stores a new signed prekey. Throws when the identity has not signed it. */
export function rotateSignedPreKey(device: LinkedDevice, query: BinaryNode): BinaryNode {
  verifySigned(device, getBinaryNodeChild(getBinaryNodeChild(query, 'rotate'), 'skey'));
  return result(query);
}

/** Gives out the keys to begin a session with each requested device. A missing device gets a 404. */
export async function givePreKeys(peer: Peer, query: BinaryNode): Promise<BinaryNode> {
  const asked = getBinaryNodeChildren(getBinaryNodeChild(query, 'key'), 'user');
  const users = asked.map(async ({ attrs: { jid = '' } }) => {
    const party = peer.numbers.party(addressOf(jid));
    const absent = node('error', { code: '404', text: 'item-not-found' });
    return node('user', { jid }, party === null ? [absent] : await party.bundle());
  });
  return result(query, [node('list', {}, await Promise.all(users))]);
}

function verifySigned({ identityKey }: LinkedDevice, signedPreKey: BinaryNode | undefined): void {
  const key = generateSignalPubKey(bytesOf(getBinaryNodeChild(signedPreKey, 'value')));
  const signature = bytesOf(getBinaryNodeChild(signedPreKey, 'signature'));
  if (!isSignedBy(identityKey, key, signature)) throw new Error('the signed prekey is not signed');
}

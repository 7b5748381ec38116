import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from '@whiskeysockets/baileys';
import type { Peer } from '../peer.ts';
import type { LinkedDevice } from './linked-devices.ts';
import { addressOf, bytesOf, errorNode, jidOf, lidOf, node, result } from './stanzas.ts';

/** Answers which numbers are on WhatsApp, with which devices and which LID, as far as the query asks. */
export function answerUsync(peer: Peer, asking: LinkedDevice, query: BinaryNode): BinaryNode {
  const usync = getBinaryNodeChild(query, 'usync');
  const wanted = getBinaryNodeChild(usync, 'query')?.content;
  const parts = Array.isArray(wanted) ? wanted.map(({ tag }) => tag) : [];
  const errors = peer.behaviours.of('usyncErrors', { account: asking.phone });
  const users = getBinaryNodeChildren(getBinaryNodeChild(usync, 'list'), 'user').map((user) => {
    const asked = phoneIn(user);
    const phone = peer.numbers.of(asked).knownAs ?? asked;
    const sound = parts.filter((part) => errors[part] === undefined);
    const known = sound.map((part) => answerPart(peer, asking, phone, part)).filter((one) => one !== null);
    return node('user', { jid: jidOf({ phone, device: 0 }) }, known);
  });
  const failed = parts.filter((part) => errors[part] !== undefined);
  // If this part fails, the list is empty, because these users were asked for by number only.
  const list = node('list', {}, failed.includes('contact') ? [] : users);
  const told = failed.map((part) => node(part, {}, [errorNode(errors[part]!)]));
  return result(query, [node('usync', {}, [node('result', {}, told), list])]);
}

function phoneIn(user: BinaryNode): string {
  const contact = getBinaryNodeChild(user, 'contact');
  if (contact?.content === undefined) return addressOf(user.attrs['jid'] ?? '').phone;
  return bytesOf(contact).toString('utf8').replace(/^\+/, '');
}

function answerPart(peer: Peer, asking: LinkedDevice, phone: string, part: string): BinaryNode | null {
  const { exists, devices, lid } = peer.numbers.of(phone);
  if (part === 'contact') return node('contact', { type: exists ? 'in' : 'out' });
  if (part === 'lid') return exists && lid ? node('lid', { val: lidOf({ phone, device: 0 }) }) : null;
  if (part !== 'devices') return null;
  const ids = phone === asking.phone ? [...devices, asking.device] : devices;
  const list = exists ? ids.map((id) => node('device', { id: String(id), ...keyIndexOf(id) })) : [];
  return node('devices', {}, [node('device-list', {}, list)]);
}

/** Linked devices have a key index; Baileys ignores those without. */
function keyIndexOf(id: number): { 'key-index'?: string } {
  return id === 0 ? {} : { 'key-index': String(id) };
}

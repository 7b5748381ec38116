import { randomBytes } from 'node:crypto';
import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  type proto,
} from '@whiskeysockets/baileys';
import type { Peer } from '../peer.ts';
import type { LinkedDevice, Waiting } from '../server/linked-devices.ts';
import { type Address, jidOf, lidOf, node, nowSeconds } from '../server/stanzas.ts';

/** How a message to a linked device is sent. */
export interface Envelope {
  /** The number that writes. */
  readonly from: string;
  readonly id?: string;
  /** The identity that the stanza names as its sender. Default: the number. */
  readonly by?: 'number' | 'lid';
  /** Whether the stanza names the sender's other identity, too. Default: true. */
  readonly namesOther?: boolean;
  /** The group, status or newsletter (its JID) that it is sent to. */
  readonly chat?: string;
  readonly name?: string;
  /** Its first copy cannot be decrypted. */
  readonly damaged?: boolean;
  /** The account has written it with another of its devices, to `from`. */
  readonly isOwn?: boolean;
  /** The device gets a notice of this type instead of the message. */
  readonly withheld?: string;
}

/**
 * Writes a message from another phone, or from the account's own, to a device, encrypted for it. The server keeps it
 * until the device acknowledges it, and repeats it at every login. Returns its id. Throws if the device has left no
 * keys.
 */
export async function writeTo(
  peer: Peer,
  device: LinkedDevice,
  envelope: Envelope,
  message: proto.IMessage,
): Promise<string> {
  const id = envelope.id ?? randomBytes(8).toString('hex').toUpperCase();
  const seal = (): Promise<BinaryNode[]> => sealed(peer, device, envelope, message);
  const content = await seal();
  const stanza = stanzaOf(device, envelope, id, envelope.damaged === true ? content.map(damaged) : content);
  const waiting: Waiting = { stanza, seal, entry: peer.recorder.written(device.jid, id) };
  device.inbox.set(id, waiting);
  deliver(peer, device, waiting, false);
  return id;
}

/** Repeats all messages that the device has not acknowledged. Returns their number. */
export function repeatWritten(peer: Peer, device: LinkedDevice): number {
  for (const waiting of device.inbox.values()) deliver(peer, device, waiting, true);
  return device.inbox.size;
}

/**
 * The device has read a message, refused it (`ack` with an error), or asks for it again because it could not decrypt it.
 */
export async function takeAnswer(peer: Peer, device: LinkedDevice, stanza: BinaryNode): Promise<void> {
  const { tag, attrs } = stanza;
  const { id = '', type, error } = attrs;
  if (type === 'read') return takeRead(peer, device, stanza);
  const waiting = device.inbox.get(id);
  const answer = tag === 'ack' ? `ack ${error ?? ''}`.trim() : (type ?? 'delivered');
  peer.recorder.answered(device.jid, id, answer);
  if (waiting === undefined && device.asked.get(id) === undefined) return;
  if (answer === 'retry') {
    const again = waiting ?? device.asked.get(id)!;
    device.asked.set(id, again);
    again.stanza.content = await again.seal();
    return;
  }
  device.inbox.delete(id);
  const asked = device.asked.get(id);
  device.asked.delete(id);
  if (asked === undefined) return;
  // The sender's phone sends the message again, after the server has forgotten the unreadable copy.
  device.inbox.set(id, asked);
  deliver(peer, device, asked, false);
}

/** The device tells that one message or several were read. */
function takeRead(peer: Peer, device: LinkedDevice, stanza: BinaryNode): void {
  const items = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'list'), 'item');
  for (const { attrs } of [stanza, ...items]) peer.recorder.answered(device.jid, attrs['id'] ?? '', 'read');
}

/** A device shows a chat that it types. A wrong stanza is refused without an answer, as by WhatsApp. */
export function takeChatState(peer: Peer, device: LinkedDevice, { attrs, content }: BinaryNode): void {
  const { from = '', to = '' } = attrs;
  const [state] = Array.isArray(content) ? content : [];
  const isOwn = [jidOf(device), lidOf(device)].includes(from);
  if (!isOwn || state?.tag !== 'composing')
    return peer.recorder.reject(device.jid, 'chatstate', `${state?.tag} from ${from}`);
  peer.recorder.typed(device.jid, to);
}

function deliver(
  peer: Peer,
  { connection, inbox }: LinkedDevice,
  { stanza, entry }: Waiting,
  offline: boolean,
): void {
  if (connection === null) return;
  entry.sent += 1;
  const attrs = offline ? { ...stanza.attrs, offline: String(inbox.size) } : stanza.attrs;
  connection.send({ ...stanza, attrs });
  peer.recorder.touch();
}

async function sealed(
  peer: Peer,
  device: LinkedDevice,
  { from, chat, withheld, isOwn = false }: Envelope,
  message: proto.IMessage,
): Promise<BinaryNode[]> {
  if (withheld !== undefined) return [node('unavailable', { type: withheld })];
  if (device.keys === null) throw new Error(`${device.jid} cannot be written to`);
  const address: Address = { phone: isOwn ? device.phone : from, device: 0 };
  const party = peer.numbers.party(address);
  if (party === null) throw new Error(`${from} is nobody`);
  if (chat?.endsWith('@g.us') === true) return party.encryptForGroup(chat, jidOf(address), device, message);
  return [await party.encrypt(device.jid, device.keys, message)];
}

function stanzaOf(
  device: LinkedDevice,
  { from, by = 'number', namesOther = true, chat, name = 'Somebody', isOwn = false }: Envelope,
  id: string,
  content: BinaryNode[],
): BinaryNode {
  const address: Address = { phone: from, device: 0 };
  const [number, lid] = [jidOf(address), lidOf(address)];
  const sender = by === 'lid' ? lid : number;
  const common = { id, type: 'text', t: nowSeconds() };
  if (isOwn)
    return node('message', { ...common, from: jidOf({ ...device, device: 0 }), recipient: sender }, content);
  // From the account's own phone it goes only to this device.
  if (from === device.phone) return node('message', { ...common, from: number, category: 'peer' }, content);
  const part = chat === undefined ? 'sender' : 'participant';
  const other = !namesOther ? {} : by === 'lid' ? { [`${part}_pn`]: number } : { [`${part}_lid`]: lid };
  const place = chat === undefined ? { from: sender } : { from: chat, participant: sender };
  return node(
    'message',
    { ...common, ...place, ...other, notify: name, addressing_mode: by === 'lid' ? 'lid' : 'pn' },
    content,
  );
}

/** Twelve bytes before its end, a message has its MAC or its ciphertext, with or without the keys of a new session. */
function damaged(part: BinaryNode): BinaryNode {
  const bytes = Buffer.from(part.content as Uint8Array);
  const at = bytes.length - 12;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return { ...part, content: bytes };
}

import {
  type BinaryNode,
  generateParticipantHashV2,
  getBinaryNodeChild,
  getBinaryNodeChildren,
} from '@whiskeysockets/baileys';
import type { Peer } from '../peer.ts';
import type { Connection } from '../server/connection.ts';
import type { LinkedDevice } from '../server/linked-devices.ts';
import { type Address, addressOf, jidOf, node, nowSeconds } from '../server/stanzas.ts';
import { contentOf } from './content.ts';
import { askAgain, scheduleReceipts } from './receipts.ts';
import type { SignalParty } from './signal-party.ts';

/** A message in the form that one device gets. */
interface Copy {
  readonly to: Address;
  readonly enc: BinaryNode;
}

/**
 * Handles a message: refuses it, or gives each device its copy, acknowledges the message and schedules the receipts.
 * The copy for the sender's own phone is ignored.
 */
export async function takeMessage(
  peer: Peer,
  connection: Connection,
  device: LinkedDevice,
  stanza: BinaryNode,
): Promise<void> {
  const { id = '', to = '' } = stanza.attrs;
  const scope = { account: device.phone, number: addressOf(to).phone };
  const copies = copiesIn(stanza).filter((copy) => copy.to.phone !== device.phone);
  const write = (answer: 'ack' | 'lost' | 'retry' | number) =>
    peer.recorder.sent({
      id,
      from: device.jid,
      to: scope.number,
      copies: copies.map((copy) => jidOf(copy.to)),
      answer,
    });
  const ack = lacksToken(peer, scope.number, stanza) ? noToken : peer.behaviours.take('ack', scope);
  if (ack.answer === 'refuse') {
    write(ack.code);
    return connection.send(ackOf(stanza, ack.code));
  }
  const unread = await handOut(peer, device, id, copies);
  write(unread === null ? (ack.answer === 'lose' ? 'lost' : 'ack') : 'retry');
  const phash = missedHash(
    peer,
    to,
    copies.map((copy) => copy.to),
  );
  if (ack.answer === 'send') connection.send(ackOf(stanza, undefined, { phash }));
  if (unread !== null) {
    const parts = await unread.party.bundle();
    const count = countRetry(device, id);
    return askAgain(device, jidOf(unread.at), id, unread.withKeys ? parts : parts.slice(0, 1), count);
  }
  if (copies.length > 0) scheduleReceipts(peer, device, to, id);
}

/** A device that could not read its copy, or is configured to say so, with or without new keys. */
interface Unread {
  readonly at: Address;
  readonly party: SignalParty;
  readonly withKeys: boolean;
}

/** Gives each device its copy. Returns a device that could not read it; null if all could. */
async function handOut(
  peer: Peer,
  device: LinkedDevice,
  id: string,
  copies: readonly Copy[],
): Promise<Unread | null> {
  for (const { to, enc } of copies) {
    const party = peer.numbers.party(to);
    if (party === null) {
      peer.recorder.reject(device.jid, `message ${id}`, `${jidOf(to)} is no device`);
      continue;
    }
    const scope = { account: device.phone, number: to.phone };
    const { of, withKeys = false } = peer.behaviours.of('retry', scope);
    const unread = { at: to, party, withKeys };
    if ((of ?? to.device) === to.device && peer.behaviours.take('retry', scope).times > 0) return unread;
    try {
      const message = await party.decrypt(device.jid, enc);
      const content = await contentOf(message, peer.media);
      peer.recorder.decrypted({ id, from: device.jid, to: to.phone, device: to.device, ...content });
    } catch (error) {
      peer.recorder.reject(device.jid, `message ${id}`, error);
      return unread;
    }
  }
  return null;
}

/** Whether a message lacks the privacy token that its recipient demands. Resent messages need none. */
function lacksToken(peer: Peer, phone: string, stanza: BinaryNode): boolean {
  const { token } = peer.numbers.of(phone);
  if (token === null || getBinaryNodeChild(stanza, 'participants') === undefined) return false;
  const shown = getBinaryNodeChild(stanza, 'tctoken')?.content;
  return !(shown instanceof Uint8Array) || Buffer.from(shown).toString('base64') !== token;
}

const noToken = { answer: 'refuse', code: 463 } as const;

function copiesIn(stanza: BinaryNode): Copy[] {
  const participants = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'participants'), 'to');
  const addressed = participants.map((part) => ({
    jid: part.attrs['jid'],
    enc: getBinaryNodeChild(part, 'enc'),
  }));
  const direct = { jid: stanza.attrs['to'], enc: getBinaryNodeChild(stanza, 'enc') };
  return [...addressed, direct].flatMap(({ jid, enc }) =>
    jid === undefined || enc === undefined ? [] : [{ to: addressOf(jid), enc }],
  );
}

function countRetry({ retries }: LinkedDevice, id: string): number {
  const count = (retries.get(id) ?? 0) + 1;
  retries.set(id, count);
  return count;
}

function ackOf(
  { attrs: { id, to } }: BinaryNode,
  code?: number,
  more: Readonly<Record<string, string | undefined>> = {},
): BinaryNode {
  return node('ack', { class: 'message', id, from: to, t: nowSeconds(), error: code?.toString(), ...more });
}

/**
 * The hash of the devices that should have got a message to `jid`, if its copies are for other devices. Undefined
 * otherwise, and for a message to a single device.
 */
function missedHash(peer: Peer, jid: string, copies: readonly Address[]): string | undefined {
  const { phone, device } = addressOf(jid);
  const { devices } = peer.numbers.of(phone);
  const reached = new Set(copies.map((copy) => copy.device));
  if (device !== 0 || (devices.length === reached.size && devices.every((id) => reached.has(id))))
    return undefined;
  return generateParticipantHashV2(devices.map((id) => jidOf({ phone, device: id })));
}

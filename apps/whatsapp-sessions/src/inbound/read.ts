import type { Inbound, MovedContact } from '@notify/channels';
import {
  type BinaryNode,
  decodeMessageNode,
  isHostedLidUser,
  isHostedPnUser,
  isJidGroup,
  isJidNewsletter,
  isJidStatusBroadcast,
  isLidUser,
  isPnUser,
  proto,
  unpadRandomMax16,
  type WAMessageKey,
} from '@whiskeysockets/baileys';
import { addressOf } from './address.ts';
import { type Content, contentOf, type FilePlace } from './content.ts';

/** The linked phone's own identities, as JIDs. */
export interface Self {
  readonly id: string;
  readonly lid: string;
}

/** What the reading of a message needs to know. */
export interface Reading {
  readonly self: Self;
  /** The number of a LID, both as JIDs; null if it is not known here. */
  readonly numberOf: (lid: string) => Promise<string | null>;
  /** The reference to a file, as it may be stored. */
  readonly refer: (file: FilePlace, messageId: string) => unknown;
}

/** A message that a person wrote, and the address that has become known with it. */
export interface ReadMessage {
  readonly inbound: Inbound;
  readonly moved: MovedContact | null;
}

/** WhatsApp's envelope of a message. */
export interface Envelope {
  readonly key: WAMessageKey;
  /** In seconds of the epoch. */
  readonly sentAt: number | null;
  readonly name: string | null;
}

/** The envelope of a stanza. Null if it was not written by a person to this account. Throws if it is malformed. */
export function envelopeOf(stanza: BinaryNode, self: Self): Envelope | null {
  const { fullMessage } = decodeMessageNode(stanza, self.id, self.lid);
  const { key, messageTimestamp, pushName } = fullMessage;
  const { remoteJid: chat } = key;
  if (key.fromMe === true || !key.id || !chat || isJidStatusBroadcast(chat) || isJidNewsletter(chat))
    return null;
  const sentAt = Number(messageTimestamp);
  return { key, sentAt: sentAt > 0 ? sentAt : null, name: pushName || null };
}

/** Why WhatsApp gave a linked device no copy of a message, in plain words; null if it did. */
export function withheldKind({ content }: BinaryNode): string | null {
  if (!Array.isArray(content) || content.some(({ tag }) => tag === 'enc')) return null;
  const type = content.find(({ tag }) => tag === 'unavailable')?.attrs['type'];
  return type === undefined ? null : (withheld[type] ?? null);
}

/** Types for which WhatsApp's own clients do not ask the phone either. */
const withheld: Readonly<Record<string, string>> = {
  view_once: 'view-once',
  view_once_unavailable_fanout: 'view-once',
  bot_unavailable_fanout: 'bot',
  hosted_unavailable_fanout: 'hosted',
};

/** A message that linked devices do not get. */
export function withheldMessage(kind: string): Content {
  return { type: 'unsupported', body: { kind }, replyTo: null, file: null };
}

/** Decodes a decrypted message. Throws if it is malformed. */
export function decodeContent(plain: Uint8Array): Content | null {
  const message = proto.Message.decode(unpadRandomMax16(plain));
  return contentOf(message.deviceSentMessage?.message ?? message);
}

/** The message as it is stored; null if its sender is no person or group. */
export async function readMessage(
  { key, sentAt, name }: Envelope,
  content: Content,
  { self, numberOf, refer }: Reading,
): Promise<ReadMessage | null> {
  const id = key.id!;
  const group = isJidGroup(key.remoteJid!) === true;
  // A group is a chat of many. A list of recipients is not: an answer goes to the person who wrote to it.
  const jid = group || !key.participant ? key.remoteJid! : key.participant;
  const alternative = group ? undefined : (key.participantAlt ?? key.remoteJidAlt);
  const number = group ? null : await numberFor(jid, alternative, numberOf);
  const from = addressOf(number ?? jid);
  if (from === null) return null;
  const { file, ...shown } = content;
  const inbound: Inbound = {
    ...shown,
    externalId: id,
    from,
    to: addressOf(self.id),
    sentAt: sentAt === null ? null : new Date(sentAt * 1_000),
    contact: name === null ? null : { name },
    file: file === null ? null : refer(file, id),
  };
  const lid = [jid, alternative].find((one) => one && isLid(one));
  const before = number === null || !lid ? null : addressOf(lid);
  return { inbound, moved: before === null ? null : { from: before, to: from } };
}

async function numberFor(
  jid: string,
  alternative: string | undefined,
  numberOf: Reading['numberOf'],
): Promise<string | null> {
  const named = [jid, alternative].find((one) => one && (isPnUser(one) || isHostedPnUser(one)));
  return named ?? (isLid(jid) ? numberOf(jid) : null);
}

function isLid(jid: string): boolean {
  return isLidUser(jid) === true || isHostedLidUser(jid) === true;
}

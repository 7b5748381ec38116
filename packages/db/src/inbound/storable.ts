import { createHash } from 'node:crypto';
import { contactKey, cutUtf8, isStorable, scrub } from '@notify/core';
import type { InboundMessage, NewInbound } from './received.ts';

/** The most bytes of UTF-8 that are kept of a text or a caption. Telegram's longest has 16 KB, an SMS 39 KB. */
const maxTextBytes = 65_536;
/** The most bytes of a text or a caption in JSON. Line ends and quotes take two there; a control character takes six. */
const maxTextJsonBytes = 2 * maxTextBytes + 2;
/** The most bytes of JSON of the rest of a body, and of what is known of the person who wrote. */
const maxBodyJsonBytes = 65_536;
const maxProfileJsonBytes = 16_384;
/**
 * The most characters of any other text of a body, in UTF-16 units: outside of lists; in a list, such as the name on a
 * card; in a list of a list, such as a phone number of a card.
 */
const maxLengths = [1_024, 200, 64];
/** The most entries of a list, such as the cards of a message, and of a list in it. All of their JSON fits. */
const maxEntries = [20, 5];
const maxFileEntries = 100;
const maxDepth = 8;
const maxExternalIdLength = 512;
/** The most characters of an address. A send takes no longer one. */
const maxAddressLength = 256;
/** The most characters of `Inbound.file` as JSON. What is longer is not kept, so the file cannot be read. */
const maxFileLength = 32_768;

/** A message of which Postgres can store every field. */
export interface StorableInbound extends NewInbound {
  readonly externalId: string;
  /** By which a repeat of the message is known. */
  readonly seenId: string;
  /** The address of the person, as a send takes it and as conversations compare it. */
  readonly from: string;
  readonly contact: string;
  readonly to: string;
  readonly sentAt: Date | null;
  readonly type: string;
  readonly body: object;
  readonly profile: object | null;
  /** The provider's id of the message that this one answers. */
  readonly replyTo: string | null;
  /** The topic of the chat, which is stored with the body. */
  readonly threadId: number | null;
  readonly file: object | null;
  /** Set on a piece of a text. A piece that cannot be one is a message by itself. */
  readonly piece: InboundMessage['piece'] | null;
}

/**
 * Removes from a message what Postgres cannot hold, and cuts it to its limits: 64 KB of text, 20 cards of
 * contacts, 64 KB of JSON for all but the text. A provider's time that cannot be one is left out.
 */
export function storable(item: NewInbound): StorableInbound {
  const { account, message } = item;
  const from = scrub(message.from, maxAddressLength);
  return {
    ...item,
    externalId: storableId(message.externalId),
    seenId: storableId(account.origin ? `${account.origin}:${message.externalId}` : message.externalId),
    from,
    contact: contactKey(account.channel, from),
    to: scrub(message.to ?? '', maxAddressLength),
    sentAt: isInstant(message.sentAt) ? message.sentAt : null,
    type: message.type,
    body: toObject(fitted(message.body, { left: maxBodyJsonBytes })) ?? {},
    profile: toObject(fitted(message.contact, { left: maxProfileJsonBytes })),
    replyTo: message.replyTo === null ? null : storableId(message.replyTo),
    threadId: storableThread(message.threadId),
    file: storableFile(message.file),
    piece: storablePiece(message.piece),
  };
}

/** An id of the provider. One that is too long, or that Postgres cannot hold, is replaced by its SHA-256 in hex. */
export function storableId(id: string): string {
  if (id.length <= maxExternalIdLength && isStorable(id)) return id;
  return createHash('sha256').update(id).digest('hex');
}

/** An SMS has at most 255 parts (3GPP TS 23.040, 9.2.3.24.1). */
function storablePiece(piece: InboundMessage['piece']): StorableInbound['piece'] {
  if (piece === undefined) return null;
  const { reference, index, total } = piece;
  const isOne =
    Number.isInteger(index) && Number.isInteger(total) && 1 <= index && index <= total && total <= 255;
  return isOne ? { reference: storableId(reference), index, total } : null;
}

const maxInt = 2_147_483_647;

function storableThread(id: number | undefined): number | null {
  return id !== undefined && Number.isInteger(id) && id > 0 && id <= maxInt ? id : null;
}

function isInstant(at: Date | null): boolean {
  return at !== null && at.getTime() >= 0 && at.getTime() < Date.UTC(9999, 0);
}

function storableFile(file: unknown): object | null {
  const kept = toObject(storableValue(file ?? null, 0));
  return kept === null || JSON.stringify(kept).length > maxFileLength ? null : kept;
}

function toObject(value: unknown): object | null {
  return typeof value === 'object' ? value : null;
}

/** A copy of plain JSON with storable texts. */
function storableValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrub(value, maxFileLength);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value))
    return value.slice(0, maxFileEntries).map((entry) => storableValue(entry, depth + 1));
  const members = Object.entries(value).slice(0, maxFileEntries);
  return Object.fromEntries(
    members.map(([key, member]) => [scrub(key, maxLengths[0]), storableValue(member, depth + 1)]),
  );
}

/** The bytes of JSON that may still be kept. */
interface Room {
  left: number;
}

/** The place of a value: its name, and how many values and lists it is inside of. */
interface ValuePlace {
  readonly name: string;
  readonly depth: number;
  readonly lists: number;
}

/** A copy of plain JSON with storable texts. Members and entries for which there is no room are left out. */
function fitted(value: unknown, room: Room, at: ValuePlace = { name: '', depth: 0, lists: 0 }): unknown {
  if (typeof value === 'string') return fittedText(value, room, at);
  if (typeof value !== 'object' || value === null) {
    room.left -= String(value).length;
    return value;
  }
  const { depth, lists } = at;
  if (depth >= maxDepth) return null;
  // The brackets.
  room.left -= 2;
  if (Array.isArray(value)) {
    const inside = { name: '', depth: depth + 1, lists: lists + 1 };
    return value
      .slice(0, lists < maxEntries.length ? maxEntries[lists] : 0)
      .flatMap((entry) => (take(room, 1) ? [fitted(entry, room, inside)] : []));
  }
  const members = Object.entries(value).flatMap(([key, member]) => {
    const name = cutJson(scrub(key, maxLengths[lists]), room.left);
    return take(room, jsonBytes(name) + 2)
      ? [[name, fitted(member, room, { name, depth: depth + 1, lists })]]
      : [];
  });
  return Object.fromEntries(members) as unknown;
}

/** Whether there is room for so many bytes and some value. */
function take(room: Room, bytes: number): boolean {
  if (room.left <= bytes) return false;
  room.left -= bytes;
  return true;
}

function fittedText(text: string, room: Room, { name, depth, lists }: ValuePlace): string {
  if (depth === 1 && (name === 'text' || name === 'caption'))
    return cutJson(cutUtf8(scrub(text, text.length), maxTextBytes), maxTextJsonBytes);
  const cut = cutJson(scrub(text, maxLengths[lists]), room.left);
  room.left -= jsonBytes(cut);
  return cut;
}

/** The bytes of a text in JSON. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The beginning of a text, at most `maxBytes` of JSON. A character is kept whole or left out. */
function cutJson(text: string, maxBytes: number): string {
  if (6 * text.length + 2 <= maxBytes || jsonBytes(text) <= maxBytes) return text;
  let bytes = 2;
  let end = 0;
  for (const character of text) {
    bytes += jsonBytes(character) - 2;
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

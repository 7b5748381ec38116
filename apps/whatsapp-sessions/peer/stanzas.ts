import { randomBytes } from 'node:crypto';
import { type BinaryNode, jidDecode, S_WHATSAPP_NET } from '@whiskeysockets/baileys';

/** A stanza, or a part of one. */
export function node(
  tag: string,
  attrs: Readonly<Record<string, string | undefined>> = {},
  content?: BinaryNode['content'],
): BinaryNode {
  const given = Object.entries(attrs).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { tag, attrs: Object.fromEntries(given), ...(content === undefined ? {} : { content }) };
}

/** An id for a stanza of the server's. */
export function serverId(): string {
  return randomBytes(6).toString('hex');
}

/** A query or an order of the server's, with an id of its own. */
export function serverQuery(xmlns: string, content: BinaryNode[]): BinaryNode {
  const id = serverId();
  return node('iq', { from: S_WHATSAPP_NET, type: 'set', id, xmlns, t: nowSeconds() }, content);
}

/** The answer to a client's query. */
export function result(query: BinaryNode, content?: BinaryNode[]): BinaryNode {
  return node('iq', { from: S_WHATSAPP_NET, type: 'result', id: query.attrs['id'] }, content);
}

/** The words that stand beside a code. */
const errorTexts: Readonly<Record<number, string>> = {
  400: 'bad-request',
  429: 'rate-overlimit',
  500: 'internal-server-error',
  503: 'service-unavailable',
};

/** What says that a query, or a part of it, has failed. */
export function errorNode(code: number): BinaryNode {
  return node('error', { code: String(code), text: errorTexts[code] });
}

/** The bytes a part holds; throws when it holds none. */
export function bytesOf(part: BinaryNode | undefined): Buffer {
  const content = part?.content;
  if (typeof content === 'string') return Buffer.from(content);
  if (content instanceof Uint8Array) return Buffer.from(content);
  throw new Error(`${part?.tag ?? 'a missing part'} holds no bytes`);
}

/** The time as stanzas carry it: seconds of the epoch. */
export function nowSeconds(): string {
  return String(Math.floor(Date.now() / 1_000));
}

/** Of whom a JID speaks: a phone number in digits, and which of its devices (0 is the phone). */
export interface Address {
  readonly phone: string;
  readonly device: number;
}

/**
 * Reads a JID, be it by phone number or by LID (WhatsApp's hidden-number identity). Here a LID is the number with a 9
 * before it. Throws at what is no JID.
 */
export function addressOf(jid: string): Address {
  const decoded = jidDecode(jid);
  if (decoded === undefined) throw new Error(`no JID: ${jid}`);
  const phone = decoded.server === 'lid' ? decoded.user.slice(1) : decoded.user;
  return { phone, device: decoded.device ?? 0 };
}

/** The JID of a device by its phone number. */
export function jidOf({ phone, device }: Address): string {
  return `${phone}${device === 0 ? '' : `:${device}`}@s.whatsapp.net`;
}

/** The JID of a device by its LID. */
export function lidOf({ phone, device }: Address): string {
  return `9${phone}${device === 0 ? '' : `:${device}`}@lid`;
}

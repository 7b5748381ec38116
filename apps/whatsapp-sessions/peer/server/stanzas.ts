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

/** An id for a stanza from the server. */
export function serverId(): string {
  return randomBytes(6).toString('hex');
}

/** A query or a command from the server, with its own id. */
export function serverQuery(xmlns: string, content: BinaryNode[]): BinaryNode {
  const id = serverId();
  return node('iq', { from: S_WHATSAPP_NET, type: 'set', id, xmlns, t: nowSeconds() }, content);
}

/** The answer to a client's query. */
export function result(query: BinaryNode, content?: BinaryNode[]): BinaryNode {
  return node('iq', { from: S_WHATSAPP_NET, type: 'result', id: query.attrs['id'] }, content);
}

/** The texts of error codes. */
const errorTexts: Readonly<Record<number, string>> = {
  400: 'bad-request',
  429: 'rate-overlimit',
  500: 'internal-server-error',
  503: 'service-unavailable',
};

/** The error part of a failed query, or of a failed part of one. */
export function errorNode(code: number): BinaryNode {
  return node('error', { code: String(code), text: errorTexts[code] });
}

/** The bytes in a part. Throws when it has none. */
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

/** The parts of a JID: a phone number in digits, and the number of one of its devices (0 is the phone). */
export interface Address {
  readonly phone: string;
  readonly device: number;
}

/**
 * Reads a JID with a phone number or a LID (WhatsApp's hidden-number identity). In this peer a LID is the number with a
 * 9 before it. Throws if it is not a JID.
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

import { isLidUser, isPnUser, jidNormalizedUser } from '@whiskeysockets/baileys';
import { type Field, ProtoStream } from './proto-stream.ts';

/** A privacy token. Its holder may write the first message to the contact. Times are in seconds of the epoch. */
export interface HistoryToken {
  /** With a number or a LID. */
  readonly jid: string;
  readonly token: Buffer;
  readonly at: number;
  /** When we gave the contact our token. */
  readonly sentAt: number | null;
}

/** The parts of a history that are kept. */
export interface History {
  readonly tokens: readonly HistoryToken[];
  /** LIDs by number, both as JIDs. */
  readonly lids: ReadonlyMap<string, string>;
}

/** The limits for one history: the tokens taken from it, and the longest value of a chat that is read. */
const maxTokens = 10_000;
const maxLids = 20_000;
const maxValueBytes = 1_024;
/** The limit after inflating. A year of messages takes a tenth of it. */
const maxBytes = 512 * 1_048_576;

/** Field numbers of WhatsApp's protocol: HistorySync, Conversation and PhoneNumberToLIDMapping of WAProto.proto. */
const historySync = { conversations: 2, phoneNumberToLidMappings: 15 };
const conversation = {
  id: 1,
  tcToken: 21,
  tcTokenTimestamp: 22,
  tcTokenSenderTimestamp: 28,
  pnJid: 39,
  lidJid: 42,
};
const mapping = { pnJid: 1, lidJid: 2 };

/** Reads the privacy tokens and LIDs from a streamed history. Messages are skipped as they arrive. */
export async function readHistory(pieces: AsyncIterable<Uint8Array>): Promise<History> {
  const stream = new ProtoStream(pieces, maxBytes);
  const tokens: HistoryToken[] = [];
  const lids = new Map<string, string>();
  await stream.fields(Infinity, async ({ number, length }) => {
    if (length === null) return;
    if (number === historySync.conversations) {
      const chat = await valuesOf(stream, length, Object.values(conversation));
      const token = tokenOf(chat);
      if (token !== null && tokens.length < maxTokens) tokens.push(token);
      noteLids(lids, chat);
    } else if (number === historySync.phoneNumberToLidMappings) {
      const pair = await valuesOf(stream, length, Object.values(mapping));
      note(lids, textOf(pair, mapping.pnJid), textOf(pair, mapping.lidJid));
    }
  });
  return { tokens, lids };
}

type Values = ReadonlyMap<number, Buffer | number>;

async function valuesOf(stream: ProtoStream, length: number, wanted: readonly number[]): Promise<Values> {
  const values = new Map<number, Buffer | number>();
  await stream.fields(length, async (field: Field) => {
    if (!wanted.includes(field.number)) return;
    if (field.length === null) values.set(field.number, field.value);
    else if (field.length <= maxValueBytes) values.set(field.number, await stream.bytes(field.length));
  });
  return values;
}

function tokenOf(chat: Values): HistoryToken | null {
  const jid = textOf(chat, conversation.id);
  const token = chat.get(conversation.tcToken);
  const at = numberOf(chat, conversation.tcTokenTimestamp);
  if (!isPerson(jid) || !Buffer.isBuffer(token) || token.length === 0 || at === null) return null;
  const sentAt = numberOf(chat, conversation.tcTokenSenderTimestamp);
  return { jid: jidNormalizedUser(jid), token, at, sentAt };
}

function noteLids(lids: Map<string, string>, chat: Values): void {
  const jid = textOf(chat, conversation.id);
  note(lids, jid, textOf(chat, conversation.lidJid));
  note(lids, textOf(chat, conversation.pnJid), jid);
}

function note(lids: Map<string, string>, number: string, lid: string): void {
  if (isPnUser(number) && isLidUser(lid) && lids.size < maxLids)
    lids.set(jidNormalizedUser(number), jidNormalizedUser(lid));
}

function isPerson(jid: string): boolean {
  return isPnUser(jid) === true || isLidUser(jid) === true;
}

function textOf(values: Values, field: number): string {
  const value = values.get(field);
  return Buffer.isBuffer(value) ? value.toString('utf8') : '';
}

function numberOf(values: Values, field: number): number | null {
  const value = values.get(field);
  return typeof value === 'number' && value > 0 ? value : null;
}

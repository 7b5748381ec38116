import { isDegree } from '@notify/channels';
import type { InboundBody, InboundType, MediaType } from '@notify/core';
import { type proto, proto as wire } from '@whiskeysockets/baileys';
import { cardOf } from './card.ts';

/** Where the file of a message lies, and the key that opens it. */
export interface FilePlace {
  readonly kind: MediaType;
  /** Path and query on WhatsApp's host of files. */
  readonly path: string;
  readonly mediaKey: Uint8Array;
  /** The SHA-256 of the whole file as it was before encryption; null if the sender did not say. */
  readonly sha256: Uint8Array | null;
}

/** A message's content as the interface shows it. */
export interface Content {
  readonly type: InboundType;
  readonly body: InboundBody;
  /** WhatsApp's id of the message that it answers, reacts to, edits or deletes. */
  readonly replyTo: string | null;
  readonly file: FilePlace | null;
}

/** WhatsApp's wrappers that say how to show a message, not what it is. */
const wrappers = [
  'ephemeralMessage',
  'documentWithCaptionMessage',
  'editedMessage',
  'associatedChildMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'lottieStickerMessage',
] as const;
/** Parts beside the content. A message with nothing else has no content. */
const accompanying = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
]);
const deepest = 5;
/** The most cards of contacts that are read of one message. */
const maxCards = 20;

/**
 * Reads a decrypted message. Null if it has no content, such as one that only carries keys. A message that may be viewed
 * once is not read: its sender wants no copy of it.
 */
export function contentOf(message: proto.IMessage): Content | null {
  const inner = unwrapped(message);
  const kind = (Object.keys(inner) as (keyof proto.IMessage)[]).find(
    (key) => !accompanying.has(key) && isSet(inner[key]),
  );
  if (kind === undefined) return null;
  const read = readers[kind]?.(inner) ?? unsupported(wordOf(kind));
  return { file: null, ...read, replyTo: read.replyTo ?? answeredBy(inner[kind]) };
}

function isSet<Value>(value: Value): value is NonNullable<Value> {
  return value !== null && value !== undefined;
}

function unwrapped(message: proto.IMessage): proto.IMessage {
  let inner = message;
  for (let depth = 0; depth < deepest; depth += 1) {
    const wrapper = wrappers.find((one) => inner[one]?.message);
    if (wrapper === undefined) break;
    inner = inner[wrapper]!.message!;
  }
  return inner;
}

type Read = Pick<Content, 'type' | 'body'> & Partial<Content>;
type Reader = (message: proto.IMessage) => Read | null;

const readers: { readonly [Kind in keyof proto.IMessage]?: Reader } = {
  conversation: ({ conversation }) => text(conversation),
  extendedTextMessage: ({ extendedTextMessage: one }) => text(one?.text),
  imageMessage: ({ imageMessage: one }) => media('image', one, one?.caption),
  videoMessage: ({ videoMessage: one }) => media('video', one, one?.caption),
  ptvMessage: ({ ptvMessage: one }) => media('video', one, one?.caption),
  audioMessage: ({ audioMessage: one }) => media('audio', one),
  documentMessage: ({ documentMessage: one }) => media('document', one, one?.caption, one?.fileName),
  stickerMessage: ({ stickerMessage: one }) => media('image', one),
  locationMessage: ({ locationMessage: one }) => location(one),
  liveLocationMessage: ({ liveLocationMessage: one }) => location(one),
  contactMessage: ({ contactMessage: one }) => contacts([one]),
  contactsArrayMessage: ({ contactsArrayMessage: one }) => contacts(one?.contacts),
  reactionMessage: ({ reactionMessage: one }) => ({
    type: 'reaction',
    body: { emoji: one?.text || null },
    replyTo: one?.key?.id ?? null,
  }),
  buttonsResponseMessage: ({ buttonsResponseMessage: one }) =>
    button(one?.selectedDisplayText, one?.selectedButtonId),
  listResponseMessage: ({ listResponseMessage: one }) =>
    button(one?.title, one?.singleSelectReply?.selectedRowId),
  templateButtonReplyMessage: ({ templateButtonReplyMessage: one }) =>
    button(one?.selectedDisplayText, one?.selectedId),
  interactiveResponseMessage: ({ interactiveResponseMessage: one }) =>
    button(
      one?.body?.text ?? one?.nativeFlowResponseMessage?.name,
      one?.nativeFlowResponseMessage?.paramsJson,
    ),
  protocolMessage: ({ protocolMessage: one }) => protocol(one),
};

function text(said: string | null | undefined): Read | null {
  return isSet(said) ? { type: 'text', body: { text: said } } : null;
}

function location(at: proto.Message.ILocationMessage | null | undefined): Read | null {
  const { degreesLatitude: latitude, degreesLongitude: longitude, name, address } = at ?? {};
  if (!isDegree(latitude, 90) || !isDegree(longitude, 180)) return null;
  return {
    type: 'location',
    body: { latitude, longitude, name: name || null, address: address || null },
  };
}

function contacts(
  cards: readonly (proto.Message.IContactMessage | null | undefined)[] | null | undefined,
): Read {
  return {
    type: 'contact',
    body: {
      contacts: (cards ?? [])
        .slice(0, maxCards)
        .map((one) => cardOf(one?.displayName ?? null, one?.vcard ?? '')),
    },
  };
}

function button(shown: string | null | undefined, payload: string | null | undefined): Read {
  return { type: 'button', body: { text: shown ?? '', payload: payload ?? null } };
}

const { Type: protocolTypes } = wire.Message.ProtocolMessage;
const changes: Readonly<Record<number, string>> = {
  [protocolTypes.REVOKE]: 'deleted',
  [protocolTypes.MESSAGE_EDIT]: 'edited',
};

/** Edits, deletions, and changes of a chat's settings. */
function protocol(told: proto.Message.IProtocolMessage | null | undefined): Read {
  const { type, key } = told ?? {};
  const word = isSet(type) ? (changes[type] ?? spoken(protocolTypes[type])) : 'protocol';
  return { ...unsupported(word), replyTo: key?.id ?? null };
}

interface Attachment {
  readonly url?: string | null;
  readonly directPath?: string | null;
  readonly mediaKey?: Uint8Array | null;
  readonly fileSha256?: Uint8Array | null;
  readonly fileLength?: unknown;
  readonly mimetype?: string | null;
  readonly viewOnce?: boolean | null;
}

function media(
  kind: MediaType,
  one: Attachment | null | undefined,
  caption?: string | null,
  filename?: string | null,
): Read {
  if (one?.viewOnce === true) return unsupported('view-once');
  const bytes = isSet(one?.fileLength) ? Number(one.fileLength) : Number.NaN;
  const body = {
    type: kind,
    caption: caption || null,
    filename: filename || null,
    mimeType: one?.mimetype || null,
    bytes: Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null,
  };
  return { type: kind, body, file: isSet(one) ? placeOf(kind, one) : null };
}

/** Where the file lies. The host that the sender names is ignored: files are fetched from WhatsApp alone. */
function placeOf(kind: MediaType, { directPath, url, mediaKey, fileSha256 }: Attachment): FilePlace | null {
  const path = directPath || pathOf(url ?? '');
  if (!path?.startsWith('/') || !mediaKey?.length) return null;
  return { kind, path, mediaKey, sha256: fileSha256?.length ? fileSha256 : null };
}

function pathOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function unsupported(kind: string): Read {
  return { type: 'unsupported', body: { kind } };
}

/** WhatsApp's names of kinds that have a plainer word. */
const words: Readonly<Record<string, string>> = {
  pollCreation: 'poll',
  pollUpdate: 'poll-vote',
  viewOnce: 'view-once',
  callLogMesssage: 'call',
};

/** The name of a kind in plain words: `pollCreationMessageV3` is `poll`, `groupInviteMessage` is `group-invite`. */
function wordOf(kind: string): string {
  const stem = kind.replace(/Message(V\d+)?(Extension)?$/, '');
  return words[stem] ?? spoken(stem.replace(/([a-z])([A-Z])/g, '$1-$2'));
}

function spoken(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** WhatsApp's id of the message that the content quotes. */
function answeredBy(content: unknown): string | null {
  const { contextInfo } = (content ?? {}) as { contextInfo?: proto.IContextInfo | null };
  return contextInfo?.stanzaId || null;
}

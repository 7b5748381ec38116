import type { ContactCard, InboundBody, InboundType } from '@notify/core';
import type { Inbound } from '../adapter/inbound.ts';
import { isDegree } from '../reading/degrees.ts';
import { textAt } from '../reading/pointer.ts';
import { listIn, objectOf } from '../reading/untrusted.ts';

/** What a message says, and what it refers to. */
export type Content = Pick<Inbound, 'type' | 'body' | 'file'> & { readonly replyTo?: string | null };

/** A card of more people or numbers than this is cut. */
const maxCards = 50;

/**
 * Reads the content of one message by its `type`
 * (developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages). A kind that is
 * unknown, or whose content is missing, is `unsupported` with Meta's word for it.
 */
export function contentOf(message: unknown): Content {
  const type = textAt(message, '/type') ?? 'unknown';
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  return read?.(objectOf(message)[type], message) ?? unsupported(type);
}

function unsupported(kind: string, replyTo: string | null = null): Content {
  return { ...plain('unsupported', { kind }), ...(replyTo === null ? {} : { replyTo }) };
}

function plain(type: InboundType, body: InboundBody): Content {
  return { type, body, file: null };
}

type Reader = (content: unknown, message: unknown) => Content | null;

const readers: Readonly<Record<string, Reader>> = {
  text: (content) => {
    const text = textAt(content, '/body');
    return text === null ? null : plain('text', { text });
  },
  image: fileReader('image'),
  sticker: fileReader('image'),
  video: fileReader('video'),
  audio: fileReader('audio'),
  document: fileReader('document'),
  location: (content) => {
    const { latitude, longitude } = objectOf(content);
    if (!isDegree(latitude, 90) || !isDegree(longitude, 180)) return null;
    const [name, address] = [textAt(content, '/name'), textAt(content, '/address')];
    return plain('location', { latitude, longitude, name, address });
  },
  contacts: (_, message) => {
    const contacts = listIn(message, 'contacts').slice(0, maxCards).map(cardOf);
    return contacts.length === 0 ? null : plain('contact', { contacts });
  },
  /** The quick reply of a template. */
  button: (content) => buttonOf(textAt(content, '/text'), textAt(content, '/payload')),
  interactive: readInteractive,
  /** A reaction that was taken back comes without an emoji. */
  reaction: (content) => {
    const replyTo = textAt(content, '/message_id');
    const emoji = textAt(content, '/emoji');
    return replyTo === null
      ? null
      : { ...plain('reaction', { emoji: emoji === '' ? null : emoji }), replyTo };
  },
  edit: (content) => unsupported('edited', textAt(content, '/original_message_id')),
  revoke: (content) => unsupported('deleted', textAt(content, '/original_message_id')),
  system: (content) => unsupported(textAt(content, '/type') ?? 'system'),
  /** Meta names the kind that it does not hand on in its own object. */
  unsupported: (content) => unsupported(textAt(content, '/type') ?? 'unsupported'),
};

/** A media message. `file` is Meta's id, which leads to the file (`open-file.ts`). */
function fileReader(type: 'image' | 'video' | 'audio' | 'document'): Reader {
  return (content) => {
    const id = textAt(content, '/id');
    if (id === null) return null;
    const [caption, filename, mimeType] = ['/caption', '/filename', '/mime_type'].map((at) =>
      textAt(content, at),
    ) as [string | null, string | null, string | null];
    return { type, body: { type, caption, filename, mimeType, bytes: null }, file: { id } };
  };
}

/** A pressed button, a row of a list, or a completed form. The form's answers, in JSON, are the payload. */
function readInteractive(content: unknown): Content | null {
  const kind = textAt(content, '/type') ?? 'interactive';
  switch (kind) {
    case 'button_reply':
    case 'list_reply':
      return buttonOf(textAt(content, `/${kind}/title`), textAt(content, `/${kind}/id`));
    case 'nfm_reply':
      return buttonOf(textAt(content, '/nfm_reply/body'), textAt(content, '/nfm_reply/response_json'));
    default:
      return unsupported(kind);
  }
}

function buttonOf(text: string | null, payload: string | null): Content | null {
  return text === null && payload === null ? null : plain('button', { text: text ?? '', payload });
}

function cardOf(document: unknown): ContactCard {
  const phones = listIn(document, 'phones').slice(0, maxCards);
  return {
    name: textAt(document, '/name/formatted_name'),
    phones: phones.flatMap((phone) => textAt(phone, '/phone') ?? textAt(phone, '/wa_id') ?? []),
  };
}

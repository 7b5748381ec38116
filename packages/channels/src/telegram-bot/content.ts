import type { ContactCard, InboundMediaBody, MediaType } from '@notify/core';
import type { Inbound } from '../adapter/inbound.ts';
import { isDegree } from '../reading/degrees.ts';
import { listIn, objectOf, textIn } from '../reading/untrusted.ts';

/** What a message says. `file` is what `openFile` needs. */
export type Content = Pick<Inbound, 'type' | 'body' | 'file'>;

type Fields = Readonly<Record<string, unknown>>;

/** What is kept of a file id; they have about 100 characters. */
const maxFileId = 512;
const maxName = 256;
const maxAddress = 1_024;

/**
 * The fields of a message that hold a file, in the order in which they are looked for: an animation also comes as a
 * `document` (Bot API, "Message": https://core.telegram.org/bots/api#message).
 */
const files: readonly (readonly [field: string, type: MediaType, mimeType: string | null])[] = [
  ['animation', 'video', null],
  ['video', 'video', null],
  ['video_note', 'video', 'video/mp4'],
  ['audio', 'audio', null],
  ['voice', 'audio', 'audio/ogg'],
  ['document', 'document', null],
];

/** The content of a message of any kind. One that we do not read further is `unsupported`, by Telegram's own word. */
export function contentOf(message: Fields): Content {
  const { text } = message;
  if (typeof text === 'string') return { type: 'text', body: { text }, file: null };
  return (
    fileIn(message) ??
    locationIn(message) ??
    contactIn(message) ?? { type: 'unsupported', body: { kind: kindOf(message) }, file: null }
  );
}

function fileIn(message: Fields): Content | null {
  const photo = largestOf(listIn(message, 'photo'));
  if (photo !== null) return media('image', photo, message, 'image/jpeg');
  const { sticker } = message;
  if (isObject(sticker)) return media('image', sticker, message, stickerType(sticker));
  const found = files.find(([field]) => isObject(message[field]));
  if (found === undefined) return null;
  const [field, type, mimeType] = found;
  return media(type, objectOf(message[field]), message, mimeType);
}

function media(type: MediaType, file: Fields, message: Fields, mimeType: string | null): Content {
  const { caption } = message;
  const body: InboundMediaBody = {
    type,
    caption: typeof caption === 'string' && caption !== '' ? caption : null,
    filename: textIn(file, 'file_name', maxName),
    mimeType: textIn(file, 'mime_type', maxName) ?? mimeType,
    bytes: sizeOf(file),
  };
  const id = textIn(file, 'file_id', maxFileId);
  return { type, body, file: id === null ? null : { id, mimeType: body.mimeType } };
}

/** Telegram sends a photo in several sizes. */
function largestOf(sizes: readonly unknown[]): Fields | null {
  const area = (size: Fields): number => Number(size['width']) * Number(size['height']) || 0;
  return sizes
    .filter(isObject)
    .reduce<Fields | null>((best, size) => (best === null || area(size) >= area(best) ? size : best), null);
}

/** The formats of stickers: https://core.telegram.org/stickers */
function stickerType({ is_animated: isAnimated, is_video: isVideo }: Fields): string {
  if (isAnimated === true) return 'application/x-tgsticker';
  return isVideo === true ? 'video/webm' : 'image/webp';
}

function sizeOf({ file_size: bytes }: Fields): number | null {
  return Number.isSafeInteger(bytes) && Number(bytes) >= 0 ? Number(bytes) : null;
}

/** A venue also comes as a `location`, without its name. */
function locationIn(message: Fields): Content | null {
  const venue = objectOf(message['venue']);
  const { latitude, longitude } = objectOf(venue['location'] ?? message['location']);
  if (!isDegree(latitude, 90) || !isDegree(longitude, 180)) return null;
  const name = textIn(venue, 'title', maxName);
  const address = textIn(venue, 'address', maxAddress);
  return { type: 'location', body: { latitude, longitude, name, address }, file: null };
}

function contactIn(message: Fields): Content | null {
  const { contact } = message;
  if (!isObject(contact)) return null;
  const phone = textIn(contact, 'phone_number', maxName);
  const card: ContactCard = { name: fullName(contact), phones: phone === null ? [] : [phone] };
  return { type: 'contact', body: { contacts: [card] }, file: null };
}

/** First and last name as Telegram shows them; null without either. */
export function fullName(person: Fields): string | null {
  const names = [textIn(person, 'first_name', maxName), textIn(person, 'last_name', maxName)];
  return names.filter((name) => name !== null).join(' ') || null;
}

/** The fields that say of whom, where, when and how a message came, and not what it says. */
const aboutMessage = new Set(
  `message_id message_thread_id direct_messages_topic from sender_chat sender_boost_count sender_business_bot sender_tag date
  business_connection_id chat forward_origin forward_from forward_from_chat forward_from_message_id forward_signature
  forward_sender_name forward_date is_topic_message is_automatic_forward reply_to_message external_reply quote reply_to_story
  reply_to_checklist_task_id via_bot edit_date has_protected_content is_from_offline is_paid_post media_group_id
  author_signature paid_star_count link_preview_options effect_id entities caption caption_entities
  show_caption_above_media has_media_spoiler reply_markup`.split(/\s+/),
);

/** What a message holds, in Telegram's word, such as `poll` or `new_chat_members`. */
function kindOf(message: Fields): string {
  const kind = Object.keys(message).find((name) => !aboutMessage.has(name));
  return kind !== undefined && /^\w{1,64}$/.test(kind) ? kind : 'message';
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { ContactProfile } from '@notify/core';
import type { Consent, Inbound, MovedContact } from '../adapter/inbound.ts';
import { listIn, objectOf, textIn } from '../reading/untrusted.ts';
import { contentOf, fullName, isObject } from './content.ts';
import { externalIdOf, integerIn } from './ids.ts';

/** What updates of a bot hold. */
export interface ParsedUpdates {
  readonly inbound: readonly Inbound[];
  readonly moved: readonly MovedContact[];
  readonly consents: readonly Consent[];
  /** The ids of pressed buttons. The person's app shows each as pending until it is answered. */
  readonly presses: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The kinds of update that we ask for. `message_reaction` comes only if it is named (Bot API, "setWebhook":
 * https://core.telegram.org/bots/api#setwebhook).
 */
export const allowedUpdates = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'message_reaction',
  'callback_query',
  'my_chat_member',
] as const;

const maxName = 256;
/** A payload of `t.me/<bot>?start=<payload>`, which arrives as the text of a command. */
const startCommand = /^\/start(?:@\w{1,64})? ([A-Za-z0-9_-]{1,64})$/;

/**
 * Reads updates (Bot API, "Update": https://core.telegram.org/bots/api#update) in their order, from a webhook or from
 * `getUpdates`. Never throws, whatever they hold. An update of an unknown kind is an `unsupported` message if it names a
 * chat or a person, and is dropped otherwise, because nobody could be answered.
 */
export function parseUpdates(updates: readonly unknown[]): ParsedUpdates {
  const read = updates.filter(isObject).map(parseUpdate);
  return {
    inbound: read.flatMap((one) => one.inbound ?? []),
    moved: read.flatMap((one) => one.moved ?? []),
    consents: read.flatMap((one) => one.consents ?? []),
    presses: read.flatMap((one) => one.presses ?? []),
  };
}

function parseUpdate(update: Fields): Partial<ParsedUpdates> {
  const [kind, content] =
    Object.entries(update).find(([name, value]) => name !== 'update_id' && isObject(value)) ?? [];
  if (kind === undefined) return {};
  const fields = objectOf(content);
  const id = `update:${integerIn(update, 'update_id') ?? 'none'}`;
  switch (kind) {
    case 'message':
    case 'channel_post':
      return parseMessage(fields, id);
    case 'edited_message':
    case 'edited_channel_post':
      return other(fields, { externalId: id, kind: 'edited', replyTo: externalIdOf(fields) });
    case 'message_reaction':
      return parseReaction(fields, id);
    case 'callback_query':
      return parsePress(fields);
    case 'my_chat_member':
      return { consents: parseMembership(fields) };
    default:
      return other(fields, { externalId: id, kind, replyTo: null });
  }
}

function parseMessage(message: Fields, updateId: string): Partial<ParsedUpdates> {
  const from = integerIn(message['chat'], 'id');
  if (from === null) return {};
  const moved = movedBy(message, from);
  if (moved !== null) return { moved: [moved] };
  const content = contentOf(message);
  const pairing = 'text' in content.body ? startCommand.exec(content.body.text)?.[1] : undefined;
  const inbound: Inbound = {
    ...envelope(message, from),
    externalId: externalIdOf(message) ?? updateId,
    sentAt: timeOf(message['date']),
    replyTo: answered(message),
    ...content,
    ...(pairing === undefined ? {} : { pairing }),
    ...topicOf(message),
  };
  return { inbound: [inbound] };
}

/**
 * Replies in a group without topics have a `message_thread_id` too, which takes no message (Bot API, "Message":
 * https://core.telegram.org/bots/api#message).
 */
function topicOf(message: Fields): { threadId?: number } {
  const { is_topic_message: isInTopic, message_thread_id: id } = message;
  return isInTopic === true && Number.isSafeInteger(id) ? { threadId: Number(id) } : {};
}

/** Both chats say it: the group where it went to, the supergroup where it came from. */
function movedBy(message: Fields, chat: string): MovedContact | null {
  const to = integerIn(message, 'migrate_to_chat_id');
  if (to !== null) return { from: chat, to };
  const from = integerIn(message, 'migrate_from_chat_id');
  return from === null ? null : { from, to: chat };
}

/** In a topic of a forum every message "answers" the one that opened the topic. */
function answered(message: Fields): string | null {
  const quoted = objectOf(message['reply_to_message']);
  if (isObject(quoted['forum_topic_created'])) return null;
  return externalIdOf(quoted);
}

/** A reaction that is no emoji (a custom picture, or paid) is `unsupported`. */
function parseReaction(reaction: Fields, updateId: string): Partial<ParsedUpdates> {
  const from = integerIn(reaction['chat'], 'id');
  if (from === null) return {};
  const before = new Set(listIn(reaction, 'old_reaction').map(emojiOf));
  const now = listIn(reaction, 'new_reaction');
  const chosen = now.find((one) => !before.has(emojiOf(one))) ?? now.at(-1);
  const emoji = emojiOf(chosen);
  const common = {
    ...envelope(reaction, from),
    externalId: updateId,
    sentAt: timeOf(reaction['date']),
    replyTo: externalIdOf(reaction),
    file: null,
  };
  if (chosen !== undefined && emoji === null) {
    const kind = textIn(chosen, 'type', 64) ?? 'reaction';
    return { inbound: [{ ...common, type: 'unsupported', body: { kind } }] };
  }
  return { inbound: [{ ...common, type: 'reaction', body: { emoji } }] };
}

function emojiOf(reaction: unknown): string | null {
  return textIn(reaction, 'emoji', 64);
}

/** A pressed button of a message, or of an inline result that the bot made for somebody's own chat. */
function parsePress(press: Fields): Partial<ParsedUpdates> {
  const id = textIn(press, 'id', 64);
  const message = objectOf(press['message']);
  const from = integerIn(message['chat'], 'id') ?? integerIn(press['from'], 'id');
  if (id === null || from === null) return {};
  const payload = textIn(press, 'data', 1_024) ?? textIn(press, 'game_short_name', 1_024);
  const inbound: Inbound = {
    ...envelope({ ...press, chat: message['chat'] }, from),
    externalId: `press:${id}`,
    // The query has no time of its own; that of the message is when it was sent.
    sentAt: null,
    type: 'button',
    body: { text: labelOf(message, payload) ?? payload ?? '', payload },
    replyTo: externalIdOf(message),
    file: null,
    ...topicOf(message),
  };
  return { inbound: [inbound], presses: [id] };
}

/** The words on the button with that payload. Null if the message is too old to be shown. */
function labelOf(message: Fields, payload: string | null): string | null {
  const rows = listIn(objectOf(message['reply_markup']), 'inline_keyboard');
  const buttons = rows.flatMap((row) => (Array.isArray(row) ? (row as unknown[]) : []));
  const pressed = buttons.find((button) => textIn(button, 'callback_data', 1_024) === payload);
  return textIn(pressed, 'text', maxName);
}

/** A person who blocks the bot opts out, and back in by unblocking it. Membership in groups says nothing of the kind. */
function parseMembership(change: Fields): Consent[] {
  const chat = objectOf(change['chat']);
  const recipient = integerIn(chat, 'id');
  const { status } = objectOf(change['new_chat_member']);
  if (recipient === null || chat['type'] !== 'private') return [];
  if (status !== 'kicked' && status !== 'member') return [];
  return [{ recipient, optedOut: status === 'kicked' }];
}

/** An update of which only the kind is told. */
function other(
  content: Fields,
  { externalId, kind, replyTo }: { externalId: string; kind: string; replyTo: string | null },
): Partial<ParsedUpdates> {
  const from = integerIn(content['chat'], 'id') ?? integerIn(content['from'] ?? content['user'], 'id');
  if (from === null) return {};
  const sentAt = timeOf(content['edit_date'] ?? content['date']);
  const body = { kind: /^\w{1,64}$/.test(kind) ? kind : 'update' };
  return {
    inbound: [
      { ...envelope(content, from), externalId, sentAt, type: 'unsupported', body, replyTo, file: null },
    ],
  };
}

function envelope(content: Fields, from: string): Pick<Inbound, 'from' | 'to' | 'contact'> {
  return { from, to: null, contact: profileOf(content) };
}

/** The person who wrote, or the channel or group in whose name it was written. */
function profileOf(content: Fields): ContactProfile | null {
  const person = content['from'] ?? content['user'];
  const chat = content['sender_chat'] ?? content['actor_chat'] ?? content['chat'];
  const author = isObject(person) && content['sender_chat'] === undefined ? person : objectOf(chat);
  const name = fullName(author) ?? textIn(author, 'title', maxName);
  const username = textIn(author, 'username', maxName);
  if (name === null && username === null) return null;
  return { ...(name === null ? {} : { name }), ...(username === null ? {} : { username }) };
}

/** Seconds since 1970; 0 stands for a message that Telegram no longer shows. */
function timeOf(seconds: unknown): Date | null {
  const isTime = Number.isSafeInteger(seconds) && Number(seconds) > 0 && Number(seconds) < 253_402_300_800;
  return isTime ? new Date(Number(seconds) * 1_000) : null;
}

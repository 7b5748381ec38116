import { chatOf, type Chats, type OpenChat, type Refusal } from './chats.ts';
import { fetchFile, fileMethods, type FileMethodName, type SentFile, takeUpload } from './files.ts';
import type { TelegramLedger } from './ledger.ts';
import { readKeyboard } from './keyboard.ts';
import { readMarkup } from './markup.ts';
import type { Parameters } from './parameters.ts';
import type { Receiving } from './receiving.ts';

/** How the bot handles calls that it has read. Answers that send do so before they misbehave. */
export type TelegramAnswer =
  /** Behaves like Telegram. */
  | 'send'
  /** Sends and never answers; breaks the connection; breaks off in the answer. */
  | 'send-and-hang'
  | 'send-and-reset'
  | 'send-and-cut'
  /** Sends nothing: 429 to every call until `retryAfter` is over; 500; the page of a gateway; nothing at all. */
  | 'throttle'
  | 'fail'
  | 'gateway-page'
  | 'hang';

export interface TelegramBehaviour {
  readonly answer: TelegramAnswer;
  /** How often. After that it sends again. Default: until told otherwise, but once for `throttle`. */
  readonly times?: number;
  /** Begins after this many more messages were sent. Default 0. */
  readonly after?: number;
  /** For `throttle`, in seconds. Default 3. */
  readonly retryAfter?: number;
  /** Wait before each answer, in ms. */
  readonly latencyMs?: number;
}

export type Result = { readonly result: object | true } | Refusal;

/** That the bot types in a chat, or in a thread of it. */
export interface ShownTyping {
  readonly chat: string;
  readonly threadId: number | null;
}

/** A bot as Telegram keeps it. */
export interface Bot {
  readonly token: string;
  readonly chats: Chats;
  readonly ledger: TelegramLedger;
  behaviour: Required<TelegramBehaviour>;
  /** The topics of its chats, as `<chat>:<thread>`. */
  readonly topics: Set<string>;
  revoked: boolean;
  /** How many messages a second Telegram allows; null means any number. */
  floodAbove: number | null;
  pausedUntil: number;
  /** The times of the messages sent in the last second, in ms since 1970, oldest first. */
  recent: number[];
  sentInAll: number;
  readonly receiving: Receiving;
  /** The chats in which it has shown that it types, in order. */
  readonly typing: ShownTyping[];
  /** Numbers the messages of a chat, in both directions. */
  nextMessageId(chat: number): number;
}

/** The answer to the next call. Uses up one of the behaviour's times. */
export function nextAnswer(bot: Bot): TelegramAnswer {
  const { answer, times, after } = bot.behaviour;
  if (answer === 'send' || times <= 0 || bot.sentInAll < after) return 'send';
  bot.behaviour = { ...bot.behaviour, times: times - 1 };
  return answer;
}

/** How long every call still fails, in whole seconds rounded up; null if the bot may call. */
export function pauseLeft(bot: Bot): number | null {
  const leftMs = bot.pausedUntil - Date.now();
  return leftMs > 0 ? Math.ceil(leftMs / 1_000) : null;
}

/** Tells the bot to wait. */
export function tooMany(seconds: number): Refusal {
  const description = `Too Many Requests: retry after ${seconds}`;
  return { code: 429, description, parameters: { retry_after: seconds } };
}

/** Carries a call out as Telegram does, after checking its limits. */
export async function carryOut(bot: Bot, method: string, parameters: Parameters): Promise<Result> {
  const name = method.toLowerCase();
  if (name === 'getme') return { result: { id: 110201543, is_bot: true, username: 'notify_test_bot' } };
  if (name === 'sendmessage') return sendText(bot, parameters);
  if (name === 'sendchataction') return sendAction(bot, parameters);
  const fileMethod = Object.keys(fileMethods).find((each) => each.toLowerCase() === name);
  if (fileMethod === undefined) return { code: 404, description: 'Not Found: method not found' };
  return await sendFile(bot, fileMethod as FileMethodName, parameters);
}

/** Shows what the bot does; of the actions of the Bot API only the one that we send. */
function sendAction(bot: Bot, { fields }: Parameters): { result: true } | Refusal {
  const chat = bot.chats.find(fields.get('chat_id') ?? '');
  if ('code' in chat) return chat;
  if (fields.get('action') !== 'typing') return refused('wrong parameter action in request');
  const place = placeIn(bot, chat.id, fields);
  if ('code' in place) return place;
  bot.typing.push({ chat: chat.chat, threadId: place.message_thread_id ?? null });
  return { result: true };
}

function sendText(bot: Bot, { fields }: Parameters): Result {
  const text = fields.get('text') ?? '';
  const chat = bot.chats.find(fields.get('chat_id') ?? '');
  if ('code' in chat) return chat;
  if (text.trim() === '') return refused('message text is empty');
  const read = readMarkup(text, fields.get('parse_mode'));
  if ('code' in read) return read;
  if (read.text.trim() === '') return refused('message text is empty');
  if (read.text.length > 4096) return refused('message is too long');
  const place = placeIn(bot, chat.id, fields);
  if ('code' in place) return place;
  const keyboard = readKeyboard(fields.get('reply_markup'));
  if ('code' in keyboard) return keyboard;
  return send(bot, chat, text, null, { text: read.text, ...place, ...keyboard });
}

async function sendFile(bot: Bot, method: FileMethodName, { fields, files }: Parameters): Promise<Result> {
  const { parameter } = fileMethods[method];
  const chat = bot.chats.find(fields.get('chat_id') ?? '');
  if ('code' in chat) return chat;
  const caption = fields.get('caption') ?? '';
  const read = readMarkup(caption, fields.get('parse_mode'));
  if ('code' in read) return read;
  if (read.text.length > 1024) return refused('message caption is too long');
  const place = placeIn(bot, chat.id, fields);
  if ('code' in place) return place;
  const upload = files.get(parameter);
  const url = fields.get(parameter);
  if (upload === undefined && url === undefined) return refused(`there is no ${parameter} in the request`);
  const file = upload === undefined ? await fetchFile(url ?? '', method) : takeUpload(upload, method);
  if ('code' in file) return file;
  const sent = {
    file_id: file.sha256,
    file_size: file.bytes,
    file_name: file.filename,
    mime_type: file.mimeType,
  };
  return send(bot, chat, caption, file, { [parameter]: sent, caption: read.text, ...place });
}

/** Where in the chat a message goes, or Telegram's refusal of a topic that is not there. */
function placeIn(
  bot: Bot,
  chat: number,
  fields: Parameters['fields'],
):
  | Refusal
  | {
      readonly message_thread_id?: number;
      readonly is_topic_message?: true;
      readonly reply_to_message?: { message_id: number };
    } {
  const thread = fields.get('message_thread_id');
  if (thread === undefined) return quotedBy(fields);
  if (!bot.topics.has(`${chat}:${thread}`)) return refused('message thread not found');
  return { ...quotedBy(fields), message_thread_id: Number(thread), is_topic_message: true };
}

/** The message that a call answers; Telegram would send without it if it were gone. */
function quotedBy(fields: Parameters['fields']): { reply_to_message?: { message_id: number } } {
  const { message_id: id } = JSON.parse(fields.get('reply_parameters') ?? '{}') as { message_id?: number };
  return id === undefined ? {} : { reply_to_message: { message_id: id } };
}

function send(
  bot: Bot,
  { id, chat }: OpenChat,
  text: string,
  file: SentFile | null,
  content: {
    readonly reply_to_message?: { readonly message_id: number };
    readonly message_thread_id?: number;
    readonly [field: string]: unknown;
  },
): Result {
  const now = Date.now();
  bot.recent = bot.recent.filter((at) => at > now - 1_000);
  if (bot.floodAbove !== null && bot.recent.length >= bot.floodAbove) {
    bot.pausedUntil = now + 3_000;
    return tooMany(3);
  }
  bot.recent.push(now);
  bot.sentInAll += 1;
  bot.ledger.sent(chat, text, file, {
    replyTo: content.reply_to_message?.message_id ?? null,
    threadId: content.message_thread_id ?? null,
  });
  const messageId = bot.nextMessageId(id);
  return {
    result: { message_id: messageId, date: Math.floor(now / 1_000), chat: chatOf(id), ...content },
  };
}

function refused(why: string): Refusal {
  return { code: 400, description: `Bad Request: ${why}` };
}

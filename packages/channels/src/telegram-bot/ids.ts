import { objectOf } from '../reading/untrusted.ts';

/*
 * Telegram numbers messages within each chat, so a message's id alone repeats over the chats of a bot (Bot API,
 * "Message": https://core.telegram.org/bots/api#message). `externalId` is therefore `<chat id>:<message id>`, in both
 * directions. Messages sent by versions before inbound messages have the message id alone.
 */

/** The id of a message, from the message itself. Null if it has none; 0 means that Telegram sends it later. */
export function externalIdOf(message: unknown): string | null {
  const { message_id: id, chat } = objectOf(message);
  if (!Number.isSafeInteger(id) || id === 0) return null;
  const chatId = integerIn(chat, 'id');
  return chatId === null ? String(id) : `${chatId}:${String(id)}`;
}

/**
 * The number of a message within the chat that a send goes to. Null for an id that holds none, such as that of a pressed
 * button, and for a message of another chat.
 */
export function messageNumber(externalId: string, to: string): number | null {
  const [, chat, number] = /^(?:(-?\d+):)?(\d{1,15})$/.exec(externalId) ?? [];
  const isElsewhere = chat !== undefined && chat !== to && !to.startsWith('@');
  return number === undefined || isElsewhere ? null : Number(number);
}

/** The integer with that name, as text; null if it is none. */
export function integerIn(document: unknown, name: string): string | null {
  const found = objectOf(document)[name];
  return Number.isSafeInteger(found) ? String(found) : null;
}

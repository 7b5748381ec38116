import { randomUUID } from 'node:crypto';
import type { Bot } from './bot.ts';
import { chatOf } from './chats.ts';

/** A message that a person wrote. */
export interface Written {
  readonly updateId: number;
  readonly messageId: number;
}

/** The kinds of file that a person can send. */
export type FileKind =
  'photo' | 'video' | 'animation' | 'audio' | 'voice' | 'video_note' | 'document' | 'sticker';

export interface PersonsFile {
  readonly kind: FileKind;
  readonly bytes: Buffer;
  readonly filename?: string;
  readonly mimeType?: string;
  readonly caption?: string;
}

/** What people do in the chats of the bot. Chats with a negative id are groups; person 1000 acts in them. */
export interface People {
  /** Any message: the fields of the Bot API beside those that every message has. */
  send(chat: number, fields: object): Written;
  write(
    chat: number,
    text: string,
    options?: {
      readonly replyTo?: number;
      /** The topic, which is made if it is new. */ readonly threadId?: number;
    },
  ): Written;
  sendFile(chat: number, file: PersonsFile): Written & { readonly fileId: string };
  edit(chat: number, messageId: number, text: string): number;
  /** Null takes the reaction back. */
  react(chat: number, messageId: number, emoji: string | null): number;
  /** Presses a button of a message. Returns the id that the bot has to acknowledge. */
  press(chat: number, messageId: number, data: string): string;
  /** Presses Start, after a link if there is a payload. */
  start(chat: number, payload?: string): Written;
  block(chat: number): number;
  unblock(chat: number): number;
  /** A group becomes a supergroup. Both chats tell it. */
  migrate(group: number, supergroup: number): readonly number[];
  /** Telegram drops a file. */
  dropFile(fileId: string): void;
  /** Any update. Sent only if the bot asked for its kind. */
  update(kind: string, content: object): number;
}

export function peopleOf(bot: Bot): People {
  const { receiving } = bot;
  const now = (): number => Math.floor(Date.now() / 1_000);

  function update(kind: string, content: object): number {
    return receiving.allowed.includes(kind) ? receiving.queue.add(kind, content) : 0;
  }

  function common(chat: number, messageId: number): object {
    return { message_id: messageId, from: person(chat), chat: chatOf(chat), date: now() };
  }

  function send(chat: number, fields: object): Written {
    const messageId = bot.nextMessageId(chat);
    return { messageId, updateId: update('message', { ...common(chat, messageId), ...fields }) };
  }

  function membership(chat: number, before: string, after: string): number {
    const member = (status: string) => ({ user: { id: 110201543, is_bot: true }, status });
    return update('my_chat_member', {
      chat: chatOf(chat),
      from: person(chat),
      date: now(),
      old_chat_member: member(before),
      new_chat_member: member(after),
    });
  }

  return {
    send,
    update,
    write(chat, text, { replyTo, threadId } = {}) {
      if (threadId !== undefined) bot.topics.add(`${chat}:${threadId}`);
      const topic = threadId === undefined ? {} : { message_thread_id: threadId, is_topic_message: true };
      const quoted = replyTo === undefined ? {} : { reply_to_message: common(chat, replyTo) };
      return send(chat, { text, ...quoted, ...topic });
    },
    sendFile(chat, { kind, bytes, filename, mimeType, caption }) {
      const fileId = randomUUID();
      receiving.files.set(fileId, { bytes, path: `${kind}s/file_${receiving.files.size}.bin` });
      const file = {
        file_id: fileId,
        file_unique_id: fileId,
        file_size: bytes.length,
        ...(filename === undefined ? {} : { file_name: filename }),
        ...(mimeType === undefined ? {} : { mime_type: mimeType }),
      };
      const content = kind === 'photo' ? [{ ...file, width: 90, height: 90 }] : file;
      const also = kind === 'animation' ? { document: file } : {};
      const words = caption === undefined ? {} : { caption };
      return { ...send(chat, { [kind]: content, ...also, ...words }), fileId };
    },
    edit: (chat, messageId, text) =>
      update('edited_message', { ...common(chat, messageId), edit_date: now(), text }),
    react(chat, messageId, emoji) {
      const content = { chat: chatOf(chat), message_id: messageId, user: person(chat), date: now() };
      const reactions = emoji === null ? [] : [{ type: 'emoji', emoji }];
      return update('message_reaction', { ...content, old_reaction: [], new_reaction: reactions });
    },
    press(chat, messageId, data) {
      const id = String(Math.floor(Math.random() * 1e15));
      const keyboard = { inline_keyboard: [[{ text: `Button ${data}`, callback_data: data }]] };
      const message = { ...common(chat, messageId), reply_markup: keyboard };
      update('callback_query', { id, from: person(chat), message, chat_instance: '1', data });
      return id;
    },
    start(chat, payload) {
      bot.chats.set(String(chat), 'open');
      return send(chat, { text: payload === undefined ? '/start' : `/start ${payload}` });
    },
    block(chat) {
      bot.chats.set(String(chat), 'blocked');
      return membership(chat, 'member', 'kicked');
    },
    unblock(chat) {
      bot.chats.set(String(chat), 'open');
      return membership(chat, 'kicked', 'member');
    },
    migrate(group, supergroup) {
      bot.chats.set(String(group), { movedTo: supergroup });
      bot.chats.set(String(supergroup), 'open');
      const old = send(group, { migrate_to_chat_id: supergroup });
      return [old.updateId, send(supergroup, { migrate_from_chat_id: group }).updateId];
    },
    dropFile: (fileId) => void receiving.files.delete(fileId),
  };
}

function person(chat: number): object {
  const id = chat > 0 ? chat : 1_000;
  return { id, is_bot: false, first_name: `Person ${id}`, username: `person_${id}` };
}

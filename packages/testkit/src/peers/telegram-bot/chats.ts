/** How a chat takes what the bot sends. */
export type ChatState =
  'open' | 'blocked' | 'deactivated' | 'never-started' | 'kicked' | { readonly movedTo: number };

/** A refusal as the Bot API words it. */
export interface Refusal {
  readonly code: number;
  readonly description: string;
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
}

/** A chat that takes messages: its id, and the name it was requested by. */
export interface OpenChat {
  readonly id: number;
  readonly chat: string;
}

/** The chats of a bot, by id or @username. */
export interface Chats {
  set(chat: string, state: ChatState): void;
  /** A chat that takes messages, or Telegram's refusal. */
  find(chat: string): OpenChat | Refusal;
}

const channelId = -1_009_999;

/**
 * The initial chats: persons 1000 to 1999 have pressed Start; 2001 blocked the bot, 2002 is gone, 2003 never started
 * it; -2004 threw it out; -2005 has become the supergroup -1002005; @notify_channel is a channel the bot may write to.
 */
export function openChats(): Chats {
  const states = new Map<string, ChatState>([
    ['2001', 'blocked'],
    ['2002', 'deactivated'],
    ['2003', 'never-started'],
    ['-2004', 'kicked'],
    ['-2005', { movedTo: -1_002_005 }],
    ['-1002005', 'open'],
    ['@notify_channel', 'open'],
  ]);
  for (let id = 1000; id < 2000; id += 1) states.set(String(id), 'open');
  return {
    set: (chat, state) => void states.set(chat, state),
    find(chat) {
      const state = states.get(chat);
      if (state === undefined) return { code: 400, description: 'Bad Request: chat not found' };
      if (state === 'open') return { id: chat.startsWith('@') ? channelId : Number(chat), chat };
      return refusalOf(state);
    },
  };
}

function refusalOf(state: Exclude<ChatState, 'open'>): Refusal {
  switch (state) {
    case 'blocked':
      return { code: 403, description: 'Forbidden: bot was blocked by the user' };
    case 'deactivated':
      return { code: 403, description: 'Forbidden: user is deactivated' };
    case 'never-started':
      return { code: 403, description: "Forbidden: bot can't initiate conversation with a user" };
    case 'kicked':
      return { code: 403, description: 'Forbidden: bot was kicked from the group chat' };
    default: {
      const description = 'Bad Request: group chat was upgraded to a supergroup chat';
      return { code: 400, description, parameters: { migrate_to_chat_id: state.movedTo } };
    }
  }
}

/** Supergroups have long ids (https://core.telegram.org/bots/api#chat). */
export function chatOf(id: number): { readonly id: number; readonly type: string } {
  return { id, type: id > 0 ? 'private' : isSupergroup(id) ? 'supergroup' : 'group' };
}

/** These number their messages apart; all other chats of a bot share one row of numbers. */
export function isSupergroup(id: number): boolean {
  return id <= -1_000_000;
}

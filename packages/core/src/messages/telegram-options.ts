/** How Telegram shows one message. All are optional. */
export interface TelegramOptions {
  /** How the text or the caption is marked up. Without it they arrive as they are. */
  readonly format?: 'html' | 'markdown';
  /** The topic of the chat. */
  readonly threadId?: number;
  /** Whether it arrives without a sound. */
  readonly silent?: boolean;
  /** Whether a link in a text is shown with a preview. */
  readonly preview?: boolean;
}

/**
 * The most that Telegram takes in one message: "1-4096 characters after entities parsing" of a text, "0-1024" of a caption (Bot API,
 * https://core.telegram.org/bots/api#sendmessage and https://core.telegram.org/bots/api#sendphoto). A character is a UTF-16 code
 * unit, as in the offsets of entities (https://core.telegram.org/bots/api#messageentity).
 */
export const telegramLimits = { text: 4_096, caption: 1_024 } as const;

/** The most characters that we take of a text and of a caption with `format`, markup included. */
export const formattedLimits = { text: 16_384, caption: 4_096 } as const;

import type { SentFile } from './files.ts';

/** A message as Telegram knows it, by its chat and its text or caption. */
export interface TelegramEntry {
  readonly chat: string;
  readonly text: string;
  /** The calls that requested it, and the times it was sent. More than once is a duplicate at the recipient. */
  readonly asked: number;
  readonly sent: number;
  /** Requests for it while the bot was told to wait. */
  readonly throttled: number;
  readonly method: string;
  readonly file: SentFile | null;
  /** The number of the message that it quotes; null without one. */
  readonly replyTo: number | null;
  /** The topic that it went to; null without one. */
  readonly threadId: number | null;
  /** The fields of the last call that requested it. */
  readonly fields: Readonly<Record<string, string>>;
  /** When it was last sent, in ms since 1970; null if never. */
  readonly sentAt: number | null;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A bot's record of its messages. */
export class TelegramLedger {
  private readonly byMessage = new Map<string, Writable<TelegramEntry>>();
  private readonly waiting = new Set<() => void>();
  private looking = false;

  entries(): readonly TelegramEntry[] {
    return [...this.byMessage.values()];
  }

  asked(
    chat: string,
    text: string,
    method: string,
    throttled: boolean,
    fields: TelegramEntry['fields'] = {},
  ): void {
    const entry = this.entry(chat, text);
    entry.asked += 1;
    if (throttled) entry.throttled += 1;
    entry.method = method;
    entry.fields = fields;
    this.changed();
  }

  sent(
    chat: string,
    text: string,
    file: SentFile | null,
    place: Pick<TelegramEntry, 'replyTo' | 'threadId'>,
  ): void {
    const entry = this.entry(chat, text);
    entry.sent += 1;
    entry.file = file;
    entry.replyTo = place.replyTo;
    entry.threadId = place.threadId;
    entry.sentAt = Date.now();
    this.changed();
  }

  /** Resolves as soon as the entries satisfy the condition. */
  when(condition: (entries: readonly TelegramEntry[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition(this.entries())) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
    });
  }

  /** Checks once for all the changes of a turn of the event loop. */
  private changed(): void {
    if (this.waiting.size === 0 || this.looking) return;
    this.looking = true;
    setImmediate(() => {
      this.looking = false;
      for (const look of this.waiting) look();
    });
  }

  private entry(chat: string, text: string): Writable<TelegramEntry> {
    const key = JSON.stringify([chat, text]);
    const known = this.byMessage.get(key);
    if (known !== undefined) return known;
    const made = {
      chat,
      text,
      asked: 0,
      sent: 0,
      throttled: 0,
      method: '',
      file: null,
      replyTo: null,
      threadId: null,
      fields: {},
      sentAt: null,
    };
    this.byMessage.set(key, made);
    return made;
  }
}

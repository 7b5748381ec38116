/** How the server answers a message. With `times`, it does so that many times, then answers normally. */
export type AckBehaviour =
  | { readonly answer: 'send' }
  /** The message is delivered, but the sender gets no answer. */
  | { readonly answer: 'lose'; readonly times?: number }
  /** Refused with a code, such as 463 or 479. No recipient gets the message. */
  | { readonly answer: 'refuse'; readonly code: number; readonly times?: number };

/** A temporarily refused login. A 402 says why (`code`, 101 to 106) and when it ends. */
export interface LoginRefusal {
  readonly reason: number;
  readonly code?: number;
  /** Seconds from now, or of the epoch. WhatsApp sends both. */
  readonly expire?: number;
}

/** How a part of WhatsApp behaves, normally or not. */
export interface Behaviour {
  /** Accepts connections and reads everything, but answers nothing. */
  readonly frozen: boolean;
  /** Queries that get no answer, as `xmlns/type/child`, such as `usync/get/usync` or `encrypt/get/key`. */
  readonly unanswered: readonly string[];
  readonly ack: AckBehaviour;
  /**
   * How long after the ack the recipient's receipts are sent, in ms; null: never. `read` may come before `delivered`.
   */
  readonly receipts: { readonly deliveredAfterMs: number | null; readonly readAfterMs: number | null };
  /** The recipient cannot read the message and asks for it again that many times. With `of`, only that device does. */
  readonly retry: { readonly times: number; readonly withKeys?: boolean; readonly of?: number };
  /** Queries that are answered with an error, by their name, such as 429 (`rate-overlimit`) or 503. */
  readonly refusedQueries: Readonly<Record<string, number>>;
  /** Parts of usync queries (`contact`, `devices`, `lid`) that fail with a code, inside a successful answer. */
  readonly usyncErrors: Readonly<Record<string, number>>;
  /**
   * How a login is refused: a code, such as 401, 403, 405, 406, 409, 419, 500 or 503, or with details; null: it is
   * accepted.
   */
  readonly refuseLogin: number | LoginRefusal | null;
  /** The account may not begin chats until then, in seconds of the epoch; null: it may. */
  readonly restrictedUntil: number | null;
  /** The phone's owner lets others see what they have read. */
  readonly readReceipts: boolean;
}

/** The scope of a behaviour: empty for all, an account by its phone, a recipient by their number. */
export interface Scope {
  readonly account?: string;
  readonly number?: string;
}

const usual: Behaviour = {
  frozen: false,
  unanswered: [],
  refusedQueries: {},
  usyncErrors: {},
  ack: { answer: 'send' },
  receipts: { deliveredAfterMs: 0, readAfterMs: null },
  retry: { times: 0 },
  refuseLogin: null,
  restrictedUntil: null,
  readReceipts: true,
};

/** The configured behaviours. A recipient's comes before an account's, an account's before that of all. */
export class Behaviours {
  private readonly layers = new Map<string, Partial<Behaviour>>();

  /** Changes the given settings and keeps the others. Null returns a setting to normal. */
  set(scope: Scope, changes: { readonly [Key in keyof Behaviour]?: Behaviour[Key] | null }): void {
    const merged = { ...this.layers.get(nameOf(scope)), ...changes };
    const said = Object.entries(merged).filter(([, value]) => value !== null);
    this.layers.set(nameOf(scope), Object.fromEntries(said));
  }

  of<Key extends keyof Behaviour>(key: Key, scope: Scope): Behaviour[Key] {
    return this.layerOf(key, scope)?.[key] ?? usual[key];
  }

  /** Reads a setting that counts, and uses up one of its times. */
  take<Key extends 'ack' | 'retry'>(key: Key, scope: Scope): Behaviour[Key] {
    const layer = this.layerOf(key, scope);
    const said = layer?.[key];
    if (layer === undefined || said === undefined) return usual[key];
    const { times } = said as { times?: number };
    if (times === undefined) return said;
    if (times > 1) Object.assign(layer, { [key]: { ...said, times: times - 1 } });
    else delete layer[key];
    return said;
  }

  private layerOf(key: keyof Behaviour, { account, number }: Scope): MutablePartial | undefined {
    const names = [
      ...(number === undefined ? [] : [nameOf({ number })]),
      ...(account === undefined ? [] : [nameOf({ account })]),
      nameOf({}),
    ];
    return names.map((name) => this.layers.get(name)).find((layer) => layer?.[key] !== undefined);
  }
}

type MutablePartial = { -readonly [Key in keyof Behaviour]?: Behaviour[Key] };

function nameOf({ account, number }: Scope): string {
  if (number !== undefined) return `number ${number}`;
  return account === undefined ? 'all' : `account ${account}`;
}

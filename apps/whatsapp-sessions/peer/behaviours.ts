/** How the server answers a message. With `times`, so often, and then as if nothing had been said. */
export type AckBehaviour =
  | { readonly answer: 'send' }
  /** The message arrives, and the sender never hears of it. */
  | { readonly answer: 'lose'; readonly times?: number }
  /** Refused with a code, such as 463 or 479; nobody gets it. */
  | { readonly answer: 'refuse'; readonly code: number; readonly times?: number };

/** A login that is refused for a time: 402 says why (`code`, 101 to 106) and when it ends. */
export interface LoginRefusal {
  readonly reason: number;
  readonly code?: number;
  /** Seconds from now or of the epoch: both are seen. */
  readonly expire?: number;
}

/** What a part of WhatsApp does, be it as usual or not. */
export interface Behaviour {
  /** Reads everything and answers nothing: connections open, and that is all. */
  readonly frozen: boolean;
  /** Queries that get no answer, as `xmlns/type/child`, such as `usync/get/usync` or `encrypt/get/key`. */
  readonly unanswered: readonly string[];
  readonly ack: AckBehaviour;
  /** How long after the ack the recipient's receipts go out, in ms; null: never. `read` may come before `delivered`. */
  readonly receipts: { readonly deliveredAfterMs: number | null; readonly readAfterMs: number | null };
  /** The recipient cannot read the message and asks for it again, so many times: any device of theirs, or one. */
  readonly retry: { readonly times: number; readonly withKeys?: boolean; readonly of?: number };
  /** Queries that are answered with an error, by their name, such as 429 (`rate-overlimit`) or 503. */
  readonly refusedQueries: Readonly<Record<string, number>>;
  /** Parts of usync queries (`contact`, `devices`, `lid`) that fail with a code, inside an answer that is no error. */
  readonly usyncErrors: Readonly<Record<string, number>>;
  /** How a login is refused: the code alone, such as 401, 403, 405, 406, 409, 419, 500 or 503, or more; null: not. */
  readonly refuseLogin: number | LoginRefusal | null;
  /** Until when, in seconds of the epoch, the account may not begin chats; null: it may. */
  readonly restrictedUntil: number | null;
}

/** For whom a behaviour holds: nothing for all, an account by its phone, a recipient by their number. */
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
};

/** How WhatsApp was told to behave. What was said of a recipient goes before what was said of an account, then of all. */
export class Behaviours {
  private readonly layers = new Map<string, Partial<Behaviour>>();

  /** Changes what is given, and leaves the rest; null for a whole setting returns it to the usual. */
  set(scope: Scope, changes: { readonly [Key in keyof Behaviour]?: Behaviour[Key] | null }): void {
    const merged = { ...this.layers.get(nameOf(scope)), ...changes };
    const said = Object.entries(merged).filter(([, value]) => value !== null);
    this.layers.set(nameOf(scope), Object.fromEntries(said));
  }

  of<Key extends keyof Behaviour>(key: Key, scope: Scope): Behaviour[Key] {
    return this.layerOf(key, scope)?.[key] ?? usual[key];
  }

  /** The same for a setting that counts: this is one of its times. */
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

/** An update as the bot gets it. */
export interface Update {
  readonly update_id: number;
  readonly [kind: string]: unknown;
}

/** How often an update was given to the bot, and whether the bot has said that it has it. */
export interface UpdateRecord {
  readonly id: number;
  /** Its kind, such as `message`. */
  readonly kind: string;
  readonly posted: number;
  readonly read: number;
  /** A 2xx of the webhook, or a later offset of `getUpdates`. */
  readonly confirmed: boolean;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Updates older than this are dropped, in ms (Bot API, "Getting updates"). */
const keptMs = 24 * 3_600_000;

interface Waiting {
  readonly update: Update;
  readonly since: number;
}

/** The updates that the bot has not confirmed, and a record of all. */
export class UpdateQueue {
  private readonly waiting: Waiting[] = [];
  private readonly records = new Map<number, Writable<UpdateRecord>>();
  private readonly watchers = new Set<() => void>();
  private nextId = 500_000_000 + Math.floor(Math.random() * 1_000_000);
  /** Moves the clock of the updates forward, in ms. */
  private aheadMs = 0;

  add(kind: string, content: object): number {
    const id = this.nextId;
    this.nextId += 1;
    this.waiting.push({ update: { update_id: id, [kind]: content }, since: this.now() });
    this.records.set(id, { id, kind, posted: 0, read: 0, confirmed: false });
    this.changed();
    return id;
  }

  /** The oldest updates from `offset` on, at most `limit`. */
  from(offset: number, limit: number): Update[] {
    this.dropOld();
    const updates = this.waiting.map(({ update }) => update).filter(({ update_id }) => update_id >= offset);
    return updates.slice(0, limit);
  }

  /** Forgets those before `offset`; a negative one counts from the end. Returns where to read on. */
  confirmBefore(offset: number): number {
    const start = offset >= 0 ? offset : (this.waiting.at(offset)?.update.update_id ?? 0);
    // One that is far ahead is that of another bot, and confirms nothing.
    if (start > this.nextId + 10) return 0;
    const passed = this.waiting.filter(({ update }) => update.update_id < start);
    for (const { update } of passed) this.confirm(update.update_id);
    return start;
  }

  confirm(id: number): void {
    const index = this.waiting.findIndex(({ update }) => update.update_id === id);
    if (index !== -1) this.waiting.splice(index, 1);
    const record = this.records.get(id);
    if (record !== undefined) record.confirmed = true;
    this.changed();
  }

  given(updates: readonly Update[], how: 'posted' | 'read'): void {
    for (const { update_id } of updates) this.records.get(update_id)![how] += 1;
    this.changed();
  }

  dropAll(): void {
    this.waiting.length = 0;
    this.changed();
  }

  get count(): number {
    return this.waiting.length;
  }

  history(): readonly UpdateRecord[] {
    return [...this.records.values()];
  }

  /** Lets time pass for the updates that wait. */
  pass(ms: number): void {
    this.aheadMs += ms;
  }

  /** Resolves at the next change, or when `signal` aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.watchers.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', done);
      this.watchers.add(done);
    });
  }

  private changed(): void {
    for (const watcher of this.watchers) watcher();
  }

  private now(): number {
    return Date.now() + this.aheadMs;
  }

  private dropOld(): void {
    while ((this.waiting[0]?.since ?? Infinity) < this.now() - keptMs) this.waiting.shift();
  }
}

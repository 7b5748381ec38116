/** A message as an SMS provider's peer knows it. */
export interface SmsEntry {
  /** Our id of the message. */
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly text: string;
  readonly asked: number;
  /** The provider's ids of the message. More than one is a duplicate at the recipient. */
  readonly externalIds: readonly string[];
  /** Delivery receipts that our side answered with 2xx. */
  readonly reported: number;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A peer's record of the messages it was asked for, took and reported. */
export class SmsLedger {
  private readonly byId = new Map<string, Writable<SmsEntry>>();
  private readonly waiting = new Set<() => void>();

  entries(): readonly SmsEntry[] {
    return [...this.byId.values()];
  }

  /** Records a request, whatever its outcome. */
  ask(message: Pick<SmsEntry, 'id' | 'to' | 'from' | 'text'>): void {
    const known = this.byId.get(message.id);
    const asked = (known?.asked ?? 0) + 1;
    const { externalIds, reported } = known ?? { externalIds: [], reported: 0 };
    this.byId.set(message.id, { ...message, asked, externalIds, reported });
    this.changed();
  }

  take(id: string, externalId: string): void {
    this.change(id, (entry) => (entry.externalIds = [...entry.externalIds, externalId]));
  }

  report(id: string): void {
    this.change(id, (entry) => (entry.reported += 1));
  }

  /** Resolves as soon as the condition holds. */
  when(condition: (entries: readonly SmsEntry[]) => boolean): Promise<void> {
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

  private change(id: string, how: (entry: Writable<SmsEntry>) => void): void {
    const entry = this.byId.get(id);
    if (entry === undefined) throw new Error(`${id} was never asked for`);
    how(entry);
    this.changed();
  }

  private changed(): void {
    for (const look of this.waiting) look();
  }
}

import type { BinaryNode } from '@whiskeysockets/baileys';

const maxCounts = 1_000;

/**
 * Baileys' count of retries, by message and requesting device. Baileys counts each resend twice, so its limit of five
 * would allow only two. Resends are therefore counted in the store, and appear here only once they are exhausted. Our
 * own requests to others are counted as Baileys does: under keys without a JID, or in groups with that of the sender.
 */
export class RetryCounts {
  private readonly counts = new Map<string, unknown>();
  private readonly received = new Set<string>();

  /** Call it with each stanza before Baileys reads it. */
  note({ tag, attrs: { id, participant } }: BinaryNode): void {
    if (tag !== 'message' || id === undefined || participant === undefined) return;
    this.received.add(`${id}:${participant}`);
    const [oldest] = this.received;
    if (this.received.size > maxCounts && oldest !== undefined) this.received.delete(oldest);
  }

  /** Makes Baileys ignore further requests of a device for a message. */
  end(id: string, device: string): void {
    this.keep(`${id}:${device}`, Infinity);
  }

  get<T>(key: string): T | undefined {
    return this.counts.get(key) as T | undefined;
  }

  set<T>(key: string, count: T): void {
    if (!key.includes('@') || this.received.has(key)) this.keep(key, count);
  }

  del(key: string): void {
    this.counts.delete(key);
  }

  flushAll(): void {
    this.counts.clear();
  }

  private keep(key: string, count: unknown): void {
    this.counts.set(key, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > maxCounts && oldest !== undefined) this.counts.delete(oldest);
  }
}

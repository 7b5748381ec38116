const maxCounts = 1_000;

/**
 * Baileys' count of retries, by message and who asked. It counts each message that we send again twice, so that five would
 * be two: those are counted in the store, and here only once they have ended. What we ask others for again is counted as
 * Baileys does, under keys that name nobody.
 */
export class RetryCounts {
  private readonly counts = new Map<string, unknown>();

  /** Has Baileys take no more requests of a device for a message. */
  end(id: string, device: string): void {
    this.keep(`${id}:${device}`, Infinity);
  }

  get<T>(key: string): T | undefined {
    return this.counts.get(key) as T | undefined;
  }

  set<T>(key: string, count: T): void {
    if (!key.includes('@')) this.keep(key, count);
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

import type { EventEmitter } from 'node:events';

type Listener = (...args: unknown[]) => unknown;

export interface Guards {
  /** A frame could not be read. */
  readonly onUnreadable: () => void;
  /** Work that has to succeed before Baileys' listeners for an event are called. */
  readonly before: Readonly<Record<string, (stanza: unknown) => Promise<void> | null>>;
}

/**
 * Handles the rejections of Baileys' async listeners for frames and stanzas. Unhandled, one frame that cannot be
 * decrypted, or one query without an answer, would end this process with all its accounts. Wraps the listeners that
 * exist now. A failed stanza is ignored.
 */
export function guardListeners(emitter: EventEmitter, { onUnreadable, before }: Guards): void {
  for (const event of emitter.eventNames()) {
    if (event === 'message') guard(emitter, event, null, onUnreadable);
    else if (typeof event === 'string' && event.startsWith('CB:'))
      guard(emitter, event, before[event] ?? null, () => undefined);
  }
}

function guard(
  emitter: EventEmitter,
  event: string,
  before: Guards['before'][string] | null,
  onFault: () => void,
): void {
  const listeners = emitter.listeners(event) as Listener[];
  emitter.removeAllListeners(event);
  for (const listener of listeners)
    emitter.on(event, (...args: unknown[]) => {
      const first = before?.(args[0]) ?? null;
      const called = first === null ? Promise.try(listener, ...args) : first.then(() => listener(...args));
      void called.catch(onFault);
    });
}

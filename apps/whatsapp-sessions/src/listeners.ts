import type { EventEmitter } from 'node:events';

type Listener = (...args: unknown[]) => unknown;

/**
 * Handles the rejections of Baileys' async listeners for frames and stanzas. Unhandled, one frame that cannot be
 * decrypted, or one query without an answer, would end this process with all its accounts. Wraps the listeners that
 * exist now. Calls `onUnreadable` if a frame could not be read; a failed stanza is ignored.
 */
export function guardListeners(emitter: EventEmitter, onUnreadable: () => void): void {
  for (const event of emitter.eventNames()) {
    if (event === 'message') guard(emitter, event, onUnreadable);
    else if (typeof event === 'string' && event.startsWith('CB:')) guard(emitter, event, () => undefined);
  }
}

function guard(emitter: EventEmitter, event: string, onFault: () => void): void {
  const listeners = emitter.listeners(event) as Listener[];
  emitter.removeAllListeners(event);
  for (const listener of listeners)
    emitter.on(event, (...args: unknown[]) => {
      void Promise.try(listener, ...args).catch(onFault);
    });
}

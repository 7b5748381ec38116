import type { Backend } from './backend.ts';
import { within } from './time-limit.ts';

/** A backend that some workers use. */
export interface Lease {
  readonly backend: Backend;
  /** The worker that used it has ended. */
  release(): Promise<void>;
}

/** The backend of the workers of a lane, and those before it that are still in use. */
export interface Generations {
  /** The newest backend, for one worker. */
  lease(): Lease;
  /**
   * Replaces `old` by a new backend, unless that has been done. Resolves to false if a new one gets no answer for the
   * queue either: the store is away, and a new backend would not help.
   */
  renew(old: Backend, queue: string): Promise<boolean>;
  close(): Promise<void>;
}

const answerMs = 2_000;

/** Closes a backend when it has been replaced and its last worker has ended. */
export function createGenerations(open: () => Backend): Generations {
  const users = new Map<Backend, number>();
  let newest = open();
  let renewing: Promise<boolean> | null = null;

  async function replace(queue: string): Promise<boolean> {
    const fresh = open();
    try {
      await within(answerMs, 'an answer', fresh.answers(queue));
    } catch {
      await fresh.close();
      return false;
    }
    const old = newest;
    newest = fresh;
    if (!users.has(old)) await old.close();
    return true;
  }

  return {
    lease() {
      const backend = newest;
      users.set(backend, (users.get(backend) ?? 0) + 1);
      return {
        backend,
        async release() {
          const left = users.get(backend)! - 1;
          if (left > 0) users.set(backend, left);
          else users.delete(backend);
          if (left === 0 && backend !== newest) await backend.close();
        },
      };
    },
    async renew(old, queue) {
      if (old !== newest) return true;
      renewing ??= replace(queue).finally(() => (renewing = null));
      return renewing;
    },
    async close() {
      await renewing;
      await newest.close();
    },
  };
}

import { randomInt } from 'node:crypto';
import type { Notify } from '@notify/sdk';

/** A steady stream of messages. */
export interface Load {
  /** Messages that the service accepted. */
  readonly sent: number;
  begin(): void;
  /** Resolves when every send has its answer. */
  stop(): Promise<void>;
}

/** The endings of sandbox recipients: most succeed, some fail at once, are repeated, or fail later. */
const endings = ['9999', '9999', '9999', '9999', '0001', '0002', '0004'];

/** Sends one message in this time, whether or not earlier ones have their answers. */
export function startLoad(notify: Notify, everyMs: number): Load {
  const pending = new Set<Promise<void>>();
  let sent = 0;
  let timer: NodeJS.Timeout | undefined;
  let failure: Error | null = null;

  async function send(): Promise<void> {
    const ending = endings[randomInt(endings.length)] ?? '9999';
    const to = `+1555${String(randomInt(1_000)).padStart(3, '0')}${ending}`;
    try {
      await notify.messages.sendText(randomInt(2) === 0 ? 'sms' : 'whatsapp', { to, text: 'Are you open?' });
      sent += 1;
    } catch (error) {
      failure = new Error('a message was not accepted', { cause: error });
    }
  }

  return {
    get sent() {
      return sent;
    },
    begin() {
      timer = setInterval(() => {
        const one = send().finally(() => pending.delete(one));
        pending.add(one);
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      if (failure !== null) throw failure;
    },
  };
}

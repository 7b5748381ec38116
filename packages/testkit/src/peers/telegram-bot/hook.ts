import { setTimeout as wait } from 'node:timers/promises';
import type { Update, UpdateQueue } from './update-queue.ts';

/** The webhook of a bot. */
export interface Webhook {
  readonly url: string;
  readonly secretToken: string | null;
}

const atOnce = 40;
const firstPauseMs = 100;
const longestPauseMs = 5_000;
const answerMs = 60_000;

/** Posts updates to a webhook until it is stopped. */
export interface HookPosts {
  readonly lastError: { readonly at: number; readonly message: string } | null;
  stop(): void;
}

/**
 * Posts each update of the queue, several at once, and again until the answer is a 2xx (Bot API, "setWebhook"). `reach`
 * says where an address really is. `call` runs the method that an answer names.
 */
export function postUpdates(
  { url, secretToken }: Webhook,
  queue: UpdateQueue,
  reach: (url: string) => string,
  call: (method: string, parameters: object) => void,
): HookPosts {
  const stopped = new AbortController();
  const posting = new Set<number>();
  const posts = { lastError: null as HookPosts['lastError'], stop: () => stopped.abort() };

  async function post(update: Update): Promise<boolean> {
    queue.given([update], 'posted');
    const secret = secretToken === null ? {} : { 'x-telegram-bot-api-secret-token': secretToken };
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(answerMs)]);
    const answer = await fetch(reach(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...secret },
      body: JSON.stringify(update),
      signal,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Wrong response from the webhook: ${answer.status} ${answer.statusText}`);
    queue.confirm(update.update_id);
    answerCalls(text);
    return true;
  }

  function answerCalls(text: string): void {
    try {
      const { method, ...parameters } = JSON.parse(text) as { method?: string };
      if (method !== undefined) call(method, parameters);
    } catch {
      // An answer may be empty, or any text.
    }
  }

  async function untilPosted(update: Update): Promise<void> {
    let pauseMs = firstPauseMs;
    while (!stopped.signal.aborted) {
      const isPosted = await post(update).catch((error: Error) => {
        posts.lastError = { at: Math.floor(Date.now() / 1_000), message: error.message };
        return false;
      });
      if (isPosted) break;
      await wait(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
    }
    posting.delete(update.update_id);
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      for (const update of queue.from(0, atOnce)) {
        if (posting.size >= atOnce || posting.has(update.update_id)) continue;
        posting.add(update.update_id);
        void untilPosted(update);
      }
      await queue.next(stopped.signal);
    }
  }

  void run();
  return posts;
}

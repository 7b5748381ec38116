import { Pool } from 'undici';

/*
 * The baseline of the webhook worker: bare undici in its own process, which posts one body again and again.
 * `node undici-posts.ts <url> <concurrency> <count> <bodyBytes>` tells its parent that it is ready, waits for any
 * message, posts, and reports the time of all posts together, in ms.
 */
const [url = '', concurrency = '', count = '', bodyBytes = ''] = process.argv.slice(2);
const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections: Number(concurrency) });
const body = Buffer.from(`{"pad":"${'x'.repeat(Number(bodyBytes) - 10)}"}`);
let left = Number(count);

async function postUntilNoneIsLeft(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const answer = await pool.request({
      method: 'POST',
      path: pathname,
      headers: { 'content-type': 'application/json' },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`answered ${answer.statusCode}`);
  }
}

// `end-with-parent.ts` unreferences the channel. Without this line the process would end before the message comes.
process.channel?.ref();
process.once('message', () => {
  const began = performance.now();
  void Promise.all(Array.from({ length: Number(concurrency) }, postUntilNoneIsLeft)).then(() => {
    process.send?.({ tookMs: performance.now() - began }, () => process.disconnect());
    return pool.close();
  });
});
process.send?.('ready');

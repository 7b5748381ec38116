import { Pool } from 'undici';

/*
 * What a webhook worker is measured against: bare undici, in a process of its own, posting one body again and again.
 * `node undici-posts.ts <url> <concurrency> <count> <bodyBytes>`. Tells its parent that it is ready, waits for any
 * message, posts, and tells how long all of it took, in ms.
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

// What ends us with our parent lets go of the channel; without it there would be nothing to wait for.
process.channel?.ref();
process.once('message', () => {
  const began = performance.now();
  void Promise.all(Array.from({ length: Number(concurrency) }, postUntilNoneIsLeft)).then(() => {
    process.send?.({ tookMs: performance.now() - began }, () => process.disconnect());
    return pool.close();
  });
});
process.send?.('ready');

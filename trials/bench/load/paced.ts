import { Agent, request } from 'node:http';

/*
 * Sends at a fixed rate, whatever the answers (open loop), from its own process: `node paced.ts
 * <apiUrl,…> <perSecond> <seconds> <prefix> <key,…>`. It tells its parent that it is ready, waits for any message, sends, and
 * reports the time of each 202, in ms since 1970, and how long it took, by the text of the message.
 */
const [apiUrls = '', perSecond = '', seconds = '', prefix = '', keyList = ''] = process.argv.slice(2);
const apis = apiUrls.split(',');
const keys = keyList.split(',');
const count = Math.round(Number(perSecond) * Number(seconds));
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const accepted: [text: string, at: number, tookMs: number][] = [];
let refused = 0;

function send(index: number): Promise<void> {
  const text = `${prefix} ${index}`;
  const body = JSON.stringify({ to: `+1415555${String(index % 10_000).padStart(4, '0')}`, text });
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-api-key': keys[index % keys.length],
    };
    const sending = request(
      `${apis[index % apis.length]}/v1/notify/sms/text`,
      { method: 'POST', agent, headers },
      (answer) => {
        const now = performance.now();
        if (answer.statusCode === 202) accepted.push([text, performance.timeOrigin + now, now - began]);
        else refused += 1;
        answer.resume().on('end', resolve);
      },
    );
    sending.on('error', reject).end(body);
  });
}

/** Sends every message that is due, then waits a millisecond. */
async function sendAll(): Promise<void> {
  const began = performance.now();
  const sends: Promise<void>[] = [];
  while (sends.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - began) * Number(perSecond)) / 1_000));
    while (sends.length < due) sends.push(send(sends.length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(sends);
}

// `end-with-parent.ts` unreferences the channel. Without this line the process would end before the message comes.
process.channel?.ref();
process.once('message', () => {
  void sendAll().then(() => {
    agent.destroy();
    // An earlier disconnect can cut off a long message.
    process.send?.({ accepted, refused }, () => process.disconnect());
  });
});
process.send?.('ready');

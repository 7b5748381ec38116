import { Agent, request } from 'node:http';

/*
 * A load that comes at its own pace, whatever the answers, in a process of its own:
 * `node paced.ts <apiUrl> <perSecond> <seconds> <prefix> <key,…>`. Tells its parent that it is ready, waits for any
 * message, sends, and tells when each 202 came, in ms since 1970, by the text of the message.
 */
const [apiUrl = '', perSecond = '', seconds = '', prefix = '', keyList = ''] = process.argv.slice(2);
const keys = keyList.split(',');
const count = Math.round(Number(perSecond) * Number(seconds));
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const accepted: [text: string, at: number][] = [];
let refused = 0;

function send(index: number): Promise<void> {
  const text = `${prefix} ${index}`;
  const body = JSON.stringify({ to: `+1415555${String(index % 10_000).padStart(4, '0')}`, text });
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-api-key': keys[index % keys.length],
    };
    const sending = request(`${apiUrl}/v1/notify/sms/text`, { method: 'POST', agent, headers }, (answer) => {
      if (answer.statusCode === 202) accepted.push([text, performance.timeOrigin + performance.now()]);
      else refused += 1;
      answer.resume().on('end', resolve);
    });
    sending.on('error', reject).end(body);
  });
}

/** Sends what is due by the clock, and then waits a millisecond. */
async function sendAll(): Promise<void> {
  const began = performance.now();
  const under: Promise<void>[] = [];
  while (under.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - began) * Number(perSecond)) / 1_000));
    while (under.length < due) under.push(send(under.length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(under);
}

// What ends us with our parent lets go of the channel; without it there would be nothing to wait for.
process.channel?.ref();
process.once('message', () => {
  void sendAll().then(() => {
    agent.destroy();
    // Who disconnects earlier may cut a long message off.
    process.send?.({ accepted, refused }, () => process.disconnect());
  });
});
process.send?.('ready');

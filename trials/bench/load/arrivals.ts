import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

/*
 * Hands over incoming texts at a fixed rate, whatever the answers (open loop), from its own process: `node
 * arrivals.ts <apiUrl> <perSecond> <seconds> <authToken> <path,…>`. Each is a callback as Twilio signs it. It tells its
 * parent that it is ready, waits for any message, posts, and reports how long each answer took, in ms.
 */
const [apiUrl = '', perSecond = '', seconds = '', authToken = '', pathList = ''] = process.argv.slice(2);
const paths = pathList.split(',');
const count = Math.round(Number(perSecond) * Number(seconds));
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const run = Date.now().toString(16).padStart(12, '0');
const persons = 2_000;
const took: number[] = [];
let refused = 0;

function post(index: number): Promise<void> {
  const form = {
    Body: `Is my parcel ${index} on its way?`,
    From: `+1415777${String(index % persons).padStart(4, '0')}`,
    MessageSid: `SM${run}${String(index).padStart(20, '0')}`,
    NumMedia: '0',
    To: '+15005550006',
  };
  const url = `${apiUrl}${paths[index % paths.length]}`;
  // The fields above are in the order of their names, as the signature wants them.
  const signed =
    url +
    Object.entries(form)
      .map(([name, value]) => name + value)
      .join('');
  const body = new URLSearchParams(form).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
    'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64'),
  };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const posting = request(url, { method: 'POST', agent, headers }, (answer) => {
      if (answer.statusCode === 200) took.push(performance.now() - began);
      else refused += 1;
      answer.resume().on('end', resolve);
    });
    posting.on('error', reject).end(body);
  });
}

/** Posts every text that is due, then waits a millisecond. */
async function postAll(): Promise<void> {
  const began = performance.now();
  const posts: Promise<void>[] = [];
  while (posts.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - began) * Number(perSecond)) / 1_000));
    while (posts.length < due) posts.push(post(posts.length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(posts);
}

// `end-with-parent.ts` unreferences the channel. Without this line the process would end before the message comes.
process.channel?.ref();
process.once('message', () => {
  void postAll().then(() => {
    agent.destroy();
    process.send?.({ took, refused }, () => process.disconnect());
  });
});
process.send?.('ready');

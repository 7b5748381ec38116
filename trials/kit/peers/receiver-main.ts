import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveControl } from '@notify/testkit';
import { Webhook } from 'standardwebhooks';

/*
 * A webhook receiver in its own process, with a ledger of the events it took. It prints `{url, controlUrl}`.
 * Its control port: GET /ledger; POST /secret with {path, secret}, before a webhook leads to that path; POST /behave
 * with one of the behaviours.
 */

/** One event that it took. */
export interface ReceivedEvent {
  readonly eventId: string;
  readonly messageId: string;
  readonly event: string;
  readonly sequence: number;
  /** Both signatures were right, and their time was within five minutes of ours. */
  readonly verified: boolean;
}

/**
 * `take`, `continue` and `cut` take events. `continue` sends `100 Continue` twice before its answer, although nobody asked,
 * and `cut` breaks the connection instead of an answer. `fail` and `refuse` take none.
 */
export type ReceiverBehaviour = 'take' | 'continue' | 'cut' | 'fail' | 'refuse';

const ledger: ReceivedEvent[] = [];
const secrets = new Map<string, string>();
let behaviour: ReceiverBehaviour = 'take';

const server = createServer((request, response) => void take(request, response));
await listen(0);
const { port } = server.address() as AddressInfo;

serveControl(
  0,
  { url: `http://127.0.0.1:${port}` },
  {
    'GET /ledger': () => ledger,
    'POST /secret': ({ path, secret }: { path: string; secret: string }) => void secrets.set(path, secret),
    'POST /behave': async (wanted: ReceiverBehaviour) => {
      behaviour = wanted;
      if (wanted === 'refuse') await close();
      else if (!server.listening) await listen(port);
    },
  },
);

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray().catch(() => []));
  if (!request.complete) return;
  if (behaviour === 'fail') return void response.writeHead(500).end();
  ledger.push(...readEvents(request, body));
  if (behaviour === 'continue') for (let sent = 0; sent < 2; sent += 1) response.writeContinue();
  if (behaviour === 'cut') response.socket?.resetAndDestroy();
  else response.end();
}

interface Posted {
  readonly id: string;
  readonly messageId: string;
  readonly event: string;
  readonly sequence: number;
}

/** The event of a post, or those of a pack. Verified: the id of a pack is the one that is signed, too. */
function readEvents(request: IncomingMessage, body: Buffer): ReceivedEvent[] {
  const post = JSON.parse(body.toString('utf8')) as
    Posted | { readonly id: string; readonly events: Posted[] };
  const verified = isSigned(request, body) && request.headers['webhook-id'] === post.id;
  const events = 'events' in post ? post.events : [post];
  return events.map(({ id, messageId, event, sequence }) => ({
    eventId: id,
    messageId,
    event,
    sequence,
    verified,
  }));
}

function isSigned({ url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const secret = secrets.get(url);
  if (secret === undefined) return false;
  const ours = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
  } catch {
    return false;
  }
  return headers['x-svc-signature'] === ours;
}

function listen(at: number): Promise<void> {
  return new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
}

function close(): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

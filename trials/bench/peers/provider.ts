import { createServer, type Socket } from 'node:net';
import { createReader } from './http-messages.ts';
import { createReporter } from './reporter.ts';

/*
 * An SMS provider in its own process: `node provider.ts <port>`. It accepts every message posted to `/send`,
 * answers after the configured latency, and reports `delivered` to the message's callback URL. GET `/state` returns
 * the numbers of messages, of reports and of refused reports; `/arrivals` returns a line per message with its
 * arrival time, in ms since 1970, and its text; `/configure?latencyMs=…&reports=on|off` sets the behaviour and
 * clears the state.
 */
let latencyMs = 0;
let reports = true;
let taken = 0;
let arrivals: [at: number, text: string][] = [];
const reporter = createReporter(64);

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on(
    'data',
    createReader(({ start, body }) => {
      if (start.startsWith('POST')) take(socket, new URLSearchParams(body));
      else answer(socket, 'text/plain', answerTo(start.split(' ')[1] ?? ''));
    }),
  );
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'));
process.once('SIGTERM', () => process.exit(0));

function take(socket: Socket, fields: URLSearchParams): void {
  taken += 1;
  arrivals.push([performance.timeOrigin + performance.now(), fields.get('text') ?? '']);
  const id = `gw-${taken}`;
  const finish = (): void => {
    answer(socket, 'application/json', `{"id":"${id}"}`);
    const address = fields.get('dlr_url') ?? '';
    if (reports && address !== '') reporter.report(`${address}&status=delivered`);
  };
  if (latencyMs === 0) finish();
  else setTimeout(finish, latencyMs);
}

function answer(socket: Socket, type: string, body: string): void {
  if (socket.destroyed) return;
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function answerTo(target: string): string {
  const { pathname, searchParams } = new URL(target, 'http://peer');
  switch (pathname) {
    case '/state':
      return JSON.stringify({ taken, reported: reporter.reported, refused: reporter.refused });
    case '/arrivals':
      return arrivals.map(([at, text]) => `${at} ${text}`).join('\n');
    default:
      latencyMs = Number(searchParams.get('latencyMs') ?? 0);
      reports = searchParams.get('reports') !== 'off';
      taken = 0;
      arrivals = [];
      return 'configured';
  }
}

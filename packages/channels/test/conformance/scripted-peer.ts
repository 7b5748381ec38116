import { createServer, type Socket } from 'node:net';

/** The peer's reaction to a complete request; `whole` is the request as it came over the wire. */
export type Script = (socket: Socket, whole: string) => unknown;

/** A provider that follows a script, on a real socket. */
export interface Peer extends AsyncDisposable {
  /** `host:port`, for use after a scheme. */
  readonly host: string;
  /** Every complete request. */
  readonly requests: readonly string[];
}

/**
 * Starts a peer on a free port of loopback. Without a script it accepts connections and reads nothing, not even a TLS
 * greeting.
 */
export async function startPeer(script: Script | null): Promise<Peer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (script === null) socket.pause();
    else onEachRequest(socket, (whole) => script(socket, (requests.push(whole), whole)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    host: `127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A complete answer, sent with its Content-Length. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Gives one answer and keeps the connection. */
export function answering(answer: Answer): Script {
  return (socket) => socket.write(wire(answer));
}

/** Follows each script once. */
export function inTurn(...scripts: readonly Script[]): Script {
  const left = [...scripts];
  return (socket, whole) => left.shift()?.(socket, whole);
}

/** Gives informational answers first, in their own packets, as some gateways do unasked (RFC 9110, 15.2). */
export function answeringAfter(statuses: readonly number[], answer: Answer): Script {
  return (socket) => {
    const [status, ...rest] = statuses;
    if (status === undefined) return socket.write(wire(answer));
    return socket.write(`HTTP/1.1 ${status} Unasked\r\n\r\n`, () =>
      setImmediate(answeringAfter(rest, answer), socket, ''),
    );
  };
}

/** Announces the whole length, sends half of the answer and closes the connection. */
export function breakingOff(answer: Answer): Script {
  return (socket) => {
    const bytes = wire(answer);
    const half = bytes.length - Math.ceil((answer.body ?? '').length / 2);
    socket.end(bytes.slice(0, half));
  };
}

/** Quotes the request in the answer, as error pages do. */
export function quoting(status: number): Script {
  return (socket, whole) => answering({ status, body: `${decode(whole)}\n${whole}` })(socket, whole);
}

function wire({ status, headers = {}, body = '' }: Answer): string {
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n${body}`;
}

/** Calls `take` for each complete request. A TLS greeting, which begins with 0x16, counts as a request too. */
function onEachRequest(socket: Socket, take: (whole: string) => void): void {
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    if (received.startsWith('\x16')) return take(received);
    const head = received.indexOf('\r\n\r\n');
    const length = Number(/content-length: *(\d+)/i.exec(received)?.[1] ?? 0);
    if (head < 0 || received.length < head + 4 + length) return;
    const whole = received.slice(0, head + 4 + length);
    received = '';
    take(whole);
  });
}

function decode(whole: string): string {
  try {
    return decodeURIComponent(whole.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A receiver that does not behave. */
export interface Animal {
  /** Where it is; http unless it stalls in TLS. */
  readonly url: string;
  close(): Promise<void>;
}

/** Tells the receiver what to do with a connection; `onRequest` runs once something has come in on it. */
type Habit = (socket: Socket, onRequest: (then: () => void) => void) => void;

async function open(habit: Habit, scheme: 'http' | 'https' = 'http'): Promise<Animal> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    habit(socket, (then) => socket.once('data', then));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** Writes what `next` gives, as fast as it is read or at intervals, until the connection ends. */
function keepWriting(socket: Socket, next: () => string | Buffer, everyMs = 0): void {
  if (socket.destroyed) return;
  const readsOn = socket.write(next());
  const again = () => keepWriting(socket, next, everyMs);
  if (everyMs > 0) setTimeout(again, everyMs).unref();
  else if (readsOn) setImmediate(again);
  else socket.once('drain', again);
}

const answer = (head: string, body: string | Buffer = '') =>
  Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\n\r\n`), Buffer.from(body)]);

const habits = {
  'accepts and never reads': (socket) => void socket.pause(),
  'drips its headers, a byte a second': (socket, onRequest) => {
    const bytes = Array.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    onRequest(() => keepWriting(socket, () => bytes.shift() ?? '', 1_000));
  },
  'drips its body, a byte a second': (socket, onRequest) =>
    onRequest(() => {
      socket.write(answer('200 OK\r\nContent-Length: 1000'));
      keepWriting(socket, () => 'x', 1_000);
    }),
  'sends chunks without end': (socket, onRequest) =>
    onRequest(() => {
      socket.write(answer('200 OK\r\nTransfer-Encoding: chunked'));
      keepWriting(socket, () => `4000\r\n${'x'.repeat(0x4000)}\r\n`);
    }),
  'sends a gzip bomb': (socket, onRequest) =>
    onRequest(() => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      socket.end(answer(`200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}`, bomb));
    }),
  'sends 1 MB of headers': (socket, onRequest) =>
    onRequest(() => socket.end(answer(`200 OK\r\nX-Long: ${'x'.repeat(1_000_000)}`))),
  'sends headers without end': (socket, onRequest) =>
    onRequest(() => {
      socket.write('HTTP/1.1 200 OK\r\n');
      keepWriting(socket, () => `X-More: ${'x'.repeat(1_000)}\r\n`);
    }),
  'resets in the body': (socket, onRequest) =>
    onRequest(() => {
      socket.write(answer('200 OK\r\nContent-Length: 1000', 'half'), () => socket.resetAndDestroy());
    }),
  'resets before its answer': (socket, onRequest) => onRequest(() => void socket.resetAndDestroy()),
  'sends 204 with a body': (socket, onRequest) =>
    onRequest(() => socket.end(answer('204 No Content\r\nContent-Length: 5', 'hello'))),
  'redirects to the metadata address': (socket, onRequest) =>
    onRequest(() =>
      socket.end(answer('302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0')),
    ),
  'speaks HTTP/0.9': (socket, onRequest) =>
    onRequest(() => socket.end('<html>there were no headers in 1991</html>')),
  'answers before it reads': (socket) =>
    void socket.pause().end(answer('200 OK\r\nContent-Length: 2\r\nConnection: close', 'ok')),
  'sends 100 Continue without end': (socket, onRequest) =>
    onRequest(() => keepWriting(socket, () => answer('100 Continue'), 50)),
  'floods with 100 Continue': (socket, onRequest) =>
    onRequest(() => keepWriting(socket, () => answer('100 Continue'))),
  'sends 100 Continue, then its answer': (socket, onRequest) =>
    onRequest(() => {
      socket.write(answer('100 Continue'));
      keepWriting(socket, () => answer('204 No Content'), 50);
    }),
} satisfies Record<string, Habit>;

export type AnimalName = keyof typeof habits | 'stalls in TLS' | 'never accepts';

/** Lets one out. */
export function letOut(name: AnimalName): Promise<Animal> {
  if (name === 'never accepts') return openFull();
  if (name === 'stalls in TLS') return open((socket) => void socket.resume(), 'https');
  return open(habits[name]);
}

const listener = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;

/** A process that was stopped while it listened; the kernel's queue for it is filled, so that no connect ends. */
async function openFull(): Promise<Animal> {
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const port = Number(String(line));
  child.kill('SIGSTOP');
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(fillers.slice(0, 2).map((socket) => once(socket, 'connect')));
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async close() {
      for (const socket of fillers) socket.destroy();
      await kill(child);
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

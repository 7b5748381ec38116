import { connect, type Socket } from 'node:net';

/*
 * Sends as several tenants at fixed rates, whatever the answers (open loop), from its own process: `node open-loop.ts
 * <port> <seconds> <prefix> <name>=<perSecond>=<key>…`. It tells its parent that it is ready, waits for any message, sends,
 * and reports each tenant's answers. A send waits from the time at which it was due, so a late sender hides nothing. It uses
 * plain sockets and reads only the status, so that it costs little beside what it measures.
 */
const [port = '', seconds = '', prefix = '', ...streams] = process.argv.slice(2);

/** The most connections of one tenant. A send that finds none free is not sent. */
const maxConnections = 500;
/** How long answers are awaited after the last send, in ms. */
const patienceMs = 15_000;

interface Stream {
  readonly name: string;
  readonly perSecond: number;
  readonly key: string;
  /** Its connections that wait for nothing, and how many it has. */
  readonly idle: Connection[];
  open: number;
  offered: number;
  unsent: number;
  /** Answers by status; 0 for none. */
  readonly statuses: Record<string, number>;
  /** Numbers of the accepted sends, and how long their answers took, in ms. */
  readonly accepted: number[];
  readonly tookMs: number[];
  /** The same of sends that got no 202. */
  readonly refused: number[];
  readonly refusedMs: number[];
}

interface Asked {
  readonly stream: Stream;
  readonly number: number;
  readonly dueAt: number;
}

const all = streams.map((text): Stream => {
  const [name = '', perSecond = '', key = ''] = text.split('=');
  const counts = {
    offered: 0,
    unsent: 0,
    statuses: {},
    accepted: [],
    tookMs: [],
    refused: [],
    refusedMs: [],
  };
  return { name, perSecond: Number(perSecond), key, idle: [], open: 0, ...counts };
});

let unanswered = 0;

/** A connection that has been opened, with the send that it is used for. */
interface Connection {
  readonly socket: Socket;
  readonly stream: Stream;
  asked: Asked | null;
  text: string;
}

const connections = new Set<Connection>();

function newConnection(stream: Stream): Connection {
  const socket = connect(Number(port), '127.0.0.1').setNoDelay(true);
  const connection: Connection = { socket, stream, asked: null, text: '' };
  connections.add(connection);
  stream.open += 1;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: unknown) => read(connection, String(chunk)));
  socket.on('error', () => undefined);
  socket.on('close', () => {
    stream.open -= 1;
    connections.delete(connection);
    const at = stream.idle.indexOf(connection);
    if (at !== -1) stream.idle.splice(at, 1);
    if (connection.asked !== null) end(connection, 0);
  });
  return connection;
}

function read(connection: Connection, chunk: string): void {
  connection.text += chunk;
  const headEnd = connection.text.indexOf('\r\n\r\n');
  if (headEnd === -1) return;
  const length = Number(/content-length: (\d+)/i.exec(connection.text)?.[1] ?? 0);
  if (connection.text.length < headEnd + 4 + length) return;
  const status = Number(connection.text.slice(9, 12));
  connection.text = '';
  end(connection, status);
  if (!connection.socket.destroyed) connection.stream.idle.push(connection);
}

function end(connection: Connection, status: number): void {
  const { asked } = connection;
  if (asked === null) return;
  connection.asked = null;
  unanswered -= 1;
  const { stream, number, dueAt } = asked;
  stream.statuses[status] = (stream.statuses[status] ?? 0) + 1;
  const tookMs = performance.now() - dueAt;
  if (status === 202) {
    stream.accepted.push(number);
    stream.tookMs.push(tookMs);
  } else {
    stream.refused.push(number);
    stream.refusedMs.push(tookMs);
  }
}

function send(stream: Stream, number: number, dueAt: number): void {
  stream.offered += 1;
  const free = stream.idle.pop();
  if (free === undefined && stream.open >= maxConnections) {
    stream.unsent += 1;
    return;
  }
  const connection = free ?? newConnection(stream);
  connection.asked = { stream, number, dueAt };
  unanswered += 1;
  const text = `${prefix} ${stream.name} ${number}`;
  const body = `{"to":"+1415555${String(number % 10_000).padStart(4, '0')}","text":"${text}","idempotencyKey":"${text}"}`;
  connection.socket.write(
    `POST /v1/notify/sms/text HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nX-Api-Key: ${stream.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

async function sendAll(): Promise<void> {
  const began = performance.now();
  const endMs = Number(seconds) * 1_000;
  for (let passedMs = 0; passedMs < endMs;) {
    passedMs = Math.min(endMs, performance.now() - began);
    for (const stream of all) {
      const due = Math.floor((passedMs * stream.perSecond) / 1_000);
      while (stream.offered < due)
        send(stream, stream.offered, began + (stream.offered * 1_000) / stream.perSecond);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const lastAt = performance.now();
  while (unanswered > 0 && performance.now() - lastAt < patienceMs)
    await new Promise((resolve) => setTimeout(resolve, 20));
  for (const { socket } of connections) socket.destroy();
}

// `end-with-parent.ts` unreferences the channel. Without this line the process would end before the message comes.
process.channel?.ref();
process.once('message', () => {
  void sendAll().then(() => {
    const told = all.map(({ key: _key, idle: _idle, ...stream }) => stream);
    process.send?.(told, () => process.disconnect());
  });
});
process.send?.('ready');

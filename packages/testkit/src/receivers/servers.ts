import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server on loopback. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>;
  /** Connections ever accepted. */
  readonly connections: number;
  close(): void;
}

/** Starts an HTTP server that answers as it is told. */
export function startHttpServer(answer: RequestListener): Promise<TestServer> {
  return listen(createHttpServer(answer));
}

/** Starts a TCP server that calls `onData` for each connection once its first data has arrived. */
export function startRawServer(onData: (socket: Socket) => void): Promise<TestServer> {
  return listen(createServer((socket) => socket.once('data', () => onData(socket))));
}

async function listen(server: Server): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    sockets,
    get connections() {
      return connections;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

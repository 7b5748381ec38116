import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The sockets that take the connections of one server. */
export interface Listeners {
  readonly port: number;
  /** Accepts nothing more. Resolves when all connections have ended. */
  close(): Promise<void>;
}

/**
 * Node takes one connection from a listening socket in each turn of its event loop (libuv, pull request 3696). A busy
 * process makes five turns a second, so new clients would wait for seconds while those with a connection are served. With
 * so many sockets on the port it takes as many connections in each turn. The kernel shares them out.
 */
const sockets = 256;
/**
 * Connections that may wait to be accepted, if the system allows it (`net.core.somaxconn`). When there are more, Linux drops
 * the handshake, and the client repeats it only after 1, 3, 7 and more seconds.
 */
const backlog = 4_096;

/** What systems answer that have no SO_REUSEPORT for this: one socket has to do. */
const unsupported: ReadonlySet<string | undefined> = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EINVAL']);

/** Has the server listen on several sockets of one port. Rejects if the port is taken; 0 takes a free one. */
export async function listenOften(server: Server, host: string, port: number): Promise<Listeners> {
  // Sockets that share a port would also share it with another process of this user, so first one tries to have it alone.
  if (port !== 0) await endOf(await bound(createServer(), { host, port }));
  const more: Server[] = [];
  try {
    await bound(server, { host, port, reusePort: true });
    for (let index = 1; index < sockets; index += 1)
      more.push(await bound(another(server), { host, port: portOf(server), reusePort: true }));
  } catch (error) {
    await Promise.all([...more, ...(server.listening ? [server] : [])].map(endOf));
    if (!unsupported.has((error as NodeJS.ErrnoException).code)) throw error;
    await bound(server, { host, port });
  }
  return {
    port: portOf(server),
    close: async () => void (await Promise.all([server, ...more].map(endOf))),
  };
}

/** A server whose connections belong to `server`, and are made as those of Node's own HTTP server. */
function another(server: Server): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) =>
    server.emit('connection', socket),
  );
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly reusePort?: boolean;
}

function bound(server: Server, place: Place): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...place, backlog }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function endOf(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

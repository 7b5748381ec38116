import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/**
 * A network on loopback whose nodes have an address each and are reached through gates. It can cut a node off as a
 * broken cable does: connections stay open, new ones are accepted, and nothing passes in either direction. Later it
 * arrives, as what TCP sends again.
 */
export interface Network {
  /** Passes connections to `host:port` on to `host:target`. */
  open(host: string, port: number, target: number): Promise<void>;
  cutOff(host: string): void;
  rejoin(host: string): void;
  /** Nothing passes the connections to this node that are open now, ever. New ones pass. */
  silence(host: string): void;
  close(): Promise<void>;
}

interface Link {
  /** The addresses of both ends. */
  readonly ends: readonly (string | undefined)[];
  readonly sockets: readonly [Socket, Socket];
}

export function createNetwork(): Network {
  const gates: Server[] = [];
  const links = new Set<Link>();
  const silenced = new Set<Link>();
  const cut = new Set<string>();

  const isCut = ({ ends }: Link): boolean => ends.some((end) => end !== undefined && cut.has(end));

  function pass(link: Link): void {
    const [client, server] = link.sockets;
    client.pipe(server);
    server.pipe(client);
  }

  function hold(link: Link): void {
    for (const socket of link.sockets) {
      socket.unpipe();
      socket.pause();
    }
  }

  function join(host: string, target: number, client: Socket): void {
    const server = createConnection({ host, port: target });
    const link: Link = { ends: [host, client.remoteAddress], sockets: [client, server] };
    const end = (): void => {
      links.delete(link);
      client.destroy();
      server.destroy();
    };
    links.add(link);
    for (const socket of link.sockets) socket.setNoDelay(true).on('error', end).on('close', end);
    if (!isCut(link)) pass(link);
  }

  return {
    async open(host, port, target) {
      const gate = createServer((client) => join(host, target, client));
      gates.push(gate);
      gate.listen(port, host);
      await once(gate, 'listening');
    },
    cutOff(host) {
      cut.add(host);
      for (const link of links) if (isCut(link)) hold(link);
    },
    rejoin(host) {
      const held = [...links].filter(isCut);
      cut.delete(host);
      for (const link of held) if (!isCut(link)) pass(link);
    },
    silence(host) {
      for (const link of links) {
        if (link.ends[0] !== host) continue;
        hold(link);
        links.delete(link);
        silenced.add(link);
      }
    },
    async close() {
      for (const gate of gates) gate.close();
      for (const { sockets } of [...links, ...silenced]) for (const socket of sockets) socket.destroy();
    },
  };
}

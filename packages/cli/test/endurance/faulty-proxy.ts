import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between the CLI and the service that cuts and freezes connections. */
export interface FaultyProxy {
  readonly url: string;
  /** Connections ever accepted. */
  readonly connections: number;
  /** Cuts every connection, at whatever byte it is. */
  cut(): void;
  /** Cuts the next connection after this many bytes from the service. */
  cutNextAfter(bytes: number): void;
  /** The open connections stay open, and nothing comes through them any more. New ones work. */
  freeze(): void;
  /** New connections are accepted and get nothing, until `thaw`. */
  freezeNew(): void;
  thaw(): void;
  close(): void;
}

interface Link {
  readonly client: Socket;
  readonly service: Socket;
  frozen: boolean;
}

/** Starts a proxy to a port of this machine. */
export async function startFaultyProxy(port: number): Promise<FaultyProxy> {
  const links = new Set<Link>();
  let connections = 0;
  let freezing = false;
  let cutAfter: number | null = null;

  const server = createServer((client) => {
    connections += 1;
    const service = connect(port, '127.0.0.1');
    const link: Link = { client, service, frozen: freezing };
    links.add(link);
    let leftBytes = cutAfter ?? Infinity;
    cutAfter = null;
    const end = (): void => {
      links.delete(link);
      client.destroy();
      service.destroy();
    };
    // A frozen connection does not end either: nobody tells the client.
    const endUnlessFrozen = (): void => {
      if (!link.frozen) end();
    };
    client.on('data', (chunk) => void (link.frozen || service.write(chunk)));
    service.on('data', (chunk: Buffer) => {
      if (link.frozen) return;
      client.write(chunk.subarray(0, leftBytes));
      leftBytes -= chunk.length;
      if (leftBytes <= 0) end();
    });
    client.on('close', end).on('error', end);
    service.on('close', endUnlessFrozen).on('error', endUnlessFrozen);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cut = (): void => {
    for (const { client, service } of links) {
      client.destroy();
      service.destroy();
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    cut,
    cutNextAfter: (bytes) => void (cutAfter = bytes),
    freeze() {
      for (const link of links) link.frozen = true;
    },
    freezeNew: () => void (freezing = true),
    thaw() {
      freezing = false;
      for (const link of links) if (link.frozen) link.client.destroy();
    },
    close() {
      cut();
      server.close();
    },
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { MediaHost } from '../messages/media-host.ts';
import { makePeer, type Peer } from '../peer.ts';
import { Connection, type ConnectionEvents } from './connection.ts';
import { introduce, leave, takeStanza } from './sessions.ts';

/** A running WhatsApp server. */
export interface WhatsappServer {
  readonly peer: Peer;
  /** The URL that clients connect to: `ws://…/ws/chat`. */
  readonly url: string;
  /** With false, closes the port and every connection. With true, opens the port again. Accounts and sessions stay. */
  listen(open: boolean): Promise<void>;
}

/** Starts WhatsApp Web on a port of loopback, and its media host on another. */
export async function startWhatsapp(
  port: number,
  tls: { readonly key: string; readonly cert: string },
): Promise<WhatsappServer> {
  const media = new MediaHost(tls);
  await media.start();
  const peer = makePeer(media);
  const http = createServer();
  const connections = new Set<Connection>();
  const sockets = new WebSocketServer({ server: http, path: '/ws/chat' });
  sockets.on('connection', (socket) => admit(peer, connections, socket));
  const open = async (at: number) => {
    http.listen(at, '127.0.0.1');
    await once(http, 'listening');
    return (http.address() as AddressInfo).port;
  };
  const bound = await open(port);
  return {
    peer,
    url: `ws://127.0.0.1:${bound}/ws/chat`,
    async listen(wanted) {
      if (wanted === http.listening) return;
      if (wanted) return void (await open(bound));
      const closed = once(http, 'close');
      http.close();
      for (const connection of connections) connection.cut();
      http.closeAllConnections();
      await closed;
    },
  };
}

function admit(peer: Peer, connections: Set<Connection>, socket: WebSocket): void {
  const entry = peer.recorder.opened();
  const connection = new Connection(entry, socket, eventsOf(peer));
  connections.add(connection);
  socket.on('close', () => {
    connections.delete(connection);
    leave(peer, connection);
  });
}

function eventsOf(peer: Peer): ConnectionEvents {
  return {
    certificate: () =>
      peer.certificateForged ? peer.authority.forgedCertificate : peer.authority.certificate,
    isFrozen: ({ device }) => peer.behaviours.of('frozen', device === null ? {} : { account: device.phone }),
    introduced: (connection, client) => introduce(peer, connection, client),
    received: (connection, stanza) => takeStanza(peer, connection, stanza),
    failed: (connection, error) =>
      peer.recorder.reject(connection.device?.jid ?? `connection ${connection.entry.id}`, 'frame', error),
  };
}

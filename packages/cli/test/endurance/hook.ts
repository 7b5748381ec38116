import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { webhooks } from '@notify/sdk';

/** An event that the hook has answered with 200. */
export interface Taken {
  readonly eventId: string;
  readonly messageId: string;
  readonly sequence: number;
}

/** The developer's program. */
export interface Hook {
  readonly url: string;
  /** In the order of the answers. */
  readonly taken: readonly Taken[];
  /** Requests whose signature was wrong or too old. */
  readonly unverified: readonly string[];
  /** Requests that were answered with 500. */
  readonly refused: number;
  /** Stops listening and cuts what is in progress, as a program that is ended. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Starts it. It takes a moment for each event, and fails for a share of them (0 to 1). */
export async function startHook(secret: () => string, failing: number): Promise<Hook> {
  const taken: Taken[] = [];
  const unverified: string[] = [];
  let refused = 0;
  let server: Server;
  let port = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    try {
      await webhooks.verify(body, request.headers, secret());
    } catch (error) {
      unverified.push(String(error));
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    if (response.destroyed) return;
    if (Math.random() < failing) {
      refused += 1;
      response.writeHead(500).end('out of luck');
      return;
    }
    const { id, messageId, sequence } = JSON.parse(body.toString()) as Taken & { id: string };
    taken.push({ eventId: id, messageId, sequence });
    response.writeHead(204).end();
  }

  async function listen(): Promise<void> {
    server = createServer((request, response) => void answer(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }

  await listen();
  return {
    url: `http://127.0.0.1:${port}/hook`,
    taken,
    unverified,
    get refused() {
      return refused;
    },
    async leave() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
    comeBack: listen,
  };
}

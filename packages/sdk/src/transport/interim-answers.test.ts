import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { Notify } from '../notify.ts';

const go = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
const message = '{"id":"msg_1"}';
const final = `HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nContent-Length: ${message.length}\r\n\r\n${message}`;
const text = { to: '+491511234567', text: 'Hello' };

/** A server that answers every request in these pieces, and counts requests. */
async function serve(answer: (socket: Socket) => void): Promise<Server & { requests: number; url: string }> {
  const server = Object.assign(createServer(), { requests: 0, url: '' });
  server.on('connection', (socket) => {
    socket.setNoDelay(true).on('error', () => undefined);
    socket.on('data', () => {
      server.requests += 1;
      answer(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return server;
}

function writeAll(socket: Socket, pieces: readonly string[]): void {
  const [piece, ...rest] = pieces;
  if (piece !== undefined) socket.write(piece, () => setImmediate(writeAll, socket, rest));
}

const open = (url: string) => new Notify({ baseUrl: url, apiKey: 'svc_live_key', maxRetries: 0 });

test.each([
  ['100', [go + final]],
  ['100, 100', [go, go, final]],
  ['103, 100', [hints + go, final]],
  ['100 that closes', ['HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n', final]],
  ['100 byte by byte', Array.from(go + final)],
])('a send is answered once after %s that nobody asked for', async (_, pieces) => {
  const server = await serve((socket) => writeAll(socket, pieces));
  const notify = open(server.url);
  for (let count = 0; count < 3; count += 1)
    expect(await notify.messages.sendText('sms', text)).toEqual({ id: 'msg_1' });
  expect(server.requests).toBe(3);
  server.close();
});

test('100 for ever ends the call', async () => {
  const server = await serve((socket) => {
    const more = (): void => {
      if (!socket.destroyed) socket.write(go.repeat(50), () => setImmediate(more));
    };
    more();
  });
  // In these words by the filter of the service, if another test of this process has opened it.
  await expect(open(server.url).messages.sendText('sms', text)).rejects.toThrow(
    /too many informational answers|its informational answers are too long/,
  );
  server.close();
});

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { post } from './post.ts';

/** The answer to a post to a server that does this with each connection. */
async function postTo(act: (socket: Socket) => void, timeoutMs = 60_000): ReturnType<typeof post> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.once('data', () => act(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    return await post({ url, headers: {}, body: '{}', timeoutMs, verifyCertificate: true });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

test.each([
  ['HTTP/1.1 204 No Content\r\n\r\n', { kind: 'answered', status: 204, text: '' }],
  [
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
    { kind: 'answered', status: 204, text: '' },
  ],
  ['HTTP/1.1 100 Continue\r\n\r\n', { kind: 'broken' }],
  [
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    { kind: 'answered', status: 101 },
  ],
  ['HTTP/1.1 101 Switching Protocols\r\n\r\n', { kind: 'answered', status: 101 }],
  ['HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab', { kind: 'broken' }],
  ['nonsense', { kind: 'broken' }],
  ['', { kind: 'broken' }],
])('a connection that is closed after %j has an end', async (answer, expected) => {
  await expect(postTo((socket) => socket.end(answer))).resolves.toMatchObject(expected);
});

test('a receiver that never answers is given up', async () => {
  await expect(postTo(() => undefined, 100)).resolves.toEqual({
    kind: 'broken',
    reason: 'no answer within 0.1 s',
  });
});

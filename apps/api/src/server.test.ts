import { once } from 'node:events';
import { connect } from 'node:net';
import { type HttpServer, listen } from './server.ts';

/** A server that answers when it is told to, and says when a request has come. */
async function slowServer(): Promise<{ server: HttpServer; came: Promise<void>; answer: () => void }> {
  const came = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const server = await listen(
    (_request, response) => {
      came.resolve();
      void told.promise.then(() => response.end('done'));
    },
    '127.0.0.1',
    0,
  );
  return { server, came: came.promise, answer: () => told.resolve() };
}

test('closing waits for the request in flight, though its client would keep the connection', async () => {
  const { server, came, answer } = await slowServer();
  const response = fetch(`http://127.0.0.1:${server.port}/`);
  await came;
  let closed = false;
  const closing = server.close().then(() => {
    closed = true;
  });
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow('fetch failed');
  expect(closed).toBe(false);
  answer();
  expect(await (await response).text()).toBe('done');
  await closing;
});

test.each(['', 'POST / HTTP/1.1\r\nHost:'])(
  'closing does not wait for a connection that has sent %j and goes on no more',
  async (begun) => {
    const { server } = await slowServer();
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.resume().on('error', () => undefined);
    socket.write(begun);
    await server.close();
    await ended;
    expect(socket.destroyed).toBe(true);
  },
);

test('a port in use is told to the caller', async () => {
  const { server } = await slowServer();
  await expect(listen(() => undefined, '127.0.0.1', server.port)).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await server.close();
});

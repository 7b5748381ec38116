import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { listen } from '../src/server.ts';
import { testApi } from './test-api.ts';

const mebibyte = 1_048_576;

test('a body without a declared end is answered 413, and cut off when it goes on', async () => {
  await using api = await testApi();
  const server = await listen(api.app, '127.0.0.1', 0);
  const client = await begin(server.port);
  const answer = textOf(client);
  const sent = await sendUntilClosed(client);
  expect(await answer).toMatch(/^HTTP\/1\.1 413 .*"code":"too-large"/s);
  expect(sent).toBeGreaterThan(16 * mebibyte);
  await server.close();
});

async function begin(port: number): Promise<Socket> {
  const client = connect(port, '127.0.0.1');
  await once(client, 'connect');
  // The server closes while there is still something on its way to it.
  client.on('error', () => undefined);
  client.write('POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n');
  client.write('Transfer-Encoding: chunked\r\n\r\n');
  return client;
}

async function textOf(client: Socket): Promise<string> {
  let text = '';
  client.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await new Promise<void>((resolve) => client.once('close', () => resolve()));
  return text;
}

/** Sends a chunk of 1 MB whenever the last one is written; answers how many bytes that were. */
async function sendUntilClosed(client: Socket): Promise<number> {
  const chunk = `${mebibyte.toString(16)}\r\n${' '.repeat(mebibyte)}\r\n`;
  let sent = 0;
  while (!client.destroyed) {
    await new Promise<void>((resolve) => client.write(chunk, () => resolve()));
    sent += mebibyte;
  }
  return sent;
}

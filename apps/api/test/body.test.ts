import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import request from 'supertest';
import { type HttpServer, listen } from '../src/server.ts';
import { testApi, type TestApi } from './test-api.ts';

let api: TestApi;
let server: HttpServer;
beforeAll(async () => {
  api = await testApi();
  server = await listen(api.app, '127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await api[Symbol.asyncDispose]();
});

const mebibyte = 1_048_576;

test.each([
  ['is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), [400, 'malformed-json']],
  ['is empty', '', [422, 'invalid-request']],
  ['begins 16,000 lists', '['.repeat(16_000), [400, 'malformed-json']],
  ['has 8,000 lists in lists', `${'['.repeat(8_000)}${']'.repeat(8_000)}`, [422, 'invalid-request']],
])('a body that %s is refused', async (_what, body, expected) => {
  const answer = await request(api.app)
    .post('/auth/login')
    .type('application/json')
    .serialize((bytes: string) => bytes)
    .send(body as string);
  expect([answer.status, answer.body.code]).toEqual(expected);
});

test('a body without a declared end is answered 413, and cut off when it goes on', async () => {
  const client = await begin(server.port);
  const answer = textOf(client);
  const sent = await sendUntilClosed(client);
  expect(await answer).toMatch(/^HTTP\/1\.1 413 .*"code":"too-large"/s);
  expect(sent).toBeGreaterThan(16 * mebibyte);
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

test('a body that comes byte by byte is answered 413, and cut off', async () => {
  const client = await begin(server.port);
  const answer = textOf(client);
  client.write('1\r\n \r\n'.repeat(20_000));
  expect(await answer).toMatch(
    /^HTTP\/1\.1 413 .*Connection: close.*"detail":"The body has too many chunks\."/s,
  );
});

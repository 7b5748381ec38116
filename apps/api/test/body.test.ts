import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { listen } from '../src/server.ts';
import request from 'supertest';
import { register, testApi } from './test-api.ts';

const mebibyte = 1_048_576;

/** JSON of so many bytes. */
const padded = (value: object, bytes: number) => JSON.stringify(value).padEnd(bytes);

test('a body of 1 MB is taken, one of more is not', async () => {
  await using api = await testApi();
  const { bearer } = await register(api.app);
  const post = async (bytes: number) => {
    const asked = request(api.app).post('/tenant/api-keys').set('Authorization', bearer);
    const answer = await asked.type('application/json').send(padded({ name: 'n' }, bytes));
    return [answer.status, answer.body.code];
  };
  expect(await post(mebibyte)).toEqual([201, undefined]);
  expect(await post(mebibyte + 1)).toEqual([413, 'too-large']);
  expect(await post(3 * mebibyte)).toEqual([413, 'too-large']);
});

test.each(['/auth/login', '/auth/register', '/auth/refresh'])(
  'a stranger may send 16 KB to %s, so that thousands of slow ones do not fill the memory',
  async (path) => {
    await using api = await testApi();
    const post = async (bytes: number) => {
      const body = padded({ unknown: 1 }, bytes);
      return (await request(api.app).post(path).type('application/json').send(body)).status;
    };
    expect([await post(16_384), await post(16_385), await post(mebibyte)]).toEqual([422, 413, 413]);
  },
);

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

test('a body that comes byte by byte is answered 413, and cut off', async () => {
  await using api = await testApi();
  const server = await listen(api.app, '127.0.0.1', 0);
  const client = await begin(server.port);
  const answer = textOf(client);
  client.write('1\r\n \r\n'.repeat(20_000));
  expect(await answer).toMatch(
    /^HTTP\/1\.1 413 .*Connection: close.*"detail":"The body has too many chunks\."/s,
  );
  await server.close();
});

import { openEventStream, startHttpServer } from '@notify/testkit';
import express, { type Response } from 'express';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { sendEvents } from './event-stream.ts';

test('comments between the events keep the stream alive', async () => {
  const told = Promise.withResolvers<number>();
  async function* events() {
    yield { count: 1 };
    yield { count: await told.promise };
  }
  const app = express().get('/', (_request, response) =>
    sendEvents({ response, headers: [] }, 200, events(), 10),
  );
  const server = await startHttpServer(app);
  await using stream = await openEventStream(server.url, '');
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(await stream.next()).toEqual({ count: 1 });
  await stream.comment();
  await stream.comment();
  told.resolve(2);
  expect(await stream.ended()).toEqual([{ count: 2 }]);
  server.close();
});

test('a client that stops reading gets nothing more until it reads, and its disconnect ends the events', async () => {
  let yielded = 0;
  let answer: Response | undefined;
  const sent = Promise.withResolvers<void>();
  async function* events(response: Response) {
    for (; !response.closed; yielded += 1) {
      yield 'x'.repeat(65_536);
      await turn();
    }
  }
  const app = express().get('/', async (_request, response) => {
    answer = response;
    await sendEvents({ response, headers: [] }, 200, events(response));
    sent.resolve();
  });
  const server = await startHttpServer(app);
  const client = connect(server.port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  while (answer?.writableNeedDrain !== true || answer.socket?.bytesWritten === 0) await turn();
  let before: number;
  do {
    before = yielded;
    for (let turns = 0; turns < 100; turns += 1) await turn();
  } while (yielded > before && yielded < 2_000); // the kernel buffers some for the client
  expect(answer.writableNeedDrain).toBe(true);
  expect(yielded).toBe(before);
  client.destroy();
  await sent.promise;
  server.close();
});

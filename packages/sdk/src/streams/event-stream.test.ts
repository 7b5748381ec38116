import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer, type TestServer, withEnoughTime } from '@notify/testkit';
import {
  ApiError,
  type ConnectionChange,
  type EventStreamOptions,
  Notify,
  type StreamedEvent,
} from '../index.ts';

const bodies = Array.from({ length: 4 }, (_, index) =>
  JSON.stringify({ event: 'message.sent', id: `evt_${index + 1}`, to: 'Zoë 😀' }),
);

/** What the service writes for an event; its cursor is the number of the event. */
function blockOf(number: number): string {
  const body = bodies[number - 1];
  return `id: ${number}\ndata: ${JSON.stringify({ headers: { 'webhook-id': `evt_${number}` }, body })}\n\n`;
}

/** Everything after a cursor, as bytes of HTTP. */
function answerAfter(cursor: number): Buffer {
  const blocks = bodies.map((_, index) => index + 1).filter((number) => number > cursor);
  const text = [`id: ${cursor}\n\n`, ':\n\n', ...blocks.map(blockOf)].map(chunkOf).join('');
  return Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n${text}`,
  );
}

function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function cursorOf(request: IncomingMessage): number {
  return Number(request.headers['last-event-id'] ?? 0);
}

function refuse(response: ServerResponse, status: number, code: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  response.end(JSON.stringify({ status, code, title: code }));
}

let server: TestServer;
afterEach(() => server.close());

function stream(options: EventStreamOptions = {}, cursor?: string): AsyncGenerator<StreamedEvent<unknown>> {
  const notify = new Notify({ baseUrl: server.url, token: 'svc_tok_x' });
  return notify.events.stream(cursor === undefined ? {} : { cursor }, options);
}

/** Reads this many events. */
async function read(
  count: number,
  from: AsyncGenerator<StreamedEvent<unknown>>,
): Promise<StreamedEvent<unknown>[]> {
  const found: StreamedEvent<unknown>[] = [];
  for await (const one of from) if (found.push(one) === count) break;
  return found;
}

const bodiesOf = (events: readonly StreamedEvent<unknown>[]): string[] => events.map(({ body }) => body);

describe('a stream of events', () => {
  test('yields each event with its cursor, its headers, its raw body and the parsed one', async () => {
    server = await startHttpServer((request) => void request.socket.write(answerAfter(cursorOf(request))));
    const [, second] = await read(4, stream());
    expect(second).toEqual({
      cursor: '2',
      headers: { 'webhook-id': 'evt_2' },
      body: bodies[1],
      event: JSON.parse(bodies[1]!),
    });
  });

  test('yields each event once, wherever the first connection is cut', async () => {
    const whole = answerAfter(0);
    server = await startHttpServer((request) => {
      const cutAt = Number(request.url?.split('cut=')[1]);
      const bytes = answerAfter(cursorOf(request));
      const isFirst = request.headers['x-first'] !== undefined;
      if (isFirst) request.socket.write(bytes.subarray(0, cutAt), () => request.socket.destroy());
      else request.socket.write(bytes);
    });
    const cutAt = async (bytes: number): Promise<string[]> => {
      let isFirst = true;
      const notify = new Notify({
        baseUrl: server.url,
        token: 'svc_tok_x',
        fetch(url, init) {
          const headers = {
            ...(init.headers as Record<string, string>),
            ...(isFirst ? { 'x-first': '1' } : {}),
          };
          isFirst = false;
          return fetch(`${url}?cut=${bytes}`, { ...init, headers });
        },
      });
      return bodiesOf(await read(4, notify.events.stream()));
    };
    for (let begin = 0; begin < whole.length; begin += 300) {
      const cuts = Array.from({ length: Math.min(300, whole.length - begin) }, (_, index) => begin + index);
      for (const found of await Promise.all(cuts.map(cutAt))) expect(found).toEqual(bodies);
    }
  });

  test('sends the last cursor it yielded, not that of an event the consumer has not got', async () => {
    const asked: number[] = [];
    server = await startHttpServer((request) => {
      asked.push(cursorOf(request));
      request.socket.write(answerAfter(cursorOf(request)));
    });
    const events = stream({}, '1');
    await events.next();
    server.sockets.forEach((socket) => socket.destroy());
    expect(bodiesOf(await read(2, events))).toEqual(bodies.slice(2));
    expect(asked[0]).toBe(1);
    expect(asked.every((cursor) => cursor >= 1 && cursor <= 3)).toBe(true);
  });

  test('says that it is open only when the first block has arrived, and how it was lost and resumed', async () => {
    const changes: ConnectionChange[] = [];
    let answers = 0;
    server = await startHttpServer((request, response) => {
      answers += 1;
      if (answers === 1) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      else if (answers === 3) refuse(response, 503, 'unavailable');
      else if (answers === 2) request.socket.end(answerAfter(2).subarray(0, 120));
      else request.socket.write(answerAfter(2));
      if (answers === 1) setTimeout(() => request.socket.destroy(), 50);
    });
    await read(2, stream({ onConnection: (change) => changes.push(change) }, '2'));
    expect(changes.map(({ state, attempt }) => [state, attempt])).toEqual([
      ['lost', 1],
      ['open', 2],
      ['lost', 0],
      ['lost', 1],
      ['resumed', 2],
    ]);
    expect(changes[3]).toMatchObject({ error: { code: 'unavailable' } });
  });

  test('notices a silent connection, of which only comments come', async () => {
    const errors: Error[] = [];
    let beat: NodeJS.Timeout | undefined;
    server = await startHttpServer((request) => {
      if (cursorOf(request) > 0) return void request.socket.write(answerAfter(3));
      request.socket.write(answerAfter(3));
      beat = setInterval(() => request.socket.write(chunkOf(':\n\n')), 20);
    });
    const events = await read(
      2,
      stream({
        silentMs: 200,
        onConnection: (change) => change.state === 'lost' && errors.push(change.error),
      }),
    );
    clearInterval(beat);
    expect(bodiesOf(events)).toEqual([bodies[3], bodies[3]]);
    // Once, but that a machine which stands still makes other silence.
    expect(new Set(errors.map(({ name }) => name))).toEqual(new Set(['TimeoutError']));
  });

  test('does not take the pause of its consumer for silence', async () => {
    server = await startHttpServer((request) => void request.socket.write(answerAfter(cursorOf(request))));
    const statesWith = async (silentMs: number): Promise<string[]> => {
      const states: string[] = [];
      const events = stream({ silentMs, onConnection: ({ state }) => states.push(state) });
      await events.next();
      await new Promise((resolve) => setTimeout(resolve, 2.5 * silentMs));
      expect(bodiesOf(await read(3, events))).toEqual(bodies.slice(1));
      return states;
    };
    const states = await withEnoughTime(200, statesWith, ({ length }) => length === 1);
    expect(states).toEqual(['open']);
  });

  test('reads no further than its consumer', async () => {
    let written = 0;
    server = await startHttpServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const body = JSON.stringify({ id: 'evt_1', text: 'x'.repeat(100_000) });
      const more = (): void => {
        while (written < 1_000 && !response.destroyed) {
          written += 1;
          if (!response.write(`id: ${written}\ndata: ${JSON.stringify({ headers: {}, body })}\n\n`))
            return void response.once('drain', more);
        }
      };
      more();
    });
    const events = stream();
    await events.next();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(written).toBeLessThan(200);
    await events.return(undefined);
  });

  test.each([
    ['an expired cursor', 410, 'cursor-expired'],
    ['a credential that is refused', 401, 'unauthenticated'],
    ['a scope that is missing', 403, 'forbidden'],
    ['a cursor that is made up', 422, 'invalid-request'],
    ['too many streams', 409, 'limit-reached'],
  ])('throws on %s', async (_what, status, code) => {
    server = await startHttpServer((_request, response) => refuse(response, status, code));
    await expect(read(1, stream())).rejects.toMatchObject({ status, code });
    expect(server.connections).toBe(1);
  });

  test('throws when the token has expired on reconnecting', async () => {
    let answers = 0;
    server = await startHttpServer((request, response) => {
      answers += 1;
      if (answers > 1) refuse(response, 401, 'unauthenticated');
      else request.socket.end(Buffer.concat([answerAfter(3), Buffer.from('0\r\n\r\n')]));
    });
    const found: string[] = [];
    const all = async (): Promise<void> => {
      for await (const { body } of stream({}, '3')) found.push(body);
    };
    await expect(all()).rejects.toMatchObject({ name: 'UnauthenticatedError' });
    expect(found).toEqual([bodies[3]]);
  });

  test('throws if something else than the service answers at first, and goes on if that happens later', async () => {
    let answers = 0;
    server = await startHttpServer((request, response) => {
      answers += 1;
      if (answers !== 2) response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
      else request.socket.end(answerAfter(3));
      if (answers === 3) answers = 1;
    });
    await expect(read(1, stream())).rejects.toBeInstanceOf(ApiError);
    expect(bodiesOf(await read(2, stream({}, '3')))).toEqual([bodies[3], bodies[3]]);
  });

  test('waits as long as Retry-After says', async () => {
    const changes: ConnectionChange[] = [];
    let answers = 0;
    server = await startHttpServer((request, response) => {
      answers += 1;
      if (answers === 1) refuse(response, 429, 'rate-limited', { 'retry-after': '1' });
      else request.socket.write(answerAfter(0));
    });
    const beganMs = performance.now();
    await read(1, stream({ onConnection: (change) => changes.push(change) }));
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(995);
    expect(changes[0]).toMatchObject({ state: 'lost', retryInMs: 1_000 });
  });

  test.each([
    ['99999999999', 3_600_000],
    ['40.5', 41_000],
    ['0', 1_000],
    ['+2', 1_000],
    ['', 1_000],
  ])('Retry-After %s is a wait of %d ms', async (value, waitMs) => {
    const stop = new AbortController();
    const changes: ConnectionChange[] = [];
    server = await startHttpServer((_, response) =>
      refuse(response, 429, 'rate-limited', { 'retry-after': value }),
    );
    const onConnection = (change: ConnectionChange): void => {
      changes.push(change);
      stop.abort();
    };
    await read(1, stream({ signal: stop.signal, onConnection }));
    expect(changes).toMatchObject([{ state: 'lost', retryInMs: waitMs }]);
  });

  test('tells the cursors of blocks without an event', async () => {
    const cursors: string[] = [];
    server = await startHttpServer((request) => void request.socket.write(answerAfter(3)));
    await read(1, stream({ onCursor: (cursor) => cursors.push(cursor) }));
    expect(cursors).toEqual(['3']);
  });

  test.each([
    ['while it waits for an event', 4],
    ['while it waits before another attempt', 5],
  ])('ends with its signal, %s', async (_what, count) => {
    const stop = new AbortController();
    let ended = false;
    server = await startHttpServer((request, response) => {
      if (ended) return refuse(response, 503, 'unavailable', { 'retry-after': '60' });
      request.socket.write(answerAfter(cursorOf(request)), () => count === 5 && request.socket.destroy());
      ended = true;
    });
    const found: string[] = [];
    const signal = stop.signal;
    const onConnection = ({ state, attempt }: ConnectionChange): void => {
      if (state === 'lost' && attempt === 1) stop.abort();
    };
    for await (const { body } of stream({ signal, onConnection }))
      if (found.push(body) === count) setTimeout(() => stop.abort(), 50);
    expect(found.length).toBeLessThanOrEqual(4);
    expect(stop.signal.aborted).toBe(true);
  });

  test('disconnects when its consumer leaves, and asks no more', async () => {
    let requests = 0;
    server = await startHttpServer((request) => {
      requests += 1;
      request.socket.write(answerAfter(cursorOf(request)));
    });
    await read(1, stream());
    while (server.sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(requests).toBe(1);
  });
});

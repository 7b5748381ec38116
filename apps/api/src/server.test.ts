import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { allowSlowBody } from './http/arrival.ts';
import { type HttpServer, listen } from './server.ts';

/** A server that answers when the test says so, and reports when a request has arrived. */
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

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}

test('closing waits for the request in flight, and its answer closes the connection', async () => {
  const { server, came, answer } = await slowServer();
  const url = `http://127.0.0.1:${server.port}/`;
  const early = fetch(url);
  await came;
  const closing = server.close();
  const late = fetch(url);
  while (await accepts(server.port)) await new Promise(setImmediate);
  answer();
  for (const response of await Promise.all([early, late])) {
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.text()).toBe('done');
  }
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

describe('where all places are taken,', () => {
  const limits = {
    headersTimeout: 60_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 1_000,
    silence: 60_000,
    connections: 2,
  };
  const whole = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const slow = whole.replace('/', '/slow');

  /** A server for two connections. It answers `/` at once, `/slow` when the test says so. `came` waits for so many slow requests. */
  async function fullServer(): Promise<{
    server: HttpServer;
    came: (count: number) => Promise<void>;
    answer: () => void;
  }> {
    const told = Promise.withResolvers<void>();
    let slowOnes = 0;
    const server = await listen(
      ({ url }, response) => {
        if (url === '/') response.end('done');
        else {
          slowOnes += 1;
          void told.promise.then(() => response.end('late'));
        }
      },
      '127.0.0.1',
      0,
      limits,
    );
    return {
      server,
      answer: () => told.resolve(),
      async came(count) {
        while (slowOnes < count) await new Promise(setImmediate);
      },
    };
  }

  /** Sends this on a connection from that address. `ended` has all that arrives until it closes. */
  function from(
    localAddress: string,
    { port }: HttpServer,
    bytes: string,
  ): { ended: Promise<string>; socket: Socket } {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    let text = '';
    socket.on('error', () => undefined).on('data', (data: Buffer) => (text += data.toString()));
    socket.write(bytes);
    return { socket, ended: new Promise((resolve) => socket.once('close', () => resolve(text))) };
  }

  test('an idle connection gives way, and not one whose request is worked on', async () => {
    const { server, came, answer } = await fullServer();
    const working = from('127.0.0.2', server, slow);
    await came(1);
    const idle = from('127.0.0.2', server, whole);
    await once(idle.socket, 'data');
    const other = from('127.0.0.1', server, whole);
    await once(other.socket, 'data');
    expect(await idle.ended).toMatch(/done/);
    answer();
    const [late] = (await once(working.socket, 'data')) as [Buffer];
    expect(late.toString()).toMatch(/late/);
    for (const { socket } of [working, other]) socket.destroy();
    await server.close();
  });

  test('one whose request has not arrived whole gives way, too', async () => {
    const { server, came } = await fullServer();
    const half = `${slow.slice(0, -2)}Content-Length: 2\r\n\r\n1`;
    const halves = [from('127.0.0.2', server, half), from('127.0.0.2', server, half)];
    await came(2);
    const other = from('127.0.0.1', server, whole);
    await once(other.socket, 'data');
    expect(await Promise.race(halves.map(({ ended }) => ended))).toBe('');
    for (const { socket } of [...halves, other]) socket.destroy();
    await server.close();
  });

  test('and all are worked on, the newcomer is closed', async () => {
    const { server, came, answer } = await fullServer();
    const working = [1, 2].map(() => from('127.0.0.2', server, slow));
    await came(2);
    expect(await from('127.0.0.1', server, whole).ended).toBe('');
    answer();
    const answers = await Promise.all(working.map(({ socket }) => once(socket, 'data')));
    expect(answers.join()).toMatch(/late[^]*late/);
    for (const { socket } of working) socket.destroy();
    await server.close();
  });
});

describe('while a body is arriving,', () => {
  const upload = { bytes: 1_000, withinMs: 30_000, totalMs: 3_600_000 };

  /** A server with a clock of the test, and a client that has sent the head of a request of 5,000 bytes. */
  async function arriving(isUpload: boolean) {
    let nowMs = 0;
    let looks = 0;
    let read = 0;
    const came = Promise.withResolvers<void>();
    const server = await listen(
      (request, response) => {
        came.resolve();
        if (isUpload) allowSlowBody(request);
        request.on('data', (piece: Buffer) => (read += piece.length)).on('end', () => response.end('whole'));
      },
      '127.0.0.1',
      0,
      {
        headersTimeout: 60_000,
        requestTimeout: 30_000,
        connectionsCheckingInterval: 5,
        silence: 60_000,
        upload,
        clock: () => {
          looks += 1;
          return nowMs;
        },
      },
    );
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    const ended = once(
      socket.on('data', (data: Buffer) => (text += data.toString())),
      'close',
    );
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5000\r\n\r\n');
    let sent = 0;
    /** Resolves when the server has looked at what there is now. */
    const seen = async (): Promise<void> => {
      const before = looks;
      while (looks < before + 2) await wait(1);
    };
    // The first look sees the request, and each later one how its body came on since.
    await came.promise;
    await seen();
    return {
      /** Sends so many bytes, has the server read them, and lets 30 s pass. */
      async bring(bytes: number): Promise<void> {
        socket.write('x'.repeat(bytes));
        sent += bytes;
        while (read < sent) await wait(1);
        nowMs += 30_000;
        await Promise.race([seen(), ended]);
      },
      async answer(): Promise<string> {
        await ended;
        await server.close();
        return text;
      },
    };
  }

  test('an upload that comes on takes longer than other requests may', async () => {
    const client = await arriving(true);
    for (let piece = 0; piece < 5; piece += 1) await client.bring(1_000);
    expect(await client.answer()).toMatch(/whole$/);
  });

  test('an upload that comes on too slowly is cut off', async () => {
    const client = await arriving(true);
    await client.bring(1_000);
    await client.bring(999);
    expect(await client.answer()).toMatch(/^HTTP\/1.1 408 /);
  });

  test.each([
    ['an upload', true, /whole$/],
    ['another request', false, /^HTTP\/1.1 413 /],
  ])('%s in 9,000 pieces is taken: %s', async (_what, isUpload, expected) => {
    const server = await listen(
      (request, response) => {
        if (isUpload) allowSlowBody(request);
        request
          .on('error', () => undefined)
          .resume()
          .on('end', () => response.end('whole'));
      },
      '127.0.0.1',
      0,
    );
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const body = `${(600).toString(16)}\r\n${'x'.repeat(600)}\r\n`.repeat(9_000);
    expect(await answerTo(server.port, `${head}${body}0\r\n\r\n`)).toMatch(expected);
    await server.close();
  });

  test('another request is cut off, however it comes on', async () => {
    const client = await arriving(false);
    await client.bring(4_999);
    expect(await client.answer()).toMatch(/^HTTP\/1.1 408 /);
  });
});

describe('a body that arrives after its answer', () => {
  /** A server that answers at once, and a client that has read the answer while its body goes on. */
  async function answered() {
    let nowMs = 0;
    let looks = 0;
    const server = await listen((_, response) => void response.end('early'), '127.0.0.1', 0, {
      headersTimeout: 60_000,
      requestTimeout: 600_000,
      connectionsCheckingInterval: 5,
      silence: 60_000,
      clock: () => {
        looks += 1;
        return nowMs;
      },
    });
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    let text = '';
    const ended = new Promise((resolve) => socket.once('close', () => resolve('ended')));
    const arrived = Promise.withResolvers<void>();
    socket.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.includes('early')) arrived.resolve();
    });
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\nx');
    await arrived.promise;
    const seen = async (): Promise<'seen'> => {
      const before = looks;
      while (looks < before + 2) await wait(1);
      return 'seen';
    };
    await seen();
    return {
      socket,
      server,
      text: () => text,
      ended,
      /** Lets time pass; what came of it. */
      pass: async (ms: number) => {
        nowMs += ms;
        return await Promise.race([ended, seen()]);
      },
    };
  }

  test('is cut off soon after, however it comes on', async () => {
    const { socket, server, ended, pass } = await answered();
    socket.write('x'.repeat(1_000));
    expect(await pass(4_999)).toBe('seen');
    socket.write('x'.repeat(1_000));
    await pass(1);
    expect(await ended).toBe('ended');
    await server.close();
  });

  test('and is whole in time leaves its connection as it is', async () => {
    const { socket, server, text, pass } = await answered();
    socket.write('x'.repeat(4_999));
    const next = once(socket, 'data');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await next;
    expect(text()).toMatch(/early[^]*early/);
    expect(await pass(60_000)).toBe('seen');
    socket.destroy();
    await server.close();
  });
});

test('a port in use is an error for the caller', async () => {
  const { server } = await slowServer();
  await expect(listen(() => undefined, '127.0.0.1', server.port)).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await server.close();
});

/** Sends these bytes on a new connection. Returns everything that arrives until the server closes it. */
async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (chunk) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, 'end');
  socket.destroy();
  return Buffer.concat(chunks).toString();
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n';

describe('what is not HTTP gets a problem, and its connection is closed:', () => {
  let server: HttpServer;
  beforeAll(async () => {
    ({ server } = await slowServer());
  });
  afterAll(() => server.close());

  test.each([
    ['noise', 'hello\r\n\r\n', 400, 'invalid-request'],
    [
      'a length and chunks',
      `${get}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'invalid-request',
    ],
    ['a header with no colon', `${get}nothing\r\n\r\n`, 400, 'invalid-request'],
    ['another version', 'GET / HTTP/3.7\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    ['headers of 20 KB', `${get}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'too-large'],
    [
      'a long chunk extension',
      `${get}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
      413,
      'too-large',
    ],
  ])('%s', async (_what, bytes, status, code) => {
    const [head = '', body = ''] = (await answerTo(server.port, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w`));
    expect(head).toMatch(/^content-type: application\/problem\+json/im);
    expect(JSON.parse(body)).toMatchObject({
      type: `/problems/${code}`,
      status,
      code,
      requestId: expect.any(String),
    });
  });
});

test('invalid bytes after a request leave its started answer untouched', async () => {
  const server = await listen((_request, response) => void response.write('begun'), '127.0.0.1', 0);
  const socket = connect(server.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (chunk) => chunks.push(chunk));
  socket.write(`${get}\r\n`);
  await once(socket, 'data');
  socket.write('hello\r\n\r\n');
  await once(socket, 'close');
  expect(Buffer.concat(chunks).toString()).toMatch(/begun(\r\n)?$/);
  await server.close();
});

test('an unknown expectation is ignored', async () => {
  const server = await listen((_request, response) => void response.end('done'), '127.0.0.1', 0);
  const answer = await answerTo(server.port, `${get}Expect: miracles\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  await server.close();
});

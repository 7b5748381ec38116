import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createOutbox } from './outbox.ts';
import { openPost } from './otlp-post.ts';

const body = Buffer.from('{}');

/** A collector that gives its first requests these answers, and `{}` to the others. */
async function withCollector(
  answers: readonly ((response: ServerResponse) => void)[],
  use: (url: string, requests: () => number) => Promise<void>,
): Promise<void> {
  let requests = 0;
  const server = createServer((request, response) => {
    const answer = answers[requests];
    requests += 1;
    request.resume();
    if (answer === undefined) response.end('{}');
    else answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => requests);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a collector that answers byte by byte holds up one batch, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const drip = (response: ServerResponse): void => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 100);
    response.once('close', () => {
      clearInterval(timer);
      closed.resolve();
    });
  };
  await withCollector([drip, drip], async (url) => {
    const post = openPost(url, {});
    const failures = await Promise.all([post(body), post(body)]);
    expect(failures.map((one) => one?.fault)).toEqual(['timeout', 'timeout']);
    await closed.promise;
    expect(await post(body)).toBeNull();
  });
});

test.each([
  ['10', 10_000],
  ['10.5', 11_000],
  ['100', 60_000],
])('Retry-After: %s asks for a pause of %d ms at most', async (value, atMost) => {
  const busy = (response: ServerResponse): void =>
    void response.writeHead(429, { 'retry-after': value }).end();
  await withCollector([busy, busy], async (url, requests) => {
    const failure = await openPost(url, {})(body);
    expect(failure).toEqual({ fault: 'status 429', pauseMs: atMost });
    expect(requests()).toBeLessThanOrEqual(2);
  });
});

test.each(['0', '1,5', '2030-01-01', '+9', '"9"'])(
  'Retry-After: %s repeats the batch after a second',
  async (value) => {
    const busy = (response: ServerResponse): void =>
      void response.writeHead(503, { 'retry-after': value }).end();
    await withCollector([busy], async (url, requests) => {
      const beganAt = performance.now();
      expect(await openPost(url, {})(body)).toBeNull();
      expect(performance.now() - beganAt).toBeGreaterThan(990);
      expect(requests()).toBe(2);
    });
  },
);

test('a collector may send informational answers that nobody asked for', async () => {
  const first = (response: ServerResponse): void => {
    response.writeContinue();
    response.writeProcessing();
    response.writeContinue();
    response.end('{}');
  };
  await withCollector([first, first], async (url, requests) => {
    const post = openPost(url, {});
    expect([await post(body), await post(body)]).toEqual([null, null]);
    expect(requests()).toBe(2);
  });
});

test('an outbox that has ended tells of no outage any more', async () => {
  const sent = Promise.withResolvers<null>();
  const told: (string | null)[] = [];
  const outbox = createOutbox<number>({
    send: () => sent.promise.then(() => ({ fault: 'timeout', pauseMs: 0 })),
    maxWaiting: 100,
    maxItems: 1,
    afterMs: 1,
    lost: () => undefined,
    sent: () => undefined,
    outage: (fault) => void told.push(fault),
  });
  outbox.add(1);
  await outbox.close(10);
  sent.resolve(null);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(told).toEqual([]);
});

test('nothing is sent during a pause, and the rest follows it', async () => {
  const sentAt: number[] = [];
  const all = Promise.withResolvers<void>();
  const outbox = createOutbox<number>({
    send: async () => {
      sentAt.push(performance.now());
      if (sentAt.length === 3) all.resolve();
      return sentAt.length === 1 ? { fault: 'status 429', pauseMs: 500 } : null;
    },
    maxWaiting: 100,
    maxItems: 1,
    afterMs: 1,
    lost: () => undefined,
    sent: () => undefined,
    outage: () => undefined,
  });
  for (const span of [1, 2, 3]) outbox.add(span);
  await all.promise;
  expect(sentAt[1]! - sentAt[0]!).toBeGreaterThan(450);
  await outbox.close(100);
});

import { expect, test } from '@jest/globals';
import type { NotifyOptions, Retry } from '../config.ts';
import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  NotFoundError,
  NotifyError,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
} from '../errors.ts';
import { Notify } from '../notify.ts';
import { newIdempotencyKey } from './idempotency.ts';
import { waitBeforeRetry } from './retries.ts';
import { retryAfterMs } from './retry-after.ts';

interface Sent {
  readonly method: string;
  readonly body: { idempotencyKey?: string; messages?: { idempotencyKey?: string }[] };
}

type Answer = Response | Error | ((signal: AbortSignal) => Promise<Response>);

/** A client that gets these answers in order, the last of them forever. */
function client(answers: readonly Answer[], options: NotifyOptions = {}) {
  const sent: Sent[] = [];
  const retries: Retry[] = [];
  const notify = new Notify({
    baseUrl: 'https://notify.example',
    apiKey: 'svc_live_key',
    token: 'svc_tok_token',
    onRetry: (retry) => retries.push(retry),
    async fetch(_, init) {
      const answer = answers[Math.min(sent.length, answers.length - 1)]!;
      const body = typeof init.body === 'string' ? init.body : '{}';
      sent.push({ method: init.method!, body: JSON.parse(body) as Sent['body'] });
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer(init.signal!) : answer.clone();
    },
    ...options,
  });
  return { notify, sent, retries };
}

const json = { 'content-type': 'application/json' };
const cut = new TypeError('fetch failed', { cause: new Error('other side closed') });
const message = new Response('{"id":"msg_1"}', { status: 202, headers: json });
const cutBody = (): Promise<Response> =>
  Promise.resolve(new Response('{"id":"ms', { status: 202, headers: json }));

function problem(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = JSON.stringify({
    type: `/problems/${code}`,
    title: 'A title',
    status,
    code,
    requestId: 'r-1',
  });
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } });
}

const text = { to: '+15550001000', text: 'Hello' };

test('all tries of a send have the same key, which the call makes', async () => {
  const { notify, sent, retries } = client([cut, cutBody, problem(503, 'unavailable'), message]);
  await expect(notify.messages.sendText('sms', text)).resolves.toEqual({ id: 'msg_1' });
  const keys = sent.map(({ body }) => body.idempotencyKey);
  expect(keys).toEqual(Array.from({ length: 4 }, () => keys[0]));
  expect(keys[0]).toMatch(/^sdk-.{36}$/);
  expect(retries.map(({ operation, attempt }) => [operation, attempt])).toEqual([
    ['messages.sendText', 1],
    ['messages.sendText', 2],
    ['messages.sendText', 3],
  ]);
});

test('two calls have different keys', async () => {
  const { notify, sent } = client([message]);
  await notify.messages.sendText('sms', text);
  await notify.tenantMessages.send({ channel: 'sms', ...text });
  expect(new Set(sent.map(({ body }) => body.idempotencyKey)).size).toBe(2);
});

test("the caller's key is kept, from the body or from the options", async () => {
  const { notify, sent } = client([message]);
  await notify.messages.sendText('sms', { ...text, idempotencyKey: 'order-1' });
  await notify.messages.sendText('sms', text, { idempotencyKey: 'order-2' });
  expect(sent.map(({ body }) => body.idempotencyKey)).toEqual(['order-1', 'order-2']);
  await expect(
    notify.messages.sendText('sms', { ...text, idempotencyKey: 'order-1' }, { idempotencyKey: 'order-2' }),
  ).rejects.toThrow('different idempotency keys');
});

test('each item of a bulk call without a key gets one, for all tries', async () => {
  const { notify, sent } = client([cut, new Response('[]', { status: 202, headers: json })]);
  await notify.messages.sendBulk('sms', { messages: [text, { ...text, idempotencyKey: 'mine' }, text] });
  const keys = sent.map(({ body }) => body.messages!.map((item) => item.idempotencyKey));
  expect(keys[1]).toEqual(keys[0]);
  expect(keys[0]![1]).toBe('mine');
  expect(new Set(keys[0]).size).toBe(3);
});

test('a send that fails for good tells its key', async () => {
  const { notify, sent } = client([cut], { maxRetries: 1 });
  const error: unknown = await notify.messages.sendText('sms', text).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({
    message: 'The connection failed: other side closed',
    idempotencyKey: sent[0]!.body.idempotencyKey,
  });
  expect(sent).toHaveLength(2);
});

test('a bulk send that fails for good tells the keys of its items, in their order', async () => {
  const { notify, sent } = client([cut], { maxRetries: 0 });
  const messages = [text, { ...text, idempotencyKey: 'mine' }, text];
  const error = await notify.messages.sendBulk('sms', { messages }).catch((one: NotifyError) => one);
  const { idempotencyKeys } = error as NotifyError;
  expect(idempotencyKeys).toEqual(sent[0]!.body.messages!.map((item) => item.idempotencyKey));
  expect(idempotencyKeys).toEqual([expect.stringMatching(/^sdk-/), 'mine', expect.stringMatching(/^sdk-/)]);
});

test('a send that its caller ended can be repeated with its own key', async () => {
  const leaving = new AbortController();
  const left = (signal: AbortSignal) => {
    setImmediate(() => leaving.abort(new DOMException('enough', 'TimeoutError')));
    return hang(signal);
  };
  const { notify, sent } = client([left, message]);
  const own = newIdempotencyKey();
  expect(newIdempotencyKey()).not.toBe(own);
  const keyed = { ...text, idempotencyKey: own };
  const ended = notify.messages.sendText('sms', keyed, { signal: leaving.signal });
  await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' });
  await notify.messages.sendText('sms', keyed);
  expect(sent.map(({ body }) => body.idempotencyKey)).toEqual([own, own]);
});

test('another POST is repeated only after an answer that says nothing was done', async () => {
  const webhook = new Response('{"id":"wh_1"}', { status: 201, headers: json });
  const refused = client([problem(429, 'rate-limited'), problem(429, 'rate-limited'), webhook]);
  await refused.notify.webhooks.create({ url: 'https://example.com' });
  expect(refused.sent).toHaveLength(3);
  for (const answer of [cut, cutBody, problem(500, 'internal'), problem(503, 'unavailable')]) {
    const { notify, sent } = client([answer, webhook]);
    await expect(notify.webhooks.create({ url: 'https://example.com' })).rejects.toBeInstanceOf(NotifyError);
    expect(sent).toHaveLength(1);
  }
});

test('a DELETE whose answer was lost succeeds when there is nothing left to delete', async () => {
  const gone = problem(404, 'not-found');
  const { notify } = client([cut, gone]);
  await expect(notify.webhooks.delete('wh_1')).resolves.toBeUndefined();
  await expect(client([gone]).notify.webhooks.delete('wh_1')).rejects.toBeInstanceOf(NotFoundError);
});

test('a refusal is not repeated', async () => {
  const { notify, sent } = client([problem(422, 'invalid-request')]);
  await expect(notify.messages.sendText('sms', text)).rejects.toMatchObject({
    code: 'invalid-request',
    status: 422,
    requestId: 'r-1',
  });
  expect(sent).toHaveLength(1);
});

test('Retry-After is kept, and one beyond a minute is left to the caller', async () => {
  const short = client([problem(429, 'rate-limited', { 'retry-after': '1' }), message]);
  await short.notify.messages.sendText('sms', text);
  expect(short.retries.map(({ waitMs }) => waitMs)).toEqual([1000]);
  const long = client([problem(429, 'rate-limited', { 'retry-after': '61' })]);
  const error: unknown = await long.notify.messages.sendText('sms', text).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(RateLimitedError);
  expect(error).toMatchObject({ retryAfterMs: 61_000 });
  expect(long.sent).toHaveLength(1);
});

test('waits double up to 8 s, less up to half by chance', () => {
  const waits = (random: number) =>
    [1, 2, 3, 4, 5, 6, 60].map((attempt) =>
      waitBeforeRetry(new ConnectionError('cut'), attempt, true, () => random),
    );
  expect(waits(0)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  expect(waits(1)).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
});

test('after a 429 or a 503 no wait is shorter than a second', () => {
  const waitAfter = (status: number, header?: string) => {
    const given = {
      code: 'unavailable',
      status,
      title: 'Later',
      retryAfterMs: retryAfterMs(header ?? null),
    } as const;
    return waitBeforeRetry(new ApiError(given), 1, true, () => 1);
  };
  for (const header of [undefined, '0', '1,5', '"2"', '+2', 'Sat, 31 Jan 2026 09:29:00 GMT'])
    expect([waitAfter(429, header), waitAfter(503, header)]).toEqual([1000, 1000]);
  expect(waitAfter(429, '1.5')).toBe(2000);
  expect(waitAfter(429, '40.5')).toBe(41_000);
  expect(waitAfter(429, '60.5')).toBeNull();
  expect(waitAfter(500)).toBe(250);
});

/** Answers never, until it is aborted. */
function hang(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
}

test('a try that takes too long is repeated', async () => {
  const { notify, sent, retries } = client([hang, message]);
  await notify.messages.sendText('sms', text, { timeoutMs: 20 });
  expect(sent).toHaveLength(2);
  expect(retries[0]!.error).toBeInstanceOf(TimeoutError);
});

test('a signal ends a try, and a wait, with its reason', async () => {
  const reason = new Error('enough');
  const trying = new AbortController();
  const tried = client([hang]).notify.messages.sendText('sms', text, { signal: trying.signal });
  trying.abort(reason);
  await expect(tried).rejects.toBe(reason);

  const waiting = new AbortController();
  const { notify, sent } = client([problem(503, 'unavailable', { 'retry-after': '60' })], {
    onRetry: () => setTimeout(() => waiting.abort(reason)),
  });
  await expect(notify.messages.sendText('sms', text, { signal: waiting.signal })).rejects.toBe(reason);
  expect(sent).toHaveLength(1);
});

/** A signal that counts its listeners. */
function countedSignal() {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners.add(given[1]);
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners.delete(given[1]);
    remove(...given);
  };
  return { signal, listeners };
}

test('a call leaves nothing on its signal, however it ends', async () => {
  const { signal, listeners } = countedSignal();
  const { notify, sent } = client([cut, message, problem(422, 'invalid-request')]);
  await notify.messages.sendText('sms', text, { signal });
  await expect(notify.messages.sendText('sms', text, { signal })).rejects.toBeInstanceOf(ApiError);
  expect(sent).toHaveLength(3);
  expect(listeners.size).toBe(0);
});

test('a file stays on its signal until its body has ended, or is canceled', async () => {
  const { signal, listeners } = countedSignal();
  const headers = { 'content-type': 'image/png' };
  const { notify } = client([() => Promise.resolve(new Response('a file', { headers }))]);
  const read = await notify.messages.getMedia('msg_1', { signal });
  expect([listeners.size, read.headers.get('content-type')]).toEqual([1, 'image/png']);
  expect(await read.text()).toBe('a file');
  expect(listeners.size).toBe(0);
  const canceled = await notify.messages.getMedia('msg_1', { signal });
  expect(listeners.size).toBe(1);
  await canceled.body!.cancel();
  expect(listeners.size).toBe(0);
});

test('a signal ends the body of a file', async () => {
  const reason = new Error('enough');
  const reading = new AbortController();
  const { notify } = client([
    (signal) => {
      const body = new ReadableStream({
        start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
      });
      return Promise.resolve(new Response(body));
    },
  ]);
  const file = await notify.messages.getMedia('msg_1', { signal: reading.signal });
  const text = file.text();
  reading.abort(reason);
  await expect(text).rejects.toBe(reason);
});

test('a time beyond that of a timer is no timeout', async () => {
  for (const timeoutMs of [Infinity, 2 ** 31]) {
    const { notify, retries } = client([
      (signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          setTimeout(() => resolve(message.clone()), 30);
        }),
    ]);
    await notify.messages.sendText('sms', text, { timeoutMs });
    expect(retries).toEqual([]);
  }
});

test.each([
  ...[NaN, 0, -1, '5' as unknown as number].map((timeoutMs) => ({ timeoutMs })),
  ...[NaN, -1, 1.5, Infinity].map((maxRetries) => ({ maxRetries })),
])('%p is refused, of the client and of a call', async (limits) => {
  expect(() => client([message], limits)).toThrow(ConfigurationError);
  const { notify, sent } = client([message]);
  await expect(notify.messages.sendText('sms', text, limits)).rejects.toBeInstanceOf(ConfigurationError);
  expect(sent).toHaveLength(0);
});

test.each([
  [400, '{"errors":{"to":["bad"]}}', { code: 'unknown', errors: [] }],
  [400, '{"errors":[null,"to",{"at":"to"},{"at":"to","message":"bad"}]}', { code: 'unknown' }],
  [403, 'null', { code: 'unknown' }],
  [403, '"no"', { code: 'unknown' }],
  [403, 'Forbidden', { code: 'unknown' }],
  [400, '{"code":"constructor"}', { code: 'constructor' }],
  [400, '{"code":"toString","title":7,"detail":{},"requestId":1}', { title: 'Refused', detail: undefined }],
  [404, '{"code":404}', { code: 'unknown' }],
])('the answer %i %s of a proxy is a refusal, and not repeated', async (status, body, shown) => {
  const { notify, sent } = client([new Response(body, { status, headers: json })]);
  const error: unknown = await notify.messages.sendText('sms', text).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status, ...shown });
  expect(sent).toHaveLength(1);
});

test("a proxy's page is an error that says so, and repeated where its status allows", async () => {
  const page = new Response('<h1>Bad Gateway</h1>', {
    status: 502,
    headers: { 'content-type': 'text/html' },
  });
  const { notify, sent } = client([page], { maxRetries: 1 });
  const error: unknown = await notify.messages.sendText('sms', text).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({ code: 'unknown', status: 502 });
  expect(sent).toHaveLength(2);
  const site = client([new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } })]);
  await expect(site.notify.messages.get('msg_1')).rejects.toThrow('Is the base URL right?');
  expect(site.sent).toHaveLength(1);
  const moved = client([new Response(null, { status: 301, headers: { location: 'https://other.example' } })]);
  await expect(moved.notify.messages.get('msg_1')).rejects.toThrow('redirects to https://other.example');
});

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Adapter, OpenedFile, SendContext } from '@notify/channels';
import type { MediaType } from '@notify/core';
import request from 'supertest';
import Type from 'typebox';
import { maxPerTenant } from '../src/media/file-places.ts';
import { type HttpServer, listen } from '../src/server.ts';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

/** Files of inbound messages on their way through the api. */

type Open = (file: unknown, context: SendContext<unknown>) => Promise<OpenedFile>;
let open: Open;
const keeper: Adapter = {
  id: 'test-files',
  channel: 'whatsapp',
  name: 'Test files',
  baseUrl: null,
  capabilities: {
    media: false,
    reportsDelivery: false,
    reportsRead: false,
    repeatIsSafe: false,
    callbacks: false,
    maxInFlight: 1,
    callDeadlineMs: 1_000,
  },
  settings: Type.Object({ token: Type.String({ secret: true }) }, { additionalProperties: false }),
  send: () => Promise.resolve({ kind: 'accepted', externalId: null }),
  verify: () => Promise.resolve({ ok: true, detail: 'Welcome.' }),
  openFile: (file, context) => open(file, context),
};

let service: MessagingApp;
let server: HttpServer;
beforeAll(async () => {
  service = await messagingApp({}, [keeper]);
  server = await listen(service.app, '127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await service[Symbol.asyncDispose]();
});

interface Given {
  readonly filename?: string | null;
  readonly mimeType?: string | null;
  readonly file?: unknown;
  readonly type?: MediaType;
}

interface Received extends Caller {
  readonly id: string;
  readonly accountId: string;
}

/** A tenant that got a message with a file. */
async function received(given: Given = {}): Promise<Received> {
  const own = await service.tenant({ sandbox: false });
  const account = { provider: keeper.id, name: 'Files', settings: { token: 'sesame' } };
  const { body } = await own.manage('post', '/v1/channel-accounts', account).expect(201);
  return { ...own, accountId: body.id, id: await receive(own, body.id, given) };
}

async function receive(
  { tenantId }: Caller,
  accountId: string,
  { filename = null, mimeType = null, file = { id: 'f-1' }, type = 'image' }: Given,
): Promise<string> {
  const [stored] = await service.parts.intake.store(
    {
      id: accountId,
      tenantId,
      channel: 'whatsapp',
      provider: 'whatsapp-cloud',
      keywords: { stop: [], start: [] },
    },
    {
      inbound: [
        {
          externalId: crypto.randomUUID(),
          from: '+4917012345678',
          to: null,
          sentAt: null,
          type,
          body: { type, caption: null, filename, mimeType, bytes: null },
          contact: null,
          replyTo: null,
          file,
        },
      ],
      moved: [],
      consents: [],
    },
  );
  return (stored as { messageId: string }).messageId;
}

/** The adapter answers a file made of these chunks. */
function answering(
  chunks: readonly (string | Error)[],
  said: Partial<Extract<OpenedFile, { kind: 'file' }>> = {},
): Open {
  return async () => ({
    kind: 'file',
    mimeType: null,
    bytes: null,
    ...said,
    content: (async function* () {
      for (const chunk of chunks) {
        if (chunk instanceof Error) throw chunk;
        yield Buffer.from(chunk);
      }
    })(),
  });
}

const headersOf = ({ authorization }: Caller) => ({ authorization });
const pathOf = ({ id }: Received) => `/v1/messages/msg_${id}/media`;

test('a file comes byte for byte, by session and by key, and no browser runs it', async () => {
  const own = await received({ filename: 'Ärger.html' });
  const seen: unknown[] = [];
  open = async (file, context) => {
    seen.push([file, context.settings]);
    return answering(['<script>', 'alert(1)</script>'], { mimeType: 'text/html; charset=utf-8', bytes: 25 })(
      file,
      context,
    );
  };
  for (const asked of [own.manage('get', pathOf(own)), own.notify('get', `/messages/${own.id}/media`)]) {
    const answer = await asked.buffer(true).parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks).toString()));
    });
    expect(answer).toMatchObject({ status: 200, body: '<script>alert(1)</script>' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '25',
      'content-disposition': `attachment; filename="_rger.html"; filename*=UTF-8''%C3%84rger.html`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
    });
  }
  expect(seen).toEqual([
    [{ id: 'f-1' }, { token: 'sesame' }],
    [{ id: 'f-1' }, { token: 'sesame' }],
  ]);
});

test.each([
  [{ mimeType: 'image/jpeg' }, null, 'image/jpeg', /^image-[0-9a-f-]{36}\.jpg$/],
  [{ mimeType: 'image/jpeg' }, 'image/svg+xml', 'application/octet-stream', /^image-[0-9a-f-]{36}$/],
  [{ type: 'audio' }, 'Audio/OGG; codecs=opus', 'audio/ogg', /^audio-[0-9a-f-]{36}\.ogg$/],
  [{ mimeType: 'text/html' }, null, 'application/octet-stream', /^image-[0-9a-f-]{36}$/],
  [{}, null, 'application/octet-stream', /^image-[0-9a-f-]{36}$/],
] as const)('%j, and the provider says %s: it is answered as %s', async (given, said, type, name) => {
  const own = await received(given);
  open = answering(['x'], { mimeType: said });
  const { headers } = await own.manage('get', pathOf(own)).expect(200);
  expect(headers['content-type']).toBe(type);
  expect(/filename="(.*)"/.exec(headers['content-disposition']!)?.[1]).toMatch(name);
  expect(headers).not.toHaveProperty('content-length');
});

test('what there is no file of', async () => {
  const own = await received({ file: null });
  const stranger = await received();
  open = () => Promise.reject(new Error('asked'));
  for (const id of [own.id, stranger.id, crypto.randomUUID(), 'x']) {
    for (const asked of [
      own.manage('get', `/v1/messages/${id}/media`),
      own.notify('get', `/messages/${id}/media`),
    ])
      expect((await asked).body).toMatchObject({ status: 404, code: 'not-found' });
  }
  await request(service.app).get(pathOf(own)).expect(401);
});

test('a provider without the file, one that is away, and an account that is gone', async () => {
  const own = await received();
  const answer = async () => own.manage('get', pathOf(own));
  open = async () => ({ kind: 'expired', detail: 'It is gone.' });
  expect(await answer()).toMatchObject({
    status: 410,
    body: { code: 'media-expired', detail: 'It is gone.' },
  });
  open = async () => ({ kind: 'unavailable', detail: 'It is away.' });
  expect(await answer()).toMatchObject({
    status: 503,
    headers: { 'retry-after': '30' },
    body: { code: 'unavailable', detail: 'It is away.' },
  });
  open = () => Promise.reject(new Error('a bug'));
  expect(await answer()).toMatchObject({ status: 500, body: { code: 'internal' } });
  await service.db
    .updateTable('channel_accounts')
    .set({ settings: 'x' })
    .where('id', '=', own.accountId)
    .execute();
  expect(await answer()).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  await own.manage('delete', `/v1/channel-accounts/${own.accountId}`).expect(204);
  expect(await answer()).toMatchObject({ status: 410, body: { code: 'media-expired' } });
});

/** A request over a real connection, whose answer is not read until somebody does. */
async function connect(own: Received): Promise<IncomingMessage> {
  const asked = get({
    port: server.port,
    host: '127.0.0.1',
    path: pathOf(own),
    headers: headersOf(own),
    agent: false,
  });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

/** The bytes that came, and whether they are said to be all. */
async function readAll(response: IncomingMessage): Promise<{ text: string; complete: boolean }> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
    response.on('close', () => resolve());
  });
  return { text: Buffer.concat(chunks).toString(), complete: response.complete };
}

test.each<[string, (string | Error)[], number | null]>([
  ['breaks off', ['half', new Error('no')], null],
  ['breaks off at its length', ['half', new Error('no')], 8],
  ['is shorter than it was told to be', ['half'], 8],
  ['is longer than it was told to be', ['half', 'and half'], 8],
])('a file that %s does not look whole', async (_, chunks, bytes) => {
  const own = await received();
  open = answering(chunks, { bytes });
  const cut = await readAll(await connect(own));
  // What had not left yet is lost with the connection.
  expect([cut.complete, 'half'.startsWith(cut.text)]).toEqual([false, true]);
  open = answering(['half'], { bytes: 4 });
  expect(await readAll(await connect(own))).toEqual({ text: 'half', complete: true });
});

test('the provider is read no faster than the client reads, and no longer than the client stays', async () => {
  const own = await received();
  let read = 0;
  const ended = Promise.withResolvers<AbortSignal>();
  open = async (_file, { signal }) => ({
    kind: 'file',
    mimeType: null,
    bytes: null,
    content: (async function* () {
      try {
        for (;;) {
          read += 65_536;
          yield Buffer.alloc(65_536);
          await new Promise(setImmediate);
        }
      } finally {
        ended.resolve(signal);
      }
    })(),
  });
  const response = await connect(own);
  // Until what is on the way has filled its buffers.
  for (let before = -1; read !== before;) {
    before = read;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(read).toBeLessThan(100_000_000);
  }
  response.destroy();
  expect((await ended.promise).aborted).toBe(true);
});

test('a client that leaves while the provider is asked ends the question', async () => {
  const own = await received();
  const asked = Promise.withResolvers<AbortSignal>();
  open = (_file, { signal }) => {
    asked.resolve(signal);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'unavailable', detail: 'aborted' }));
    });
  };
  const client = get({
    port: server.port,
    host: '127.0.0.1',
    path: pathOf(own),
    headers: headersOf(own),
    agent: false,
  });
  client.on('error', () => undefined);
  const signal = await asked.promise;
  client.destroy();
  if (!signal.aborted) await once(signal, 'abort');
  expect(signal.aborted).toBe(true);
});

test('HEAD answers what is stored and asks no provider', async () => {
  const own = await received({ filename: 'a.pdf', mimeType: 'application/pdf' });
  open = () => Promise.reject(new Error('asked'));
  const answer = await request(service.app).head(pathOf(own)).set(headersOf(own)).expect(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="a.pdf"',
  });
});

test('a tenant reads so many files at once and no more; another is not held up', async () => {
  const own = await received();
  const gate = Promise.withResolvers<void>();
  open = async () => ({
    kind: 'file',
    mimeType: null,
    bytes: null,
    content: (async function* () {
      yield Buffer.from('x');
      await gate.promise;
    })(),
  });
  const open10 = await Promise.all(Array.from({ length: maxPerTenant }, () => connect(own)));
  const refused = await own.manage('get', pathOf(own));
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '1' },
    body: { code: 'rate-limited' },
  });
  open10[0]!.destroy();
  const other = await received();
  const theirs = await connect(other);
  expect(theirs.statusCode).toBe(200);
  gate.resolve();
  const done = [...open10.slice(1), theirs].map(readAll);
  for (const each of await Promise.all(done)) expect(each).toEqual({ text: 'x', complete: true });
  expect(await readAll(await connect(own))).toEqual({ text: 'x', complete: true });
});

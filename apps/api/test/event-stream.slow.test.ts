import type { KeyObject } from 'node:crypto';
import { createLooker } from '@notify/db/events';
import { type EventStream, openEventStream, ownDatabase } from '@notify/testkit';
import jwt from 'jsonwebtoken';
import { type KyselyPlugin, sql } from 'kysely';
import { connect } from 'node:net';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import {
  closeEventStreams,
  createEventStreams,
  maxEventStreams,
  maxInAll,
  streamedEvents,
} from '../src/events/event-streams.ts';
import type { Problem } from '../src/problems/problem.ts';
import { type HttpServer, listen } from '../src/server.ts';
import { register, type Registered, testApi, type TestApi } from './test-api.ts';

const path = '/v1/events/stream';

let api: TestApi;
let server: HttpServer;
let tenant: Registered;
beforeAll(async () => {
  api = await testApi({}, null, await ownDatabase());
  server = await listen(api.app, '127.0.0.1', 0);
});
beforeEach(async () => {
  tenant = await register(api.app);
});
afterAll(async () => {
  closeEventStreams(api.parts.eventStreams);
  await server.close();
  await api[Symbol.asyncDispose]();
});

const claims = (of = tenant) => jwt.decode(of.accessToken) as { sub: string; sid: string };
const db = () => api.database.db;

/** Stores events in one statement. */
const tell = (
  bodies: readonly string[],
  of = tenant,
  executor: Pick<TestApi['database']['db'], 'getExecutor'> = db(),
) =>
  sql`
    insert into events (id, tenant_id, event, body, occurred_at)
    select uuidv7(), ${claims(of).sub}, 'message.sent', to_json(body)::text, now()
    from unnest(${bodies}::text[]) as body`.execute(executor);

/** An open stream that has got its first id. */
async function open(
  last: string | null = null,
  token = tenant.accessToken,
  query = '',
): Promise<EventStream> {
  const stream = await openEventStream(`http://127.0.0.1:${server.port}${path}${query}`, token, last);
  if (stream.status === 200) await stream.idAlone();
  return stream;
}

const next = async (stream: EventStream) => JSON.parse(String((await stream.next()).body)) as unknown;

test('an event arrives signed', async () => {
  await using stream = await open();
  await tell(['hello']);
  const event = (await stream.next()) as { headers: Record<string, string>; body: string };
  const { body } = await request(api.app).get('/v1/events/secret').set('Authorization', tenant.bearer);
  expect(new Webhook(body.secret).verify(event.body, event.headers)).toBe('hello');
});

test('a new stream begins now; its first id already continues it', async () => {
  await tell(['before']);
  const first = await open();
  const begin = first.lastId();
  first.close();
  await tell(['between']);
  await using second = await open(begin);
  expect(await next(second)).toBe('between');
  await tell(['after']);
  expect(await next(second)).toBe('after');
});

test('the id of each event continues after it, as a header or as the cursor', async () => {
  await using stream = await open();
  const told = ['1', '2', '3', '4'];
  await tell(told);
  for (let index = 0; index < 4; index += 1) {
    expect(await next(stream)).toBe(told[index]);
    const id = stream.lastId();
    for (const again of [await open(id), await open(null, tenant.accessToken, `?cursor=${id}`)]) {
      told.push(`more ${told.length}`);
      await tell(told.slice(-1));
      expect(await next(again)).toBe(told[index + 1]);
      again.close();
    }
  }
});

test('the header goes before the cursor; one that is made up is named', async () => {
  const ask = (query: string, last?: string) => {
    const asked = request(api.app).get(`${path}${query}`).set('Authorization', tenant.bearer);
    return last === undefined ? asked : asked.set('Last-Event-ID', last);
  };
  const refused = (at: string) => ({ status: 422, body: { code: 'invalid-request', errors: [{ at }] } });
  expect(await ask('?cursor=x')).toMatchObject(refused('query/cursor'));
  expect(await ask('?cursor=x', 'y')).toMatchObject(refused('header/last-event-id'));
  const stream = await open();
  const id = stream.lastId()!;
  stream.close();
  await using both = await openEventStream(
    `http://127.0.0.1:${server.port}${path}?cursor=x`,
    tenant.accessToken,
    id,
  );
  expect(both.status).toBe(200);
});

test('the cursor of the list continues in the stream, and an id of the stream in the list', async () => {
  await tell(['1', '2']);
  const list = (query: string) =>
    request(api.app).get(`/v1/events${query}`).set('Authorization', tenant.bearer);
  const { body: page } = await list('?limit=1');
  await using stream = await open(page.nextCursor);
  expect(await next(stream)).toBe('2');
  await tell(['3']);
  const { body: rest } = await list(`?cursor=${stream.lastId()}`);
  expect(rest.data.map(({ body }: { body: string }) => JSON.parse(body))).toEqual(['3']);
});

test('streams of other tenants hear nothing of it', async () => {
  const other = await register(api.app);
  await using theirs = await open(null, other.accessToken);
  await using mine = await open();
  await tell(['mine']);
  expect(await next(mine)).toBe('mine');
  await tell(['theirs'], other);
  expect(await next(theirs)).toBe('theirs');
});

test('a transaction held open for 30 s, while the stream reconnects, costs no event and repeats none', async () => {
  const held = await db().startTransaction().execute();
  await tell(['held'], tenant, held);
  const heard: unknown[] = [];
  let last: string | null = null;
  for (const endMs = performance.now() + 30_000; performance.now() < endMs;) {
    await using stream = await open(last);
    const name = `free ${heard.length}`;
    await tell([name]);
    heard.push(await next(stream));
    expect(heard.at(-1)).toBe(name);
    last = stream.lastId();
  }
  await held.commit().execute();
  await using stream = await open(last);
  expect(await next(stream)).toBe('held');
  await tell(['end']);
  expect(await next(stream)).toBe('end');
  expect(heard.length).toBeGreaterThan(10);
});

test('a stream ends with the access token it was opened by', async () => {
  const [{ secret, kid }] = api.parts.settings.jwtSecrets as [{ secret: KeyObject; kid: string }];
  const exp = Math.ceil((Date.now() + 500) / 1_000);
  const token = jwt.sign({ ...claims(), exp }, secret, { keyid: kid });
  await using stream = await open(null, token);
  expect(await stream.ended()).toEqual([]);
  expect(Date.now()).toBeGreaterThanOrEqual(exp * 1_000 - 50);
});

test('a tenant has so many streams and no more; closing one makes room', async () => {
  const streams = await Promise.all(Array.from({ length: maxEventStreams }, () => open()));
  expect(streams.map(({ status }) => status)).toEqual(Array(maxEventStreams).fill(200));
  const refused = await request(api.app).get(path).set('Authorization', tenant.bearer);
  expect([refused.status, refused.body.code]).toEqual([409, 'limit-reached']);
  const other = await register(api.app);
  await using theirs = await open(null, other.accessToken);
  expect(theirs.status).toBe(200);
  streams[0]?.close();
  let status = 409;
  while (status === 409) {
    await using stream = await open();
    ({ status } = stream);
  }
  expect(status).toBe(200);
  for (const stream of streams) stream.close();
});

test('fifty tenants with all the streams they can have leave room for others, the newest included', async () => {
  const looker = createLooker(db());
  const { snapshot, history } = await looker.look();
  const streams = createEventStreams(db(), looker, 7, api.parts.log);
  const end = { at: null, signal: new AbortController().signal };
  const read = (tenantId: string) => {
    const session = { tenantId, bearerId: claims().sid, isToken: false };
    return streamedEvents(streams, session, end, { place: { from: snapshot }, history })[
      Symbol.asyncIterator
    ]();
  };
  const statuses = Array.from({ length: 50 * maxEventStreams }, (_, index) => {
    try {
      read(`storm ${index % 50}`);
      return 200;
    } catch (error) {
      return (error as Problem).status;
    }
  });
  expect(statuses.filter((status) => status === 200)).toHaveLength(0.9 * maxInAll);
  const first = read('first');
  await first.next();
  // More than the places that are kept for them: those with many give some up.
  for (let tenant = 0; tenant < 300; tenant += 1) read(`new ${tenant}`);
  const goesOn = first.next();
  closeEventStreams(streams);
  expect(await goesOn).toMatchObject({ done: true });
  expect(statuses.filter((status) => status === 503)).toHaveLength(0.1 * maxInAll);
});

test('HEAD is answered without a stream', async () => {
  for (let time = 0; time <= maxEventStreams; time += 1) {
    const { status, type } = await request(api.app).head(path).set('Authorization', tenant.bearer);
    expect([status, type]).toEqual([200, 'text/event-stream']);
  }
});

test('a reader that stops reading holds up no other, and gets everything in the end', async () => {
  const count = 400;
  const big = Array.from({ length: count }, (_, index) => `${index} ${'x'.repeat(30_000)}`);
  const slow = connect(server.port, '127.0.0.1');
  slow.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${tenant.bearer}\r\n\r\n`);
  await new Promise((resolve) => slow.once('data', resolve));
  slow.pause();
  await using quick = await open();
  await tell(big);
  for (let index = 0; index < count; index += 1) expect(await next(quick)).toBe(big[index]);
  let text = '';
  slow.on('data', (chunk) => (text += chunk.toString()));
  slow.resume();
  while (!text.includes(`"\\"${count - 1} `)) await new Promise((resolve) => slow.once('data', resolve));
  expect(text.match(/^data: /gm)).toHaveLength(count);
  slow.destroy();
});

test('all streams of a process ask the database together', async () => {
  let questions = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      questions += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const counted = db().withPlugin(counting);
  const looker = createLooker(db());
  const { snapshot, history } = await looker.look();
  const streams = createEventStreams(counted, looker, 7, api.parts.log);
  const session = { tenantId: claims().sub, bearerId: claims().sid, isToken: false };
  const end = { at: new Date(Date.now() + 60_000), signal: new AbortController().signal };
  const begin = { place: { from: snapshot }, history };
  const iterators = Array.from({ length: maxEventStreams }, () =>
    streamedEvents(streams, session, end, begin)[Symbol.asyncIterator](),
  );
  await Promise.all(iterators.map((one) => one.next()));
  const all = Promise.all(iterators.map((one) => one.next()));
  const other = await register(api.app);
  await tell(['not theirs'], other);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  // The settings of the plan and the question, for each poll after something was committed.
  expect(questions).toBeGreaterThan(0);
  expect(questions).toBeLessThanOrEqual(2 * 3);
  closeEventStreams(streams);
  expect((await all).map(({ done }) => done)).toEqual(Array(maxEventStreams).fill(true));
});

test('streams end with the process, and what is opened after that is over at once', async () => {
  await using stream = await open();
  closeEventStreams(api.parts.eventStreams);
  expect(await stream.ended()).toEqual([]);
  await using late = await openEventStream(`http://127.0.0.1:${server.port}${path}`, tenant.accessToken);
  expect([late.status, await late.ended()]).toEqual([200, []]);
});

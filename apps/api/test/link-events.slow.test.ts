import type { KeyObject } from 'node:crypto';
import { endSession } from '@notify/db/tenants';
import { openEventStream } from '@notify/testkit';
import jwt from 'jsonwebtoken';
import type { KyselyPlugin } from 'kysely';
import request from 'supertest';
import { closeLinkStreams, createLinkStreams, linkChanges, maxStreams } from '../src/links/link-streams.ts';
import { type HttpServer, listen } from '../src/server.ts';
import { type LinkedAccount, makeLinkable } from './link-rows.ts';
import { register, type Registered, testApi, type TestApi } from './test-api.ts';

let api: TestApi;
let server: HttpServer;
let tenant: Registered;
let account: LinkedAccount;
beforeAll(async () => {
  api = await testApi();
  server = await listen(api.app, '127.0.0.1', 0);
});
beforeEach(async () => {
  tenant = await register(api.app);
  account = await makeLinkable(api, tenant);
});
afterAll(async () => {
  closeLinkStreams(api.parts.linkStreams);
  await server.close();
  await api[Symbol.asyncDispose]();
});

const open = (of = account, token = tenant.accessToken) =>
  openEventStream(`http://127.0.0.1:${server.port}${of.path}/link/events`, token);

const claims = (of = tenant) => jwt.decode(of.accessToken) as { sub: string; sid: string };

test('the stream tells every change of the row, and when what is shown has expired', async () => {
  await using stream = await open();
  await stream.next();
  await account.show('display-qr', '2@first', new Date(Date.now() + 60_000));
  expect(await stream.next()).toMatchObject({ step: 'display-qr', qr: '2@first' });
  await account.show('display-qr', '2@second', new Date(Date.now() + 1_000));
  expect(await stream.next()).toMatchObject({ step: 'display-qr', qr: '2@second' });
  expect(await stream.next()).toMatchObject({ step: 'idle' });
  await account.change({ step: 'connected', phone: '14155550123', linked_at: new Date(), shown: null });
  expect(await stream.next()).toMatchObject({ step: 'connected', phone: '+14155550123' });
});

test('streams of others hear nothing of it', async () => {
  const other = await register(api.app);
  await using stream = await open(await makeLinkable(api, other), other.accessToken);
  await stream.next();
  await account.show('display-qr', '2@abc', new Date(Date.now() + 60_000));
  await using mine = await open();
  await mine.next();
  await endSession(api.database.db, claims(other).sub, claims(other).sid);
  expect(await stream.ended()).toEqual([]);
});

const ends: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['its tenant', () => api.database.db.deleteFrom('tenants').where('id', '=', claims().sub).execute()],
  [
    'its tenant’s leave to be here',
    () =>
      api.database.db
        .updateTable('tenants')
        .set({ blocked_at: new Date() })
        .where('id', '=', claims().sub)
        .execute(),
  ],
];

test.each(ends)('a stream ends with %s', async (_what, end) => {
  await using stream = await open();
  await stream.next();
  await end();
  expect(await stream.ended()).toEqual([]);
});

test('a stream ends with the access token it was opened by', async () => {
  const [{ secret, kid }] = api.parts.settings.jwtSecrets as [{ secret: KeyObject; kid: string }];
  const exp = Math.ceil((Date.now() + 500) / 1_000);
  const token = jwt.sign({ ...claims(), exp }, secret, { keyid: kid });
  await using stream = await open(account, token);
  await stream.next();
  expect(await stream.ended()).toEqual([]);
  expect(Date.now()).toBeGreaterThanOrEqual(exp * 1_000 - 50);
});

test('a tenant has so many streams and no more; others are not concerned, and closing one makes room', async () => {
  const streams = await Promise.all(Array.from({ length: maxStreams }, () => open()));
  expect(streams.map(({ status }) => status)).toEqual(Array(maxStreams).fill(200));
  const path = `${account.path}/link/events`;
  const refused = await request(api.app).get(path).set('Authorization', tenant.bearer);
  expect([refused.status, refused.body.code]).toEqual([409, 'limit-reached']);
  const other = await register(api.app);
  await using theirs = await open(await makeLinkable(api, other), other.accessToken);
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

test('HEAD is answered without a stream', async () => {
  const path = `${account.path}/link/events`;
  for (let time = 0; time <= maxStreams; time += 1) {
    const { status, type } = await request(api.app).head(path).set('Authorization', tenant.bearer);
    expect([status, type]).toEqual([200, 'text/event-stream']);
  }
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
  const streams = createLinkStreams(api.database.db.withPlugin(counting), api.parts.log);
  const watcher = { tenantId: claims().sub, bearerId: claims().sid, isToken: false, accountId: account.id };
  const end = { at: new Date(Date.now() + 60_000), signal: new AbortController().signal };
  const first = Array.from({ length: maxStreams }, () =>
    linkChanges(streams, watcher, end)[Symbol.asyncIterator]().next(),
  );
  await Promise.all(first);
  // The first stream asks at once, and alone.
  expect(questions).toBe(2);
  closeLinkStreams(streams);
});

test('streams end with the process, and what is opened after that is over at once', async () => {
  await using stream = await open();
  await stream.next();
  closeLinkStreams(api.parts.linkStreams);
  expect(await stream.ended()).toEqual([]);
  await using late = await open();
  expect([late.status, await late.ended()]).toEqual([200, []]);
});

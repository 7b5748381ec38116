import { createLooker, type Looker } from '@notify/db/events';
import { type Bearer, endSession } from '@notify/db/tenants';
import { ownDatabase } from '@notify/testkit';
import jwt from 'jsonwebtoken';
import { sql } from 'kysely';
import request from 'supertest';
import {
  closeEventStreams,
  createEventStreams,
  type EventStreams,
  type StreamedEvent,
  streamedEvents,
} from '../src/events/event-streams.ts';
import { register, type Registered, testApi, type TestApi } from './test-api.ts';

/** A clock that stands still but for the waits that the test lets pass. */
function openClock() {
  let nowMs = 0;
  let waiting = Promise.withResolvers<() => void>();
  return {
    now: () => nowMs,
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        waiting.resolve(() => {
          nowMs += ms;
          resolve();
        });
      }),
    /** Lets the next wait pass, as soon as it has begun. */
    async pass(): Promise<void> {
      const end = await waiting.promise;
      waiting = Promise.withResolvers();
      end();
    },
  };
}

let api: TestApi;
let tenant: Registered;
let looker: Looker;
let clock: ReturnType<typeof openClock>;
let streams: EventStreams;

beforeAll(async () => {
  api = await testApi({}, null, await ownDatabase());
  looker = createLooker(db());
});
beforeEach(async () => {
  tenant = await register(api.app);
  clock = openClock();
  streams = createEventStreams(db(), looker, 7, api.parts.log, clock);
});
afterEach(() => closeEventStreams(streams));
afterAll(() => api[Symbol.asyncDispose]());

const db = () => api.database.db;
const claims = () => jwt.decode(tenant.accessToken) as { sub: string; sid: string };
const session = (): Bearer => ({ tenantId: claims().sub, bearerId: claims().sid, isToken: false });

/** A stream that waits for events, and what it yields next. */
async function open(bearer = session()): Promise<{ readonly next: Promise<IteratorResult<StreamedEvent>> }> {
  const { snapshot, history } = await looker.look();
  const end = { at: null, signal: new AbortController().signal };
  const stream = streamedEvents(streams, bearer, end, { place: { from: snapshot }, history })[
    Symbol.asyncIterator
  ]();
  await stream.next();
  return { next: stream.next() };
}

/** Lets time pass until the stream has ended. Returns how much, in ms. */
async function msUntilEnd({ next }: { readonly next: Promise<IteratorResult<StreamedEvent>> }) {
  const beganMs = clock.now();
  let isOver = false;
  const over = next.then(({ done }) => (isOver = done === true));
  while (!isOver) await Promise.race([over, clock.pass()]);
  return clock.now() - beganMs;
}

/** A service token of the tenant. */
async function token(): Promise<Bearer> {
  const { body } = await request(api.app)
    .post('/tenant/service-tokens')
    .set('Authorization', tenant.bearer)
    .send({ name: 'x', scopes: ['events:read'] });
  return { tenantId: claims().sub, bearerId: body.id.slice('tok_'.length), isToken: true };
}

test('an event is read within a second of its commit', async () => {
  const { next } = await open();
  await sql`
    insert into events (id, tenant_id, event, body, occurred_at)
    values (uuidv7(), ${claims().sub}, 'message.sent', '{}', now())`.execute(db());
  await clock.pass();
  expect(await next).toMatchObject({ value: { event: { body: '{}' } } });
  expect(clock.now()).toBeLessThanOrEqual(1_000);
});

test.each<[string, () => Promise<unknown>]>([
  ['its session', () => endSession(db(), claims().sub, claims().sid)],
  ['its tenant', () => db().deleteFrom('tenants').where('id', '=', claims().sub).execute()],
  [
    'its tenant’s leave to be here',
    () =>
      db().updateTable('tenants').set({ blocked_at: new Date() }).where('id', '=', claims().sub).execute(),
  ],
])('a stream ends within 10 s of %s', async (_what, end) => {
  const stream = await open();
  await end();
  expect(await msUntilEnd(stream)).toBeLessThanOrEqual(10_000);
});

test.each(['revoked_at', 'expires_at'] as const)(
  'a stream of a service token ends within 10 s of its %s',
  async (column) => {
    const bearer = await token();
    const stream = await open(bearer);
    await db()
      .updateTable('service_tokens')
      .set({ [column]: sql`now()` })
      .where('id', '=', bearer.bearerId)
      .execute();
    expect(await msUntilEnd(stream)).toBeLessThanOrEqual(10_000);
  },
);

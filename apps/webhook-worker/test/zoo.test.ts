import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import { createPermits, type Permits } from '@notify/turns';
import { addDeliveries, makeTenant, type TestDatabase, testDatabase } from '@notify/testkit';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';
import { type Animal, type AnimalName, letOut } from './zoo.ts';

/** How long one post may hold its permit, in ms, and what is added for its claim and release. */
const postMs = 4_000;
const slackMs = 500;
/** What all of them may cost in memory. */
const memoryBound = 128 * 1024 * 1024;

const secrets = createSecrets([{ version: 1, key: randomBytes(32) }]);

/** What becomes of the attempt: the answer's status, or the class of what prevented one. */
const expected: Record<AnimalName, { status: number } | { error: string }> = {
  'accepts and never reads': { error: 'timeout' },
  'never accepts': { error: 'timeout' },
  'stalls in TLS': { error: 'timeout' },
  'drips its headers, a byte a second': { error: 'timeout' },
  'drips its body, a byte a second': { status: 200 },
  'sends chunks without end': { status: 200 },
  'sends a gzip bomb': { status: 200 },
  'sends 1 MB of headers': { error: 'too-large' },
  'sends headers without end': { error: 'too-large' },
  'resets in the body': { status: 200 },
  'resets before its answer': { error: 'reset' },
  'sends 204 with a body': { status: 204 },
  'redirects to the metadata address': { status: 302 },
  'speaks HTTP/0.9': { error: 'protocol' },
  'answers before it reads': { status: 200 },
  'sends 100 Continue without end': { error: 'timeout' },
  'floods with 100 Continue': { error: 'too-large' },
  'sends 100 Continue, then its answer': { status: 204 },
};

interface Visit {
  readonly heldMs: number;
  /** When a timer fired that was set for the longest a post may take, in ms. */
  readonly postTimerMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answerBytes: number;
  readonly state: string | undefined;
}

let database: TestDatabase;
let db: Db;
let visits: Map<string, Visit>;
let grownBy: number;

/** Permits that note for how long each was held. */
function timedPermits(held: number[]): Permits {
  const permits = createPermits(64);
  const timed = (release: () => void) => {
    const takenAt = performance.now();
    return () => {
      held.push(performance.now() - takenAt);
      release();
    };
  };
  return {
    limit: permits.limit,
    acquire: async () => timed(await permits.acquire()),
    acquireSome: async (most, user) => (await permits.acquireSome(most, user)).map(timed),
    tryAcquire: (most) => permits.tryAcquire(most).map(timed),
    ranDry: (user) => permits.ranDry(user),
    get waiting() {
      return permits.waiting;
    },
    get inUse() {
      return permits.inUse;
    },
  };
}

/** When a timer of this process fires that is set now, in ms: later on a busy machine, as the deadline of a post is. */
async function timer(ms: number): Promise<number> {
  const setAt = performance.now();
  await wait(ms);
  return performance.now() - setAt;
}

/** The client of the worker, with a shorter deadline. The test of a turn waits for the worker's own. */
function openHurried(): HttpClient {
  const client = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', httpsOnly: true });
  return { ...client, request: (request) => client.request({ ...request, deadlineMs: postMs }) };
}

/** Posts one delivery to it, over the very turn of the worker. */
async function visit(animal: Animal, tenantId: string): Promise<Visit> {
  const { id } = await makeSealedWebhook(db, secrets, tenantId, animal.url);
  await addDeliveries(db, id, 1);
  const http = openHurried();
  const held: number[] = [];
  const postTimer = timer(postMs);
  await webhookTurn(id, turnDeps({ db, http, secrets }), { permits: timedPermits(held) });
  await http.close();
  const attempt = await db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('webhook_id', '=', id)
    .executeTakeFirstOrThrow();
  const ended = await db
    .selectFrom('deliveries')
    .select('state')
    .where('webhook_id', '=', id)
    .executeTakeFirst();
  const answerBytes = Buffer.byteLength(attempt.answer ?? '');
  return {
    heldMs: Math.max(...held),
    postTimerMs: await postTimer,
    status: attempt.status,
    error: attempt.error,
    answerBytes,
    state: ended?.state,
  };
}

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  const { tenantId } = await makeTenant(db);
  const names = Object.keys(expected) as AnimalName[];
  const animals = await Promise.all(names.map(letOut));
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  visits = new Map(
    await Promise.all(
      names.map(async (name, index) => [name, await visit(animals[index]!, tenantId)] as const),
    ),
  );
  clearInterval(watch);
  grownBy = most - before;
  await Promise.all(animals.map((animal) => animal.close()));
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

test.each(Object.entries(expected))(
  'a receiver that %s frees its slot in time, and is told apart',
  (name, is) => {
    const seen = visits.get(name)!;
    expect(seen).toMatchObject({ status: null, error: null, ...is });
    expect(seen.heldMs).toBeLessThan(seen.postTimerMs + slackMs);
    expect(seen.state).toBe('status' in is && is.status < 300 ? 'delivered' : undefined);
    // 4 KB are kept; bytes that are no UTF-8 become three each.
    expect(seen.answerBytes).toBeLessThanOrEqual(3 * 4_096);
  },
);

test('all of them together cost little memory', () => {
  expect(grownBy).toBeLessThan(memoryBound);
});

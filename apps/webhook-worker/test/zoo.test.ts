import { randomBytes } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import { createPermits, type Permits } from '@notify/turns';
import { addDeliveries, makeTenant, type TestDatabase, testDatabase } from '@notify/testkit';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';
import { type Animal, type AnimalName, letOut } from './zoo.ts';

/** How long one post may hold its permit, in ms. */
const postMs = 4_000;
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
  /** Whether the permit of the post was free again at its deadline. */
  readonly isFreed: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly answerBytes: number;
  readonly state: string | undefined;
}

let database: TestDatabase;
let db: Db;
let visits: Map<string, Visit>;
let grownBy: number;

/** Permits, which are in `held` as long as they are. */
function watchedPermits(held: Set<object>): Permits {
  const permits = createPermits(64);
  const watched = (release: () => void) => {
    const permit = {};
    held.add(permit);
    return () => {
      held.delete(permit);
      release();
    };
  };
  return {
    limit: permits.limit,
    acquire: async () => watched(await permits.acquire()),
    acquireSome: async (most, user) => (await permits.acquireSome(most, user)).map(watched),
    tryAcquire: (most) => permits.tryAcquire(most).map(watched),
    ranDry: (user) => permits.ranDry(user),
    get waiting() {
      return permits.waiting;
    },
    get inUse() {
      return permits.inUse;
    },
  };
}

/**
 * The client of the worker, with a shorter deadline; the test of a turn names the worker's own. What `onRequest` returns is
 * called at the deadline of each request, just after the client's own timer: equal timers of a process fire in the order in
 * which they were set, however busy the machine is.
 */
function openHurried(onRequest: () => () => void): HttpClient {
  const client = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', httpsOnly: true });
  return {
    ...client,
    request(request) {
      const answer = client.request({ ...request, deadlineMs: postMs });
      setTimeout(onRequest(), postMs);
      return answer;
    },
  };
}

/** Posts one delivery to it, over the very turn of the worker. */
async function visit(animal: Animal, tenantId: string): Promise<Visit> {
  const { id } = await makeSealedWebhook(db, secrets, tenantId, animal.url);
  await addDeliveries(db, id, 1);
  const held = new Set<object>();
  const freed = Promise.withResolvers<boolean>();
  const http = openHurried(() => {
    const own = new Set(held);
    return () => freed.resolve(own.isDisjointFrom(held));
  });
  await webhookTurn(id, turnDeps({ db, http, secrets }), { permits: watchedPermits(held) });
  const isFreed = await freed.promise;
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
    isFreed,
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
    expect(seen).toMatchObject({ isFreed: true, status: null, error: null, ...is });
    expect(seen.state).toBe('status' in is && is.status < 300 ? 'delivered' : undefined);
    // 4 KB are kept; bytes that are no UTF-8 become three each.
    expect(seen.answerBytes).toBeLessThanOrEqual(3 * 4_096);
  },
);

test('all of them together cost little memory', () => {
  expect(grownBy).toBeLessThan(memoryBound);
});

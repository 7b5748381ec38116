import { randomBytes } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createSecrets } from '@notify/runtime';
import { addDeliveries, makeTenant, type TestDatabase, testDatabase } from '@notify/testkit';
import { makeSealedWebhook } from './sealed-webhooks.ts';
import { turnDeps, webhookTurn } from './turn-deps.ts';
import { type Animal, type AnimalName, letOut } from './zoo.ts';

/** How long a post to a receiver that never answers may take, in ms. */
const silentMs = 4_000;
/** How long one to any other may take. What the animals send at once keeps this process busy for seconds. */
const postMs = 12_000;
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
  readonly status: number | null;
  readonly error: string | null;
  readonly answerBytes: number;
  readonly state: string | undefined;
}

let database: TestDatabase;
let db: Db;
let visits: Map<string, Visit>;
let grownBy: number;

/** The client of the worker, with another deadline. The test of a turn waits for the worker's own. */
function openClient(deadlineMs: number): HttpClient {
  const client = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', httpsOnly: true });
  return { ...client, request: (request) => client.request({ ...request, deadlineMs }) };
}

/** Posts one delivery to it, over the very turn of the worker. */
async function visit(animal: Animal, tenantId: string, deadlineMs: number): Promise<Visit> {
  const { id } = await makeSealedWebhook(db, secrets, tenantId, animal.url);
  await addDeliveries(db, id, 1);
  const http = openClient(deadlineMs);
  await webhookTurn(id, turnDeps({ db, http, secrets }));
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
      names.map(async (name, index) => {
        const isSilent = 'error' in expected[name] && expected[name].error === 'timeout';
        return [name, await visit(animals[index]!, tenantId, isSilent ? silentMs : postMs)] as const;
      }),
    ),
  );
  clearInterval(watch);
  grownBy = most - before;
  // Each turn ended while its receiver would have gone on.
  await Promise.all(animals.map((animal) => animal.close()));
});
afterAll(() => database[Symbol.asyncDispose]());

test.each(Object.entries(expected))(
  'a receiver that %s cannot hold a turn, and is told apart',
  (name, is) => {
    const seen = visits.get(name)!;
    expect(seen).toMatchObject({ status: null, error: null, ...is });
    expect(seen.state).toBe('status' in is && is.status < 300 ? 'delivered' : undefined);
    // 4 KB are kept; bytes that are no UTF-8 become three each.
    expect(seen.answerBytes).toBeLessThanOrEqual(3 * 4_096);
  },
);

test('all of them together cost little memory', () => {
  expect(grownBy).toBeLessThan(memoryBound);
});

import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import {
  claimRequests,
  dropForgottenFiles,
  endFile,
  type FileFailure,
  giveBack,
  readSoFar,
  requestFile,
  writeChunk,
} from '@notify/db/files';
import { relayFile } from '@notify/dispatch';
import { type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';

let database: TestDatabase;
let db: Db;
const holder = randomUUIDv7();
const accountId = randomUUIDv7();
const file = { id: 'A' };

beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
  await sql`insert into partition_owners (id, lane, seen_until, partitions) values (${holder}, 'whatsapp-web', now() + interval '1 minute', 16)`.execute(
    db,
  );
});
afterEach(() => database[Symbol.asyncDispose]());

const upTo = (count: number) => ({ first: count, firstLate: count, all: count, perTenant: 8 });

/** Waits for the request, as a process of linked devices does. */
async function claim(): Promise<string> {
  for (;;) {
    const [request] = await claimRequests(db, holder, upTo(1));
    if (request === undefined) await delay(5);
    else if (request.accountId === accountId && JSON.stringify(request.file) === JSON.stringify(file))
      return request.id;
    else throw new Error('the request is another one');
  }
}

const write = (id: string, chunk: number, text: string) =>
  writeChunk(db, holder, id, { chunk, bytes: Buffer.from(text) });

/** Serves one request: the chunks, and how it ends. */
async function serve(texts: readonly string[], failure: FileFailure | null = null): Promise<string> {
  const id = await claim();
  for (const [chunk, text] of texts.entries()) await write(id, chunk, text);
  await endFile(db, holder, id, failure);
  return id;
}

const relay = (signal = new AbortController().signal, now = () => performance.now()) =>
  relayFile(db, { accountId, file }, { signal, now });

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const bytes of content) text += Buffer.from(bytes).toString();
  return text;
}

async function left(): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select ((select count(*) from file_requests) + (select count(*) from file_chunks))::int as left`.execute(
    db,
  );
  return rows[0]!.left;
}

test('a file arrives in order, and nothing of it is left behind', async () => {
  const texts = Array.from({ length: 30 }, (_, index) => `piece ${index}, `);
  const served = serve(texts);
  const opened = await relay();
  expect(opened).toMatchObject({ kind: 'file' });
  expect(opened.kind === 'file' && (await textOf(opened.content))).toBe(texts.join(''));
  await served;
  expect(await left()).toBe(0);
});

test('an empty file is a file', async () => {
  const served = serve([]);
  const opened = await relay();
  expect(opened.kind === 'file' && (await textOf(opened.content))).toBe('');
  await served;
});

test('without a process of linked devices, a file is unavailable at once', async () => {
  await sql`delete from partition_owners`.execute(db);
  const now = () => {
    throw new Error('nothing is waited for');
  };
  expect(await relay(undefined, now)).toEqual({
    kind: 'unavailable',
    detail: 'No process of linked devices is running.',
  });
  expect(await left()).toBe(0);
});

test('a file that no process takes is unavailable within 5 s', async () => {
  let nowMs = 0;
  // Each look at the clock takes 100 ms of it.
  const opened = await relay(undefined, () => (nowMs += 100));
  expect(opened).toMatchObject({ kind: 'unavailable', detail: expect.stringMatching(/has had a place/) });
  expect(nowMs).toBeLessThanOrEqual(5_000);
  expect(await left()).toBe(0);
});

test.each(['expired', 'unavailable'] as const)('a file that cannot be opened is %s', async (kind) => {
  const failure = { kind, detail: 'Gone.' };
  const served = serve([], failure);
  expect(await relay()).toEqual(failure);
  await served;
  expect(await left()).toBe(0);
});

test('a file that breaks off ends with an error, after what had arrived', async () => {
  const served = serve(['one', 'two'], { kind: 'unavailable', detail: 'It broke off.' });
  const opened = await relay();
  await served;
  const seen: string[] = [];
  await expect(
    (async () => {
      if (opened.kind === 'file') for await (const bytes of opened.content) seen.push(String(bytes));
    })(),
  ).rejects.toThrow('It broke off.');
  expect(seen).toEqual(['one', 'two']);
  expect(await left()).toBe(0);
});

test('a file whose process dies breaks off', async () => {
  const opening = relay();
  const id = await claim();
  await write(id, 0, 'one');
  const opened = await opening;
  await sql`update file_requests set held_until = now() - interval '1 second'`.execute(db);
  await expect(opened.kind === 'file' ? textOf(opened.content) : null).rejects.toThrow(/process/);
  expect(await left()).toBe(0);
});

test('a reader that leaves, by itself or by its signal, stops the writer', async () => {
  const opening = relay();
  const id = await claim();
  await write(id, 0, 'one');
  const opened = await opening;
  if (opened.kind === 'file') for await (const _ of opened.content) break;
  expect(await write(id, 1, 'two')).toBeNull();
  expect(await readSoFar(db, holder, id)).toBeNull();

  const gone = new AbortController();
  const next = relay(gone.signal);
  const nextId = await claim();
  await write(nextId, 0, 'one');
  await next;
  gone.abort();
  while ((await readSoFar(db, holder, nextId)) !== null) await delay(5);
  expect(await left()).toBe(0);
});

test('a reader whose signal fires while it waits for the first bytes gets an error', async () => {
  const gone = new AbortController();
  const opening = relay(gone.signal);
  await claim();
  gone.abort();
  await expect(opening).rejects.toThrow(/abort/);
  expect(await left()).toBe(0);
});

test('the reader counts what it has taken, so the writer knows how far it is ahead', async () => {
  const opening = relay();
  const id = await claim();
  for (let chunk = 0; chunk < 8; chunk += 1)
    expect(await write(id, chunk, String(chunk))).toBeLessThanOrEqual(2);
  const opened = await opening;
  expect(await readSoFar(db, holder, id)).toBeLessThanOrEqual(2);
  const content = opened.kind === 'file' ? opened.content[Symbol.asyncIterator]() : null;
  for (let chunk = 0; chunk < 7; chunk += 1) await content?.next();
  expect(await readSoFar(db, holder, id)).toBeGreaterThanOrEqual(7);
  await content?.return?.();
});

test('requests whose reader has died are not served, and are swept with their chunks', async () => {
  const gone = new AbortController();
  const opening = relay(gone.signal);
  const id = await claim();
  await write(id, 0, 'one');
  await opening;
  await sql`update file_requests set seen_until = now() - interval '1 second'`.execute(db);
  expect(await readSoFar(db, holder, id)).toBeNull();
  expect(await write(id, 1, 'two')).toBeNull();
  expect(await dropForgottenFiles(db)).toBe(1);
  expect(await left()).toBe(0);
  gone.abort();
});

test('two processes never serve one request', async () => {
  const all = Array.from({ length: 10 }, () => relay(AbortSignal.timeout(3_000)).catch(() => null));
  const claimed: string[] = [];
  while (claimed.length < 10) {
    const found = await Promise.all([
      claimRequests(db, holder, upTo(3)),
      claimRequests(db, randomUUIDv7(), upTo(3)),
    ]);
    claimed.push(...found.flat().map(({ id }) => id));
  }
  expect(new Set(claimed).size).toBe(10);
  await Promise.all(all);
});

test('a tenant with many files takes turns with others, and never has more than its part', async () => {
  const [storm, quiet, calm] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  const ask = async (account: string, count: number): Promise<void> => {
    for (let request = 0; request < count; request += 1) await requestFile(db, account, file);
  };
  const claimed = async (limits: Parameters<typeof claimRequests>[2]): Promise<string[]> =>
    (await claimRequests(db, holder, limits)).map((request) => request.tenantId).toSorted();
  await ask(storm, 20);
  await ask(quiet, 2);
  expect(await claimed({ first: 3, firstLate: 3, all: 3, perTenant: 4 })).toEqual(
    [storm, storm, quiet].toSorted(),
  );
  expect(await claimed({ first: 9, firstLate: 9, all: 9, perTenant: 4 })).toEqual(
    [storm, storm, quiet].toSorted(),
  );
  await ask(quiet, 1);
  await ask(calm, 3);
  expect(await claimed({ first: 2, firstLate: 2, all: 0, perTenant: 4 })).toEqual([calm]);
});

test('a process without free places leaves a request to others for a second', async () => {
  const full = { first: 0, firstLate: 4, all: 0, perTenant: 8 };
  const id = await requestFile(db, accountId, file);
  expect(await claimRequests(db, holder, full)).toEqual([]);
  await sql`update file_requests set id = uuidv7(interval '-1.1 seconds') where id = ${id}`.execute(db);
  expect(await claimRequests(db, holder, full)).toMatchObject([{ accountId }]);
});

test('a request that is given back is served by another process', async () => {
  const opening = relay();
  await giveBack(db, holder, await claim());
  const other = randomUUIDv7();
  const [request] = await claimRequests(db, other, upTo(1));
  await writeChunk(db, other, request!.id, { chunk: 0, bytes: Buffer.from('one') });
  await endFile(db, other, request!.id, null);
  const opened = await opening;
  expect(opened.kind === 'file' && (await textOf(opened.content))).toBe('one');
});

test('what has been written of a request is not given back', async () => {
  const opening = relay();
  const id = await claim();
  await write(id, 0, 'one');
  await giveBack(db, holder, id);
  expect(await write(id, 1, 'two')).not.toBeNull();
  await endFile(db, holder, id, null);
  const opened = await opening;
  expect(opened.kind === 'file' && (await textOf(opened.content))).toBe('onetwo');
});

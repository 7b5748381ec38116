import { createHash } from 'node:crypto';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseId } from '@notify/core';
import { type ObjectStore, openObjectStore } from '@notify/egress';
import { type S3Peer, startS3Peer } from '@notify/testkit';
import { sql } from 'kysely';
import request, { type Response } from 'supertest';
import { makeKey, register, testApi, type TestApi } from './test-api.ts';

/** Uploads where FILES_URL names a bucket. */

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.alloc(700_000, 7),
]);

let peer: S3Peer;
let objects: ObjectStore;
let spoolDir: string;
let api: TestApi;
let key: string;
beforeEach(async () => {
  spoolDir = await mkdtemp(path.join(tmpdir(), 'notify-objects-'));
  peer = await startS3Peer();
  objects = openObjectStore({ ...peer.address, spoolDir, userAgent: 'Test/1', retryMs: [0, 0] });
  await open();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
  await objects.close();
  await peer[Symbol.asyncDispose]();
  // Fails unless it is empty.
  await rmdir(spoolDir);
});

async function open(changes: Parameters<typeof testApi>[0] = {}): Promise<void> {
  api = await testApi(changes, null, null, objects);
  key = (await makeKey(api.app, await register(api.app))).key;
}

const upload = (bytes: Buffer, type = 'image/png'): Promise<Response> =>
  request(api.app).post('/v1/notify/files').set('x-api-key', key).set('content-type', type).send(bytes);
const chunks = async (): Promise<number> =>
  (await sql<{ count: number }>`select count(*)::int from upload_chunks`.execute(api.database.db)).rows[0]!
    .count;
const waiting = async (): Promise<boolean[]> =>
  (
    await sql<{ later: boolean }>`select due_at > now() as later from removed_objects`.execute(
      api.database.db,
    )
  ).rows.map(({ later }) => later);

test('a file becomes an object, and nothing of it a row of Postgres', async () => {
  const form = await request(api.app)
    .post('/v1/notify/files')
    .set('x-api-key', key)
    .attach('file', png, { filename: 'a.png', contentType: 'image/png' });
  const raw = await upload(png);
  for (const { status, body } of [form, raw]) {
    expect([status, body.bytes, body.sha256]).toEqual([
      201,
      png.length,
      createHash('sha256').update(png).digest('hex'),
    ]);
    expect(png.equals(peer.objects.get(`notify/${parseId('file', body.id)}`)!)).toBe(true);
  }
  expect(await chunks()).toBe(0);
  const removed = await request(api.app).delete(`/v1/notify/files/${raw.body.id}`).set('x-api-key', key);
  expect([removed.status, await waiting()]).toEqual([204, [false]]);
});

test('a refused file reaches no bucket', async () => {
  await api[Symbol.asyncDispose]();
  await open({ maxFileBytes: 600_000, maxFileBytesPerTenant: 400_000 });
  const answers = [
    await upload(png),
    await upload(Buffer.from('text')),
    await upload(png.subarray(0, 500_000)),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual(['too-large', 'invalid-request', 'limit-reached']);
  expect(peer.asked).toEqual([]);
});

test('a bucket that fails is a 503, and what it may have stored is removed later', async () => {
  peer.behave({ answer: 'slow-down' });
  const refused = await upload(png);
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    503,
    'unavailable',
    '5',
  ]);
  expect(refused.text).not.toMatch(/SlowDown|bucket|s3/i);
  expect((await sql`select from uploads`.execute(api.database.db)).rows).toEqual([]);
  expect(await waiting()).toEqual([true]);
  peer.behave({ answer: 'done-and-cut', times: 2 });
  expect((await upload(png)).status).toBe(201);
});

test('FILES_STORE brings new files back to Postgres', async () => {
  await api[Symbol.asyncDispose]();
  await open({ filesStore: 'postgres' });
  expect((await upload(png)).status).toBe(201);
  expect([await chunks(), peer.asked]).toEqual([3, []]);
});

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Adapter, adapters } from '@notify/channels';
import { type MediaType, noUrl } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { beginUpload, finishUpload, writeUploadChunk } from '@notify/db/uploads';
import { createHttpClient, type ObjectStore, openObjectStore } from '@notify/egress';
import {
  type S3Peer,
  startS3Peer,
  startTelegramPeer,
  startWhatsappCloudPeer,
  testDatabase,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import { sql } from 'kysely';
import { dispatchTurn, scriptedTenant, testDeps, testSecrets } from './scripted.ts';
import { jpeg, messages, noSignal } from './with-files.ts';

const megabyte = 1_048_576;
const chunkBytes = 262_144;
const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1' });
afterAll(() => http.close());

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Uploads a file as the api does. Returns its id. */
async function upload(
  db: Db,
  { tenantId, keyId }: TestTenant,
  { bytes, type }: { readonly bytes: Buffer; readonly type: string },
  bucket: ObjectStore | null,
): Promise<string> {
  const place = bucket === null ? 'postgres' : 's3';
  const id = await beginUpload(db, { tenantId, keyId, filename: null, place });
  await using draft = (await bucket?.begin()) ?? null;
  await draft?.write(bytes);
  await draft?.store(id);
  for (let chunk = 0; chunk * chunkBytes < bytes.length; chunk += 1) {
    const some = bytes.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes);
    await writeUploadChunk(db, id, { chunk, bytes: some, maxTenantBytes: 100 * megabyte, place });
  }
  await finishUpload(db, id, { type, sha256: sha256(bytes) });
  return id;
}

/** Sends an uploaded file with this adapter, in one turn. Returns the messages as they then stand. */
async function sendUploaded(
  adapter: Adapter,
  settings: object,
  { type, mimeType, bytes, to }: { type: MediaType; mimeType: string; bytes: Buffer; to: string },
  {
    meanwhile = async () => undefined,
    writesTo = null,
    readsFrom = writesTo,
  }: {
    readonly meanwhile?: (db: Db) => Promise<unknown>;
    readonly writesTo?: ObjectStore | null;
    readonly readsFrom?: ObjectStore | null;
  } = {},
): Promise<string[]> {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await scriptedTenant(db, testSecrets, settings);
  const own = { ...adapter, id: 'scripted' };
  const deps = testDeps(
    db,
    { adapter: own, ledger: [] },
    { http: { of: () => http, close: async () => undefined }, objects: readsFrom },
  );
  const fileId = await upload(db, tenant, { bytes, type: mimeType }, writesTo);
  const body = { type, url: noUrl, fileId, caption: 'A', filename: 'a.bin' };
  await acceptMessages(db, [textItem(tenant, { type, body, to })], {
    idempotencyDays: 7,
    blockExpiredTrials: false,
  });
  await meanwhile(db);
  await dispatchTurn(tenant.accountId, deps, noSignal);
  expect(deps.errors).toEqual([]);
  return await messages(db);
}

const files: readonly (readonly [string, MediaType, string, Buffer])[] = [
  ['1 byte', 'document', 'text/plain', Buffer.from('x')],
  ['a picture', 'image', 'image/jpeg', jpeg],
  ['5 MB but a byte', 'document', 'text/plain', Buffer.alloc(5 * megabyte - 1, 'five ')],
  ['16 MB', 'document', 'text/plain', Buffer.alloc(16 * megabyte, 'sixteen ')],
];

test.each(files)('Telegram gets %s byte for byte', async (_what, type, mimeType, bytes) => {
  await using peer = await startTelegramPeer();
  const adapter = { ...adapters.get('telegram-bot')!, baseUrl: peer.url };
  expect(await sendUploaded(adapter, peer.settings, { type, mimeType, bytes, to: '1000' })).toEqual(['sent']);
  expect(peer.ledger()).toMatchObject([{ file: { bytes: bytes.length, sha256: sha256(bytes) } }]);
});

test.each(files)('the Cloud API gets %s byte for byte', async (_what, type, mimeType, bytes) => {
  await using peer = await startWhatsappCloudPeer();
  const adapter = { ...adapters.get('whatsapp-cloud')!, baseUrl: peer.url };
  const sent = await sendUploaded(adapter, peer.settings(), { type, mimeType, bytes, to: '+4915112345678' });
  expect(sent).toEqual(['sent']);
  expect(peer.uploads()).toMatchObject([{ bytes: bytes.length, sha256: sha256(bytes) }]);
});

test('what only the provider refuses fails when it is sent', async () => {
  await using peer = await startWhatsappCloudPeer();
  const adapter = { ...adapters.get('whatsapp-cloud')!, baseUrl: peer.url };
  const webp = {
    type: 'image' as const,
    mimeType: 'image/webp',
    bytes: Buffer.from('x'),
    to: '+4915112345678',
  };
  expect(await sendUploaded(adapter, peer.settings(), webp)).toEqual(['failed media-type-not-supported']);
  expect(peer.uploads()).toEqual([]);
});

test('a file whose row is gone fails its message', async () => {
  await using peer = await startTelegramPeer();
  const adapter = { ...adapters.get('telegram-bot')!, baseUrl: peer.url };
  const file = { type: 'document' as const, mimeType: 'text/plain', bytes: Buffer.from('x'), to: '1000' };
  const removed = await sendUploaded(adapter, peer.settings, file, {
    meanwhile: (db) => sql`delete from uploads`.execute(db),
  });
  expect([removed, peer.ledger()]).toEqual([['failed media-unavailable'], []]);
});

describe('from a bucket', () => {
  const file = {
    type: 'document' as const,
    mimeType: 'text/plain',
    bytes: Buffer.alloc(megabyte, 'one '),
    to: '1000',
  };

  /** A store that speaks S3, and a client of it; sends the file with Telegram, and says what Telegram got. */
  async function inBucket(
    use: (at: {
      readonly store: S3Peer;
      readonly bucket: ObjectStore;
      readonly send: (options: Parameters<typeof sendUploaded>[3]) => Promise<string[]>;
      readonly got: () => readonly object[];
    }) => Promise<void>,
  ): Promise<void> {
    await using peer = await startTelegramPeer();
    await using store = await startS3Peer();
    const spoolDir = await mkdtemp(path.join(tmpdir(), 'notify-objects-'));
    const bucket = openObjectStore({ ...store.address, spoolDir, userAgent: 'Test/1', retryMs: [] });
    const adapter = { ...adapters.get('telegram-bot')!, baseUrl: peer.url };
    await use({
      store,
      bucket,
      send: (options) => sendUploaded(adapter, peer.settings, file, options),
      got: () => peer.ledger(),
    });
    await bucket.close();
    await rm(spoolDir, { recursive: true });
  }

  test('Telegram gets a file byte for byte', () =>
    inBucket(async ({ bucket, send, got }) => {
      expect(await send({ writesTo: bucket })).toEqual(['sent']);
      expect(got()).toMatchObject([{ file: { bytes: megabyte, sha256: sha256(file.bytes) } }]);
    }));

  test('and a file of before there was one is still sent from Postgres', () =>
    inBucket(async ({ bucket, store, send, got }) => {
      expect(await send({ readsFrom: bucket })).toEqual(['sent']);
      expect(got()).toMatchObject([{ file: { sha256: sha256(file.bytes) } }]);
      expect(store.asked).toEqual([]);
    }));

  test.each(['slow-down', 'cut', 'corrupt'] as const)(
    'a read that fails with %s is tried again later, with nothing sent',
    (answer) =>
      inBucket(async ({ bucket, store, send, got }) => {
        const meanwhile = async () => store.behave({ answer });
        expect(await send({ writesTo: bucket, meanwhile })).toEqual(['queued attempts 1']);
        expect(got()).toEqual([]);
      }),
  );

  test('a process without the bucket waits for it, and an object that is gone fails the message', () =>
    inBucket(async ({ bucket, store, send, got }) => {
      expect(await send({ writesTo: bucket, readsFrom: null })).toEqual(['queued attempts 1']);
      const meanwhile = async () => (store.objects as Map<string, Buffer>).clear();
      expect(await send({ writesTo: bucket, meanwhile })).toEqual(['failed media-unavailable']);
      expect(got()).toEqual([]);
    }));
});

test('every provider with files gets uploaded ones in a test', () => {
  const withFiles = [...adapters.values()].filter(({ media }) => media !== undefined).map(({ id }) => id);
  // That of whatsapp-web is in apps/whatsapp-sessions/test/media.test.ts.
  expect(withFiles.toSorted()).toEqual(['telegram-bot', 'whatsapp-cloud', 'whatsapp-web']);
});

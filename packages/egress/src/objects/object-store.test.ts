import { createHash } from 'node:crypto';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type S3Peer, startS3Peer } from '@notify/testkit';
import { type ObjectStore, openObjectStore } from './object-store.ts';

const megabyte = 1_048_576;
const never = new AbortController().signal;

let peer: S3Peer;
let store: ObjectStore;
let spoolDir: string;
beforeEach(async () => {
  spoolDir = await mkdtemp(path.join(tmpdir(), 'notify-objects-'));
  peer = await startS3Peer();
  store = openObjectStore({ ...peer.address, spoolDir, userAgent: 'Test/1', retryMs: [0, 0] });
});
afterEach(async () => {
  await store.close();
  await peer[Symbol.asyncDispose]();
  // Fails unless it is empty.
  await rmdir(spoolDir);
});

async function write(key: string, bytes: Buffer): Promise<unknown> {
  await using draft = await store.begin();
  for (let at = 0; at < bytes.length; at += 100_000) await draft.write(bytes.subarray(at, at + 100_000));
  return await draft.store(key);
}

async function read(key: string, bytes: Buffer): Promise<unknown> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = await store.read({ key, bytes: bytes.length, sha256, mimeType: 'a/b' }, never);
  if ('failure' in file) return file;
  await using held = file;
  return Buffer.concat(await Array.fromAsync(held.open()));
}

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a byte', Buffer.from('x')],
  ['16 MB', Buffer.alloc(16 * megabyte, 'sixteen ')],
])('%s is stored, read byte for byte, and removed', async (_, bytes) => {
  expect(await write('a-1', bytes)).toBeNull();
  expect([...peer.objects.keys()]).toEqual(['notify/a-1']);
  expect(bytes.equals((await read('a-1', bytes)) as Buffer)).toBe(true);
  expect([await store.remove('a-1'), await store.remove('a-1')]).toEqual([null, null]);
  expect(peer.objects.size).toBe(0);
  expect(await read('a-1', bytes)).toEqual({ failure: 'missing', text: 'it answered 404 NoSuchKey' });
});

const large = Buffer.alloc(2 * megabyte, 'large ');

test.each(['slow-down', 'cut', 'done-and-cut', 'wrong-sha'] as const)(
  'what the store answers with %s is tried again, three times in all',
  async (answer) => {
    peer.behave({ answer, times: 2 });
    expect(await write('a', large)).toBeNull();
    expect(large.equals(peer.objects.get('notify/a')!)).toBe(true);
    expect(peer.asked).toHaveLength(3);
    peer.behave({ answer });
    expect(await write('b', large)).toMatchObject({ failure: 'away' });
    expect(peer.asked).toHaveLength(6);
    expect(peer.objects.has('notify/b')).toBe(answer === 'done-and-cut');
  },
);

test.each([
  ['slow-down', 'it answered 503 SlowDown'],
  ['cut', expect.any(String)],
  ['corrupt', 'the object has other bytes than were stored'],
] as const)('an object that is read with %s is away for now', async (answer, text) => {
  await write('a', large);
  peer.behave({ answer, times: 1 });
  expect(await read('a', large)).toEqual({ failure: 'away', text });
  expect(large.equals((await read('a', large)) as Buffer)).toBe(true);
});

test('a wrong secret, another region and a missing bucket are told as the store does', async () => {
  const told: unknown[] = [];
  for (const change of [{ secretAccessKey: 'wrong' }, { region: 'us-east-1' }, { bucket: 'others' }]) {
    const wrong = openObjectStore({ ...peer.address, ...change, spoolDir, userAgent: 'Test/1', retryMs: [] });
    told.push(await wrong.remove('a'));
    await wrong.close();
  }
  expect(told).toEqual([
    { failure: 'away', text: 'it answered 403 SignatureDoesNotMatch' },
    { failure: 'away', text: 'it answered 400 AuthorizationHeaderMalformed' },
    { failure: 'away', text: 'it answered 404 NoSuchBucket' },
  ]);
});

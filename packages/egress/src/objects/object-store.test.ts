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

describe('a store that leaves a request unanswered', () => {
  const hanging = { idleMs: 50, requestMs: 50, restMs: 3_600_000 };

  const inUse = async (changes: object, use: (hung: ObjectStore) => Promise<void>): Promise<void> => {
    const kept = store;
    const hung = openObjectStore({
      ...peer.address,
      spoolDir,
      userAgent: 'Test/1',
      retryMs: [0, 0],
      ...changes,
    });
    store = hung;
    try {
      await use(hung);
    } finally {
      store = kept;
      await hung.close();
    }
  };

  test.each<[string, (hung: ObjectStore) => Promise<unknown>]>([
    ['a read', () => read('a', large)],
    ['a removal', (hung) => hung.remove('a')],
    ['an object to store, without a second try', () => write('a', large)],
  ])('%s is away, and then nothing is asked for a while', async (_, ask) => {
    await inUse(hanging, async (hung) => {
      peer.behave({ answer: 'hang' });
      const resting = { failure: 'away', silent: true, text: 'it does not answer for now' };
      const first = await ask(hung);
      expect(first).toMatchObject({ failure: 'away', silent: true });
      // The answer of a second try.
      expect(first).not.toEqual(resting);
      peer.behave({ answer: 'slow-down' });
      const others = [await read('a', large), await hung.remove('a'), await write('b', large)];
      expect(others).toEqual([resting, resting, resting]);
    });
  });

  test('and a failing one is asked no more often than there is time for', async () => {
    await inUse({ storeMs: 30_000, retryMs: [0, 30_000] }, async () => {
      peer.behave({ answer: 'slow-down' });
      expect(await write('a', large)).toMatchObject({ failure: 'away' });
      expect(peer.asked).toEqual(['PUT 503 SlowDown', 'PUT 503 SlowDown']);
    });
  });
});

import { createHash, randomBytes } from 'node:crypto';
import type { OpenedFile } from '@notify/channels';
import { requestUnlink } from '@notify/db/whatsapp';
import { relayFile } from '@notify/dispatch';
import type { RunningProcess, TestTenant } from '@notify/testkit';
import type { FileOrder } from '../peer/messages/files.ts';
import { hurried, openWorld, until, type World } from './world.ts';

let world: World;
let sessions: RunningProcess;
let account: TestTenant;
const phone = '15550700001';

beforeAll(async () => {
  world = await openWorld({}, { sweeps: false });
  sessions = await world.start();
  account = await world.linked(phone, hurried);
});

afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => world.peer.behaveDownloads({ answer: 'serve' }));

/** A person sends a file. Resolves with its message's row. */
async function receive(file: FileOrder, to = { phone, account }) {
  const id = await world.peer.write({ account: to.phone, from: '15550700002', file });
  const find = () =>
    world.db
      .selectFrom('messages')
      .selectAll()
      .where('channel_account_id', '=', to.account.accountId)
      .where('external_id', '=', id)
      .executeTakeFirst();
  await until(async () => (await find()) !== undefined);
  return (await find())!;
}

const open = (row: { file: unknown }, { accountId } = account): Promise<OpenedFile> =>
  relayFile(world.db, { accountId, file: row.file }, { signal: new AbortController().signal });

async function read(opened: OpenedFile): Promise<{ bytes: number; sha256: string }> {
  if (opened.kind !== 'file') throw new Error(opened.detail);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of opened.content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');

test.each(['image', 'video', 'audio', 'document', 'sticker'] as const)(
  '%s: the file is the one that was sent',
  async (kind) => {
    const content = randomBytes(1_000_003);
    const row = await receive({ kind, content: content.toString('base64') });
    expect(await read(await open(row))).toEqual({ bytes: 1_000_003, sha256: sha256(content) });
  },
);

test('an empty file, and one of exactly a chunk, are read', async () => {
  for (const length of [0, 1, 262_144]) {
    const row = await receive({ kind: 'document', length });
    expect(await read(await open(row))).toEqual({ bytes: length, sha256: sha256(Buffer.alloc(length, 7)) });
  }
});

test('a file of 90 MB is streamed, and the process never keeps all of it', async () => {
  const length = 90 * 1_048_576;
  const row = await receive({ kind: 'video', length });
  const before = await residentKb(sessions);
  const beganAt = performance.now();
  const opened = await open(row);
  const firstMs = performance.now() - beganAt;
  let most = before;
  const watch = setInterval(() => void residentKb(sessions).then((kb) => (most = Math.max(most, kb))), 50);
  expect(await read(opened)).toEqual({ bytes: length, sha256: sha256(Buffer.alloc(length, 7)) });
  clearInterval(watch);
  const totalMs = performance.now() - beganAt;
  console.log(
    `90 MB: first bytes after ${Math.round(firstMs)} ms, all after ${Math.round(totalMs)} ms; ${Math.round((most - before) / 1_024)} MB more memory`,
  );
  // Chunks stay until the next garbage collection. A process that buffered the file would keep it twice, encrypted and
  // decrypted: 180 MB.
  expect(most - before).toBeLessThan(length / 1_024);
});

async function residentKb({ process }: RunningProcess): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
}

test('a file that WhatsApp no longer has is expired', async () => {
  const row = await receive({ kind: 'image', length: 10 });
  await world.peer.behaveDownloads({ answer: 'gone' });
  expect(await open(row)).toMatchObject({ kind: 'expired' });
});

test('a file that WhatsApp cannot serve now is unavailable', async () => {
  const row = await receive({ kind: 'image', length: 10 });
  await world.peer.refuseDownloads(1);
  expect(await open(row)).toMatchObject({ kind: 'unavailable', detail: expect.stringMatching(/503/) });
  expect(await read(await open(row))).toMatchObject({ bytes: 10 });
});

test('a file that was changed on its way is not given out', async () => {
  const row = await receive({ kind: 'image', length: 10, changed: true });
  expect(await open(row)).toMatchObject({ kind: 'unavailable', detail: expect.stringMatching(/changed/) });
});

test('a file that breaks off ends with an error', async () => {
  const row = await receive({ kind: 'image', length: 1_000_000 });
  await world.peer.behaveDownloads({ answer: 'break', afterBytes: 600_000 });
  await expect(open(row).then(read)).rejects.toThrow(/./);
});

test('a file of another account does not open', async () => {
  const row = await receive({ kind: 'image', length: 10 });
  const other = await world.linked(world.newPhone());
  expect(await open(row, other)).toMatchObject({ kind: 'expired' });
});

test('a file of a device that was unlinked is expired, also once it is linked again', async () => {
  const to = { phone: world.newPhone(), account: await world.account() };
  await world.link(to.account, to.phone);
  const row = await receive({ kind: 'image', length: 10 }, to);
  expect(await read(await open(row, to.account))).toMatchObject({ bytes: 10 });
  await requestUnlink(world.db, to.account.tenantId, to.account.accountId);
  await world.wake(to.account);
  await until(async () => (await world.linkOf(to.account)).step === 'idle');
  expect(await open(row, to.account)).toMatchObject({ kind: 'expired' });
  await world.link(to.account, to.phone);
  expect(await open(row, to.account)).toMatchObject({ kind: 'expired' });
});

test('a process that does not hold the account serves its files, and without any they are unavailable', async () => {
  const row = await receive({ kind: 'image', length: 10 });
  const next = await world.start();
  await sessions.stop();
  expect(await read(await open(row))).toMatchObject({ bytes: 10 });
  await next.stop();
  expect(await open(row)).toEqual({
    kind: 'unavailable',
    detail: 'No process of linked devices is running.',
  });
});

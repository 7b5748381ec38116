import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { settingsPlace } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { createSecrets } from '@notify/runtime';
import {
  makeTenant,
  startHttpServer,
  startProcesses,
  startRedis,
  testDatabase,
  type TestServer,
  type TestTenant,
  testWith,
  textItem,
} from '@notify/testkit';

const test = testWith('redis-server');

const minute = 60_000;
const megabyte = 1_048_576;
const fileBytes = 100 * megabyte;
const uploadsAtOnce = 10;
const masterKey = randomBytes(32);

/** Serves one document of 100 MB, made as it goes; it knows no ranges. */
function startFileServer(): Promise<TestServer> {
  const beginning = Buffer.from('%PDF-1.7\n');
  const chunk = Buffer.alloc(65_536, 'x');
  return startHttpServer((_, response) => {
    response.writeHead(200, { 'content-length': fileBytes });
    response.write(beginning);
    let left = fileBytes - beginning.length;
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        const part = chunk.subarray(0, left);
        left -= part.length;
        if (!response.write(part)) return;
      }
      if (left === 0) response.end();
    };
    response.on('drain', more);
    more();
  });
}

interface Meta {
  readonly url: string;
  /** Bytes of each upload that was whole. */
  readonly uploads: readonly number[];
  readonly sent: number;
  close(): void;
}

/** Takes files as Meta does, but reads none before all of them are on their way. */
async function startMeta(): Promise<Meta> {
  const uploads: number[] = [];
  const waiting: (() => void)[] = [];
  let sent = 0;

  function takeUpload(request: IncomingMessage, response: ServerResponse): void {
    let bytes = 0;
    waiting.push(() => {
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.on('end', () => {
        uploads.push(bytes);
        response.end(JSON.stringify({ id: String(uploads.length) }));
      });
    });
    if (waiting.length === uploadsAtOnce) for (const begin of waiting) begin();
  }

  function takeMessage(request: IncomingMessage, response: ServerResponse): void {
    request.resume().on('end', () => {
      sent += 1;
      response.end(JSON.stringify({ messages: [{ id: `wamid.${sent}` }] }));
    });
  }

  const server = await startHttpServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('/media')) takeUpload(request, response);
    else takeMessage(request, response);
  });
  return {
    url: server.url,
    uploads,
    get sent() {
      return sent;
    },
    close: () => server.close(),
  };
}

async function whatsappTenant(db: Db): Promise<TestTenant> {
  const tenant = await makeTenant(db, { channel: 'whatsapp', provider: 'whatsapp-cloud' });
  const settings = { phoneNumberId: '123456789', accessToken: 'token', appSecret: 'app-secret' };
  const sealed = createSecrets([{ version: 1, key: masterKey }]).seal(
    JSON.stringify({ settings, callbackSecret: 'secret' }),
    settingsPlace(tenant.tenantId, tenant.accountId),
  );
  await db
    .updateTable('channel_accounts')
    .set({ settings: sealed })
    .where('id', '=', tenant.accountId)
    .execute();
  return tenant;
}

async function untilSent(db: Db, count: number): Promise<void> {
  for (;;) {
    const sent = await db.selectFrom('messages').select('id').where('status', '=', 'sent').execute();
    if (sent.length === count) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The most memory the process ever had resident, in bytes. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

test(
  'ten documents of 100 MB uploaded at once cost the worker less than 250 MB of memory, and leave nothing on disk',
  async () => {
    await using test = await testDatabase();
    const spoolDir = await mkdtemp(path.join(tmpdir(), 'notify-spool-'));
    await using after = new AsyncDisposableStack();
    after.defer(() => rm(spoolDir, { recursive: true }));
    const [files, meta] = await Promise.all([startFileServer(), startMeta()]);
    after.defer(() => files.close());
    after.defer(() => meta.close());
    const redis = await startRedis();
    after.defer(() => redis.stop());
    const processes = await startProcesses({
      databaseUrl: test.url,
      redisUrl: redis.url,
      api: 0,
      webhook: 0,
      env: {
        MASTER_KEYS: `1:${masterKey.toString('base64')}`,
        PROVIDER_URLS: `whatsapp-cloud=${meta.url}`,
        MAX_MEDIA_IN_FLIGHT: String(uploadsAtOnce),
        SPOOL_DIR: spoolDir,
      },
    });
    after.defer(() => processes.stop());
    const worker = processes.dispatch[0]!.process.pid!;
    const idleBytes = await peakMemory(worker);
    const body = { type: 'document', url: files.url, caption: null, filename: 'big.pdf' } as const;
    const item = textItem(await whatsappTenant(test.db), { channel: 'whatsapp', type: 'document', body });
    const rules = { idempotencyDays: 7, blockExpiredTrials: false };
    await acceptMessages(
      test.db,
      Array.from({ length: uploadsAtOnce }, () => item),
      rules,
    );
    // The sweeper wakes the account.
    await untilSent(test.db, uploadsAtOnce);
    const peakBytes = await peakMemory(worker);
    const shown = (bytes: number): string => (bytes / megabyte).toFixed(0);
    process.stdout.write(`peak of the worker: ${shown(peakBytes)} MB; before: ${shown(idleBytes)} MB\n`);
    expect(meta.uploads.map((bytes) => Math.floor(bytes / fileBytes))).toEqual(Array(uploadsAtOnce).fill(1));
    expect(meta.sent).toBe(uploadsAtOnce);
    expect(peakBytes).toBeLessThan(250_000_000);
    expect(await readdir(spoolDir)).toEqual([]);
  },
  3 * minute,
);

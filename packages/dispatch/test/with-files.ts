import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Adapter, Media, MediaType, SendRequest } from '@notify/channels';
import type { Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { createMediaClient, type MediaClient, type MediaClientOptions } from '@notify/egress';
import { startHttpServer, testDatabase, type TestServer, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import {
  dispatchTurn,
  type Scripted,
  scripted,
  scriptedTenant,
  type TestDeps,
  testDeps,
  testSecrets,
} from './scripted.ts';

/** What a provider says that took a message. */
export const accepted: Outcome = { kind: 'accepted', externalId: null };
/** Never fires. */
export const noSignal = new AbortController().signal;
const any = { maxBytes: 1_000_000, mimeTypes: 'any', caption: true } as const;
/** Some picture. */
export const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), Buffer.alloc(20_000, 7)]);

const closers: (() => unknown)[] = [];
let spoolDir: string;
beforeEach(async () => {
  spoolDir = await mkdtemp(path.join(tmpdir(), 'notify-spool-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await rm(spoolDir, { recursive: true });
});

/** Serves files until the test is over. */
export async function fileServer(answer: RequestListener): Promise<TestServer> {
  const server = await startHttpServer(answer);
  closers.push(() => server.close());
  return server;
}

/** A client for files with its own folder, until the test is over. */
export function mediaClient(options: Partial<MediaClientOptions> = {}): MediaClient {
  const rules = { allowPrivate: true, allow: [], userAgent: 'Test/1', spoolDir };
  const client = createMediaClient({ ...rules, ...options });
  closers.push(() => client.close());
  return client;
}

/** A provider that takes files; `send` is what it does with one. */
export function provider(
  send: (media: Media, request: SendRequest) => Promise<Outcome>,
  changes: Partial<Adapter> = {},
): Scripted {
  const made = scripted((request) => (request.media ? send(request.media, request) : accepted), {
    media: true,
  });
  const media = { image: any, video: any, audio: { ...any, caption: false }, document: any };
  return { ...made, adapter: { ...made.adapter, media, ...changes } };
}

/** Fetches the file and hands it over, as providers do that take uploads. */
export const upload = async (media: Media): Promise<Outcome> => {
  const file = await media.download();
  if ('kind' in file) return file;
  for await (const chunk of file.open()) void chunk;
  return accepted;
};

/** Accepts media messages of that tenant. */
export async function send(
  db: Db,
  tenant: TestTenant,
  url: string,
  {
    type = 'image',
    caption = null,
    count = 1,
  }: { type?: MediaType; caption?: string | null; count?: number } = {},
): Promise<void> {
  const item = textItem(tenant, { type, body: { type, url, caption, filename: 'a.jpg' } });
  await acceptMessages(
    db,
    Array.from({ length: count }, () => item),
    { idempotencyDays: 7, blockExpiredTrials: false },
  );
}

/** A database, a tenant of the scripted provider, and turns of its account. */
export interface Setting extends AsyncDisposable {
  readonly db: Db;
  readonly tenant: TestTenant;
  readonly deps: TestDeps;
  turn(signal?: AbortSignal): Promise<void>;
}

/** Makes a setting. */
export async function setting(of: Scripted, changes: Partial<TestDeps> = {}): Promise<Setting> {
  const test = await testDatabase();
  const tenant = await scriptedTenant(test.db, testSecrets);
  const deps = testDeps(test.db, of, { media: mediaClient(), ...changes });
  return {
    db: test.db,
    tenant,
    deps,
    turn: (signal = noSignal) => dispatchTurn(tenant.accountId, deps, signal),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

/** Each message: its status, error code, attempts burnt while it waits, and whether it is claimed. */
export const messages = async (db: Db): Promise<string[]> =>
  (
    await sql<{ line: string }>`
      select m.status || coalesce(' ' || m.error_code, '') || coalesce(' attempts ' || d.attempts, '')
        || case when d.claimed_by is not null then ' claimed' else '' end as line
      from messages m left join dispatch_due d on d.message_id = m.id order by 1`.execute(db)
  ).rows.map((row) => row.line);

/** A server whose files never end, with a promise of how many requests it has. */
export async function stuckServer(): Promise<{
  server: TestServer;
  asked: (count: number) => Promise<void>;
}> {
  let seen = 0;
  const server = await fileServer((_, response) => {
    seen += 1;
    response.write('x');
  });
  return {
    server,
    asked: async (count) => {
      while (seen < count) await new Promise(setImmediate);
    },
  };
}

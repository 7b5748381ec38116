import type { Adapter, MediaType } from '@notify/channels';
import { acceptMessages } from '@notify/db/messages';
import { textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { scripted } from './scripted.ts';
import {
  accepted,
  fileServer,
  jpeg,
  mediaClient,
  messages,
  provider,
  send,
  setting,
  upload,
} from './with-files.ts';

test('the provider is given the file as it was looked at, and may fetch it whole', async () => {
  const server = await fileServer((_, response) => response.end(jpeg));
  let fetched: unknown;
  const of = provider(async (media) => {
    const file = await media.download();
    if ('kind' in file) return file;
    fetched = Buffer.concat(await Array.fromAsync(file.open()));
    return accepted;
  });
  await using at = await setting(of);
  await send(at.db, at.tenant, server.url, { caption: 'A cat' });
  await at.turn();
  expect(of.ledger[0]).toMatchObject({
    type: 'image',
    text: null,
    media: {
      url: server.url,
      mimeType: 'image/jpeg',
      bytes: jpeg.length,
      filename: 'a.jpg',
      caption: 'A cat',
    },
  });
  expect(fetched).toEqual(jpeg);
  expect(await messages(at.db)).toEqual(['sent']);
  expect([at.deps.calls.inUse, at.deps.mediaInFlight.inUse]).toEqual([0, 0]);
});

test('a file that the provider fetches itself is looked at all the same, and not downloaded', async () => {
  const ranges: unknown[] = [];
  const server = await fileServer((request, response) => {
    ranges.push(request.headers.range);
    response.end(jpeg);
  });
  await using at = await setting(provider(async () => accepted));
  await send(at.db, at.tenant, server.url);
  await at.turn();
  expect(ranges).toEqual(['bytes=0-4099']);
  expect(await messages(at.db)).toEqual(['sent']);
});

test.each<[string, MediaType, string | null, Buffer | number, string]>([
  ['another format', 'image', null, Buffer.from('%PDF-1.7\n'), 'failed media-type-not-supported'],
  [
    'a file too long',
    'image',
    null,
    Buffer.concat([jpeg, Buffer.alloc(6_000_000)]),
    'failed media-too-large',
  ],
  ['an empty file', 'document', null, Buffer.alloc(0), 'failed media-type-not-supported'],
  [
    'a caption where none goes',
    'audio',
    'listen',
    Buffer.from('fff1508002', 'hex'),
    'failed media-caption-not-supported',
  ],
  ['a file that is not there', 'image', null, 404, 'failed media-unavailable'],
  ['a server in trouble', 'image', null, 503, 'queued attempts 1'],
])('%s: nothing of the provider is called', async (...[, type, caption, answer, line]) => {
  const server = await fileServer((_, response) => {
    if (typeof answer === 'number') response.statusCode = answer;
    response.end(typeof answer === 'number' ? '' : answer);
  });
  const of = provider(async () => accepted);
  await using at = await setting(of, { random: () => 1 });
  await send(at.db, at.tenant, server.url, { type, caption });
  await at.turn();
  expect(of.ledger).toEqual([]);
  expect(await messages(at.db)).toEqual([line]);
});

test('an address that is not public is refused for good', async () => {
  const server = await fileServer((_, response) => response.end(jpeg));
  const of = provider(async () => accepted);
  await using at = await setting(of, { media: mediaClient({ allowPrivate: false }) });
  await send(at.db, at.tenant, server.url);
  await at.turn();
  expect([of.ledger.length, server.connections]).toEqual([0, 0]);
  expect(await messages(at.db)).toEqual(['failed media-unavailable']);
});

test('a server that hands out another file than the one looked at is found out', async () => {
  const server = await fileServer((request, response) =>
    response.end(request.headers.range === undefined ? 'MZ an executable' : jpeg),
  );
  await using at = await setting(provider(upload));
  await send(at.db, at.tenant, server.url);
  await at.turn();
  expect(await messages(at.db)).toEqual(['failed media-type-not-supported']);
});

test('a provider without rules for files is given none, and nothing is fetched', async () => {
  const server = await fileServer((_, response) => response.end(jpeg));
  const of = scripted(() => accepted);
  await using at = await setting(of);
  await send(at.db, at.tenant, server.url);
  await at.turn();
  expect(of.ledger[0]).toMatchObject({ type: 'image', media: null, text: null });
  expect(server.connections).toBe(0);
});

test('the lease of a media message lasts as long as its file may take', async () => {
  const server = await fileServer((_, response) => response.end(jpeg));
  const leases: number[] = [];
  const lease = sql<{ seconds: number }>`
    select extract(epoch from claimed_until - now())::float8 as seconds from dispatch_due where claimed_by is not null`;
  const of = provider(async () => accepted, { mediaDeadlineMs: 100_000 });
  const adapter: Adapter = {
    ...of.adapter,
    async send() {
      const { rows } = await lease.execute(at.db);
      leases.push(...rows.map((row) => Math.ceil(row.seconds)));
      return accepted;
    },
  };
  await using at = await setting({ ...of, adapter });
  await send(at.db, at.tenant, server.url);
  await at.turn();
  await acceptMessages(at.db, [textItem(at.tenant)], { idempotencyDays: 7, blockExpiredTrials: false });
  await at.turn();
  expect(leases).toEqual([125, 10]);
});

test('an adapter that throws, or forgets its file, leaves none behind', async () => {
  const server = await fileServer((_, response) => response.end(jpeg));
  const files: { open(): AsyncIterable<Uint8Array> }[] = [];
  const of = provider(async (media) => {
    const file = await media.download();
    if ('kind' in file) return file;
    files.push(file);
    throw new Error('bug');
  });
  await using at = await setting(of);
  await send(at.db, at.tenant, server.url);
  await at.turn();
  await expect(Array.fromAsync(files[0]!.open())).rejects.toThrow('closed');
});

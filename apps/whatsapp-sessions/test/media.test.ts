import { createHash } from 'node:crypto';
import type { MediaType } from '@notify/channels';
import { noUrl } from '@notify/core';
import { beginUpload, finishUpload, writeUploadChunk } from '@notify/db/uploads';
import { startHttpServer, type TestServer } from '@notify/testkit';
import { openWorld, until, type World } from './world.ts';

let world: World;
let files: TestServer;

const contents: Readonly<Record<string, Buffer>> = {
  '/a.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(30_000, 'jpeg')]),
  '/a.mp4': Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(50_000, 'mp4')]),
  '/a.ogg': Buffer.concat([
    Buffer.from('OggS\0\x02'),
    Buffer.alloc(22),
    Buffer.from('OpusHead'),
    Buffer.alloc(9_000),
  ]),
  '/a.pdf': Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(70_000, 'pdf')]),
};

beforeAll(async () => {
  world = await openWorld();
  await world.start();
  files = await startHttpServer((request, response) => response.end(contents[request.url ?? '']));
});

afterAll(async () => {
  files.close();
  await world[Symbol.asyncDispose]();
});

test.each<[MediaType, string, string, string | null]>([
  ['image', '/a.jpg', 'image/jpeg', 'A cat'],
  ['video', '/a.mp4', 'video/mp4', 'Two cats'],
  ['audio', '/a.ogg', 'audio/ogg', null],
  ['document', '/a.pdf', 'application/pdf', 'Three cats'],
])('%s arrives as it was, encrypted by way of the media host', async (type, path, mimetype, caption) => {
  const account = await world.linked(`1555010${1_000 + (contents[path]!.length % 1_000)}`);
  const number = `1555020${1_000 + (contents[path]!.length % 1_000)}`;
  const body = { type, url: `${files.url}${path}`, caption, filename: 'cats.pdf' };
  await world.send(account, [{ to: number, type, body }]);
  const { messages } = await world.peer.when((log) => log.messages.some(({ to }) => to === number));
  const content = contents[path]!;
  expect(messages.filter(({ to }) => to === number)).toMatchObject([
    {
      kind: type,
      text: caption,
      media: {
        mimetype: expect.stringContaining(mimetype),
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        fileName: type === 'document' ? 'cats.pdf' : null,
      },
    },
  ]);
  await until(async () => {
    const { status } = await world.db
      .selectFrom('messages')
      .select('status')
      .where('channel_account_id', '=', account.accountId)
      .executeTakeFirstOrThrow();
    return status === 'delivered';
  });
});

test('an uploaded file arrives byte for byte', async () => {
  const account = await world.linked('15550103001');
  const number = '15550203001';
  const content = Buffer.concat([contents['/a.pdf']!, Buffer.alloc(600_000, 'more ')]);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const fileId = await beginUpload(world.db, {
    tenantId: account.tenantId,
    keyId: null,
    filename: null,
    place: 'postgres',
  });
  const chunks = [content.subarray(0, 262_144), content.subarray(262_144)];
  for (const [chunk, bytes] of chunks.entries())
    await writeUploadChunk(world.db, fileId, { chunk, bytes, maxTenantBytes: 1_000_000, place: 'postgres' });
  await finishUpload(world.db, fileId, { type: 'application/pdf', sha256 });
  const body = { type: 'document' as const, url: noUrl, fileId, caption: null, filename: 'cats.pdf' };
  await world.send(account, [{ to: number, type: 'document', body }]);
  const { messages } = await world.peer.when((log) => log.messages.some(({ to }) => to === number));
  expect(messages.filter(({ to }) => to === number)).toMatchObject([
    { kind: 'document', media: { bytes: content.length, sha256, fileName: 'cats.pdf' } },
  ]);
});

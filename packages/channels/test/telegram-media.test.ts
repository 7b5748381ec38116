import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noUrl, type Outcome } from '@notify/core';
import { createHttpClient, createMediaClient, type MediaClient } from '@notify/egress';
import { startHttpServer, startTelegramPeer, type TelegramPeer, type TestServer } from '@notify/testkit';
import type { Media, MediaType } from '../src/adapter/channel.ts';
import { outcomeOfMediaFailure } from '../src/media/media-failure.ts';
import { telegramBot } from '../src/telegram-bot/telegram-bot.ts';
import { sendRequest } from './conformance/conformance.ts';

const megabyte = 1_048_576;
const rules = { allowPrivate: true, allow: [], userAgent: 'notify-test' };
const http = createHttpClient(rules);
const { signal } = new AbortController();

let files: TestServer;
let spoolDir: string;
let mediaClient: MediaClient;

/** Serves `/<bytes>/<name>`: so many bytes that begin as a file of that kind does; with `?only-us` not to Telegram. */
beforeAll(async () => {
  spoolDir = await mkdtemp(path.join(tmpdir(), 'notify-telegram-'));
  mediaClient = createMediaClient({ ...rules, spoolDir });
  files = await startHttpServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://files.example');
    const [, bytes = '0', name = ''] = pathname.split('/');
    const isTelegram = request.headers['user-agent'] !== 'notify-test';
    if (search === '?only-us' && isTelegram) return void response.writeHead(404).end();
    const content = contentOf(name, Number(bytes));
    response.writeHead(200, { 'content-type': kinds[ending(name)]?.type ?? 'text/plain' });
    response.end(request.method === 'HEAD' ? undefined : content);
  });
});
afterAll(async () => {
  await http.close();
  await mediaClient.close();
  files.close();
  await rm(spoolDir, { recursive: true });
});

const kinds: Readonly<Record<string, { readonly type: string; readonly head: string }>> = {
  png: { type: 'image/png', head: '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489' },
  mp4: { type: 'video/mp4', head: '000000186674797069736f6d0000020069736f6d69736f32' },
  mp3: { type: 'audio/mpeg', head: '4944330300000000000a54495432' },
  ogg: { type: 'audio/ogg', head: '4f67675300020000000000000000' },
  pdf: { type: 'application/pdf', head: '255044462d312e370a' },
  txt: { type: 'text/plain', head: '68656c6c6f' },
};

const ending = (name: string) => name.split('.').at(-1) ?? '';

function contentOf(name: string, bytes: number): Buffer {
  const content = Buffer.alloc(bytes, 'ab');
  Buffer.from(kinds[ending(name)]?.head ?? '', 'hex').copy(content);
  return content;
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** The file as the worker hands it over, with the real client behind `download`. */
function mediaOf(bytes: number, name: string, changes: Partial<Media> = {}): Media {
  const url = `${files.url}/${bytes}/${name}`;
  return {
    url,
    mimeType: kinds[ending(name)]?.type ?? '',
    bytes,
    filename: null,
    caption: `caption of ${name}`,
    async download() {
      const downloaded = await mediaClient.download(changes.url ?? url, { maxBytes: 100 * megabyte });
      return downloaded.ok ? downloaded.file : outcomeOfMediaFailure(downloaded);
    },
    ...changes,
  };
}

function sendFile(peer: TelegramPeer, type: MediaType, media: Media): Promise<Outcome> {
  const body = { type, url: media.url ?? noUrl, caption: media.caption };
  const context = { settings: peer.settings, http, baseUrl: peer.url, signal };
  return telegramBot.send(sendRequest({ to: '1000', type, media, body }), context);
}

describe('files', () => {
  test.each<[MediaType, string, string]>([
    ['image', 'cat.png', 'sendPhoto'],
    ['video', 'cat.mp4', 'sendVideo'],
    ['audio', 'cat.mp3', 'sendAudio'],
    ['document', 'cat.pdf', 'sendDocument'],
  ])('%s: Telegram fetches %s itself', async (type, name, method) => {
    await using peer = await startTelegramPeer();
    expect(await sendFile(peer, type, mediaOf(5_000, name))).toMatchObject({ kind: 'accepted' });
    const file = { by: 'url', bytes: 5_000, sha256: sha256(contentOf(name, 5_000)), filename: name };
    expect(peer.ledger()).toMatchObject([
      { method, text: `caption of ${name}`, sent: 1, file: { ...file, mimeType: kinds[ending(name)]?.type } },
    ]);
  });

  test.each<[MediaType, string, number, string]>([
    ['image', 'big.png', 6 * megabyte, 'sendPhoto'],
    ['video', 'big.mp4', 21 * megabyte, 'sendVideo'],
    ['audio', 'cat.ogg', 5_000, 'sendDocument'],
    ['document', 'note.txt', 5_000, 'sendDocument'],
    ['document', 'big.txt', 50 * megabyte - 1, 'sendDocument'],
  ])('%s: %s of %d bytes is uploaded, byte for byte', async (type, name, bytes, method) => {
    await using peer = await startTelegramPeer();
    expect(await sendFile(peer, type, mediaOf(bytes, name))).toMatchObject({ kind: 'accepted' });
    const file = { by: 'upload', bytes, sha256: sha256(contentOf(name, bytes)), filename: name };
    expect(peer.ledger()).toMatchObject([{ method, asked: 1, sent: 1, file }]);
  });

  test('its own name arrives with the file', async () => {
    await using peer = await startTelegramPeer();
    const filename = 'Rechnung "März" 💶.pdf';
    await sendFile(peer, 'document', mediaOf(5_000, 'cat.pdf', { filename }));
    expect(peer.ledger()).toMatchObject([{ file: { by: 'upload', filename: 'Rechnung %22März%22 💶.pdf' } }]);
  });

  test.each([
    ['that Telegram cannot reach', 'cat.png?only-us', 5_000, 'sendPhoto'],
    ['whose length nobody knew, and is too much for a URL', 'big.png', 6 * megabyte, 'sendPhoto'],
  ])('a file %s is uploaded in the same attempt', async (_, name, bytes, method) => {
    await using peer = await startTelegramPeer();
    const media = mediaOf(bytes, name, { mimeType: 'image/png', bytes: null, caption: 'A cat' });
    expect(await sendFile(peer, 'image', media)).toMatchObject({ kind: 'accepted' });
    expect(peer.ledger()).toMatchObject([{ method, asked: 2, sent: 1, file: { by: 'upload', bytes } }]);
  });

  test.each([
    ['of its own', '', 'cat.pdf', 'a\u0001b\u007f\\'],
    ['of its address', '?only-us', 'a%01b%7F.pdf', null],
  ])('a name %s with control characters does not break the upload', async (_, query, name, filename) => {
    await using peer = await startTelegramPeer();
    const media = mediaOf(5_000, `${name}${query}`, { filename, mimeType: 'application/pdf' });
    expect(await sendFile(peer, 'document', media)).toMatchObject({ kind: 'accepted' });
    expect(peer.ledger()).toMatchObject([
      { file: { by: 'upload', filename: expect.stringMatching(/^a_b_(_|\.pdf)$/) } },
    ]);
  });

  test('a file nobody can fetch is refused', async () => {
    await using peer = await startTelegramPeer();
    const gone = `${await closedPort()}/cat.png`;
    const outcome = await sendFile(peer, 'image', mediaOf(5_000, 'cat.png', { url: gone }));
    expect(outcome).toMatchObject({ kind: 'retry', errorCode: 'media-unavailable' });
    expect(peer.ledger()).toMatchObject([{ asked: 1, sent: 0 }]);
  });

  test.each<[MediaType, string, number, string]>([
    ['image', 'huge.png', 10 * megabyte + 1, 'media-too-large'],
    ['document', 'huge.txt', 50 * megabyte + 1, 'media-too-large'],
    ['document', 'empty.txt', 0, 'content-rejected'],
  ])('Telegram’s own limits: %s %s of %d bytes, %s', async (type, name, bytes, errorCode) => {
    await using peer = await startTelegramPeer();
    const outcome = await sendFile(peer, type, mediaOf(bytes, name));
    expect(outcome).toMatchObject({ kind: 'rejected', errorCode });
  });

  test('a caption of 1,025 characters is refused, whichever way the file goes', async () => {
    await using peer = await startTelegramPeer();
    const caption = 'x'.repeat(1_025);
    const byUrl = await sendFile(peer, 'image', mediaOf(5_000, 'cat.png', { caption }));
    const uploaded = await sendFile(peer, 'document', mediaOf(5_000, 'note.txt', { caption }));
    const refused = { errorCode: 'content-rejected', text: '400: Bad Request: message caption is too long' };
    expect([byUrl, uploaded]).toMatchObject([refused, refused]);
  });
});

async function closedPort(): Promise<string> {
  const server = await startHttpServer((_, response) => response.end());
  server.close();
  return server.url;
}

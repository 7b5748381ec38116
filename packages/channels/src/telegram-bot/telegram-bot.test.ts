import type { Outcome } from '@notify/core';
import type { HttpRequest, StreamedBody } from '@notify/egress';
import type { Media, MediaType } from '../adapter/channel.ts';
import { judgeMedia } from '../media/media-limits.ts';
import { checkSettings } from '../settings/settings.ts';
import { telegramBot } from './telegram-bot.ts';
import {
  base,
  botToken,
  described,
  fileOf,
  megabyte,
  says,
  send,
  sending,
  settings,
  taken,
} from './test/scripted.ts';

const jsonOf = (request: HttpRequest | undefined) => JSON.parse(request?.body as string) as unknown;

async function formOf(request: HttpRequest | undefined): Promise<string> {
  const body = request?.body as StreamedBody;
  const whole = Buffer.concat(await Array.fromAsync(body.open()));
  expect(whole.length).toBe(body.length);
  return whole.toString('utf8');
}

describe('the request', () => {
  test('sends a text as JSON, with the chat as given', async () => {
    const { asked, outcome } = await send({ to: '-1001234567890', body: { text: 'Hi <b> "ü" 😀' } });
    expect(outcome).toEqual({ kind: 'accepted', externalId: '17' });
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: `${base}/bot${botToken}/sendMessage`,
        headers: { 'content-type': 'application/json' },
      },
    ]);
    expect(jsonOf(asked[0])).toEqual({ chat_id: '-1001234567890', text: 'Hi <b> "ü" 😀' });
  });

  test.each<[MediaType, string, string, string]>([
    ['image', 'image/webp', 'sendPhoto', 'photo'],
    ['video', 'video/mp4', 'sendVideo', 'video'],
    ['audio', 'audio/mpeg', 'sendAudio', 'audio'],
    ['document', 'application/pdf', 'sendDocument', 'document'],
  ])('%s of type %s: Telegram fetches it for %s', async (type, mimeType, method, parameter) => {
    const { media, seen } = fileOf({ mimeType });
    const { asked } = await send({ to: '@here', ...sending(type, media) });
    expect(asked[0]?.url).toBe(`${base}/bot${botToken}/${method}`);
    expect(jsonOf(asked[0])).toEqual({ chat_id: '@here', [parameter]: media.url, caption: 'A cat' });
    expect(seen.downloads).toBe(0);
  });

  test.each<[string, MediaType, Partial<Media>, string]>([
    ['a photo above 5 MB', 'image', { bytes: 5 * megabyte + 1 }, 'sendPhoto'],
    ['a video above 20 MB', 'video', { mimeType: 'video/mp4', bytes: 20 * megabyte + 1 }, 'sendVideo'],
    ['a video that is not MP4', 'video', { mimeType: 'video/3gpp' }, 'sendDocument'],
    ['audio that is neither MP3 nor M4A', 'audio', { mimeType: 'audio/ogg' }, 'sendDocument'],
    ['a document that is no PDF, ZIP or GIF', 'document', { mimeType: 'text/plain' }, 'sendDocument'],
    ['its own name', 'document', { mimeType: 'application/pdf', filename: 'Bill.pdf' }, 'sendDocument'],
  ])('%s is uploaded', async (_, type, changes, method) => {
    const { media, seen } = fileOf(changes);
    const { asked, outcome } = await send({ to: '7', ...sending(type, media) });
    expect(outcome.kind).toBe('accepted');
    expect(asked.map(({ url }) => url)).toEqual([`${base}/bot${botToken}/${method}`]);
    expect(seen).toEqual({ downloads: 1, removals: 1 });
    const form = await formOf(asked[0]);
    expect(form).toContain('name="chat_id"\r\n\r\n7\r\n');
    expect(form).toContain('name="caption"\r\n\r\nA cat\r\n');
    expect(form).toContain(`filename="${changes.filename ?? 'cat.png'}"`);
    expect(form).toContain(`Content-Type: ${media.mimeType}\r\n\r\npixels\r\n`);
  });

  test('fetches by URL if the URL already has the name', async () => {
    const url = 'https://f.example/My%20bill.pdf?a=1';
    const { media, seen } = fileOf({ url, filename: 'My bill.pdf', mimeType: 'application/pdf' });
    await send(sending('document', media));
    expect(seen.downloads).toBe(0);
  });
});

describe('files that Telegram cannot fetch', () => {
  const unfetched = [
    'Bad Request: wrong file identifier/HTTP URL specified',
    'Bad Request: failed to get HTTP URL content',
    'Bad Request: wrong type of the web page content',
    'Bad Request: file is too big',
  ];

  test.each(unfetched)('%s: uploaded in the same attempt', async (description) => {
    const { media, seen } = fileOf({ bytes: null });
    const { asked, outcome } = await send(sending('image', media), [described(400, description), taken]);
    expect(outcome).toEqual({ kind: 'accepted', externalId: '17' });
    expect([asked.length, seen]).toEqual([2, { downloads: 1, removals: 1 }]);
  });

  test.each([unfetched[0] ?? '', unfetched[1] ?? ''])('%s, twice: refused', async (description) => {
    const { media } = fileOf();
    const answers = [described(400, description), described(400, description)];
    const { outcome } = await send(sending('image', media), answers);
    const text = `400: ${description}`;
    expect(outcome).toEqual({ kind: 'rejected', errorCode: 'media-unavailable', text, providerCode: '400' });
  });

  test('does not upload after other refusals', async () => {
    const { media, seen } = fileOf();
    await send(sending('image', media), [described(400, 'Bad Request: chat not found')]);
    expect(seen.downloads).toBe(0);
  });

  test('a failed download decides the outcome', async () => {
    const gone: Outcome = { kind: 'rejected', errorCode: 'media-unavailable', text: 'HTTP 404' };
    const { media } = fileOf({ bytes: 6 * megabyte, download: async () => gone });
    expect((await send(sending('image', media), [])).outcome).toBe(gone);
  });

  test('a document above the upload limit of bots is refused in advance, with the limit', () => {
    const file = { bytes: 50 * megabyte + 1, mimeType: 'text/plain' };
    const text = 'A document may have at most 50 MB for Telegram bot; the file has 52428801 bytes.';
    const refused = { kind: 'rejected', errorCode: 'media-too-large', text };
    expect(judgeMedia('document', file, null, telegramBot)).toEqual(refused);
  });
});

describe('a group that has become a supergroup', () => {
  const moved = says(400, {
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: -1001234567890 },
  });

  test('gets the message at its new id at once', async () => {
    const { asked, outcome } = await send({ to: '-99', body: { text: 'Hi' } }, [moved, taken]);
    expect(outcome.kind).toBe('accepted');
    expect(asked.map(jsonOf)).toEqual([
      { chat_id: '-99', text: 'Hi' },
      { chat_id: '-1001234567890', text: 'Hi' },
    ]);
  });

  test('is followed once only', async () => {
    const { outcome } = await send({}, [moved, moved]);
    expect(outcome).toMatchObject({ kind: 'rejected', errorCode: 'recipient-rejected' });
  });

  test('is followed with an upload too, fetched once', async () => {
    const { media, seen } = fileOf({ bytes: 6 * megabyte });
    const { asked } = await send({ to: '-99', ...sending('image', media) }, [moved, taken]);
    expect(await formOf(asked[1])).toContain('name="chat_id"\r\n\r\n-1001234567890\r\n');
    expect(seen).toEqual({ downloads: 1, removals: 1 });
  });
});

describe('settings', () => {
  test.each([
    [{ botToken }, []],
    [{ botToken, ratePerSecond: 1_000 }, []],
    [{}, ['/botToken']],
    [{ botToken: 'bot110201543' }, ['/botToken']],
    [{ botToken: `${botToken}/../x` }, ['/botToken']],
    [{ botToken, ratePerSecond: 0 }, ['/ratePerSecond']],
  ])('%j', (given, at) => {
    expect(checkSettings(telegramBot, given).map((fault) => fault.at)).toEqual(at);
  });

  test('a bot sends 30 a second and one a second to a chat, unless told otherwise', () => {
    expect(telegramBot.pace?.(settings)).toEqual({ perSecond: 30, recipientIntervalMs: 1_000 });
    expect(telegramBot.pace?.({ botToken, ratePerSecond: 5 })).toMatchObject({ perSecond: 5 });
  });
});

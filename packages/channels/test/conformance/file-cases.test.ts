import { type Adapter, type Media } from '../../src/adapter/channel.ts';
import { telegramBot } from '../../src/telegram-bot/telegram-bot.ts';
import { fileCases } from './file-cases.ts';

/* The cases of files must fail an adapter that breaks a promise. */

const sound = telegramBot as Adapter;
const taken = { status: 200, body: '{"ok":true,"result":{"message_id":17,"chat":{"id":7}}}' };

/** Sends as the adapter does, with another file. */
const withFile = (change: (media: Media) => Media): Adapter => ({
  ...sound,
  send: (request, context) =>
    sound.send(request.media === null ? request : { ...request, media: change(request.media) }, context),
});

async function* beginning(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) return yield chunk.subarray(0, bytes);
}

const shortened = withFile((media) => ({
  ...media,
  async download() {
    const file = await media.download();
    if ('kind' in file) return file;
    return { ...file, bytes: 1_000, open: () => beginning(file.open(), 1_000) };
  },
}));
const byUrl = withFile((media) => ({ ...media, url: 'https://example.com/a.jpg', filename: null }));
const idle: Adapter = { ...sound, send: async () => ({ kind: 'accepted', externalId: null }) };

const first = (adapter: Adapter, uploaded: { answer: typeof taken; id: string } | null = null) =>
  fileCases({
    adapter,
    settings: () => ({ botToken: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_-' }),
    secrets: [],
    http: { taken, externalId: '7:17' },
    uploaded,
  })[0]!.run();

test('an adapter that hands on the whole file passes', async () => {
  await expect(first(sound)).resolves.toBeUndefined();
});

test.each([
  ['a part of the file', shortened],
  ['an address in its place', byUrl],
  ['nothing', idle],
])('an adapter that hands on %s fails', async (_, adapter) => {
  await expect(first(adapter)).rejects.toThrow('deep-equal');
});

import { type MessageBody, telegramLength, telegramLimits } from '@notify/core';
import { createHttpClient } from '@notify/egress';
import { startTelegramPeer, type TelegramPeer } from '@notify/testkit';
import { telegramBot } from '../src/telegram-bot/telegram-bot.ts';
import { sendRequest } from './conformance/conformance.ts';

const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'notify-test' });
afterAll(() => http.close());
const { signal } = new AbortController();

const send = (peer: TelegramPeer, body: MessageBody) =>
  telegramBot.send(sendRequest({ to: '1000', body }), {
    settings: peer.settings,
    http,
    baseUrl: peer.url,
    signal,
  });

// Each ends where another character makes it too long.
test.each([
  ['html', (visible: number) => `<b>${'x'.repeat(visible)}</b>`],
  ['html', (visible: number) => `<a href="https://example.com/?a>b">${'x'.repeat(visible - 2)}</a>&lt;&#39;`],
  ['html', (visible: number) => ` ${'x'.repeat(visible - 2)}&#x1F600;\n`],
  ['markdown', (visible: number) => `*${'x'.repeat(visible - 2)}*[y](https://example.com/a_b)z`],
  ['markdown', (visible: number) => `${'\\.'.repeat(visible - 4)}![👍](tg://emoji?id=1)\`[_\``],
  ['markdown', (visible: number) => `>${'x'.repeat(visible - 5)}\n\`\`\`js\na*b*\`\`\``],
] as const)('the peer and telegramLength count the same: %s, %#', async (format, markedUp) => {
  await using peer = await startTelegramPeer();
  for (const limit of [telegramLimits.text, telegramLimits.text + 1]) {
    const text = markedUp(limit);
    expect(telegramLength(text, format)).toBe(limit);
    expect(await send(peer, { text, telegram: { format } })).toMatchObject({
      kind: limit === telegramLimits.text ? 'accepted' : 'rejected',
    });
  }
  expect(peer.ledger()).toMatchObject([{ sent: 1 }, { sent: 0 }]);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import type { Outcome, TelegramOptions } from '@notify/core';
import { createHttpClient } from '@notify/egress';
import { startTelegramPeer, type TelegramAnswer, type TelegramPeer } from '@notify/testkit';
import type { SendRequest } from '../src/adapter/channel.ts';
import { telegramBot } from '../src/telegram-bot/telegram-bot.ts';
import { sendRequest } from './conformance/conformance.ts';

const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'notify-test' });
afterAll(() => http.close());
const { signal } = new AbortController();

function send(peer: TelegramPeer, changes: Partial<SendRequest> = {}, ending = signal): Promise<Outcome> {
  const context = { settings: peer.settings, http, baseUrl: peer.url, signal: ending };
  return telegramBot.send(sendRequest({ to: '1000', ...changes }), context);
}

const sendText = (peer: TelegramPeer, text: string, to = '1000') => send(peer, { to, body: { text } });

/** Stops the clock by which the peer limits its bot, so that however long this machine takes, all is one moment until `pass`. */
function stoppedClock(): Disposable & { pass(ms: number): void } {
  let now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  return { pass: (ms) => void (now += ms), [Symbol.dispose]: () => clock.mockRestore() };
}

const booked = (peer: TelegramPeer) => peer.ledger().map(({ asked, sent }) => [asked, sent]);

describe('texts', () => {
  test('a text arrives as it is', async () => {
    await using peer = await startTelegramPeer();
    const text = 'Grüße <b> & "Ω" 😀\n*not bold*';
    expect(await sendText(peer, text)).toEqual({ kind: 'accepted', externalId: '1000:1' });
    expect(peer.ledger()).toMatchObject([{ chat: '1000', text, asked: 1, sent: 1, method: 'sendMessage' }]);
  });

  test('4,096 UTF-16 code units go, one more does not', async () => {
    await using peer = await startTelegramPeer();
    expect((await sendText(peer, '😀'.repeat(2_048), '@notify_channel')).kind).toBe('accepted');
    const refused = await sendText(peer, 'x'.repeat(4_097));
    expect(refused).toMatchObject({ kind: 'rejected', errorCode: 'content-rejected', providerCode: '400' });
  });

  test.each([
    ['999', 'recipient-rejected', '400: Bad Request: chat not found'],
    ['2001', 'recipient-blocked', '403: Forbidden: bot was blocked by the user'],
    ['2002', 'recipient-blocked', '403: Forbidden: user is deactivated'],
    ['2003', 'recipient-blocked', "403: Forbidden: bot can't initiate conversation with a user"],
    ['-2004', 'recipient-blocked', '403: Forbidden: bot was kicked from the group chat'],
  ])('chat %s: %s', async (to, errorCode, text) => {
    await using peer = await startTelegramPeer();
    const outcome = await sendText(peer, 'never', to);
    expect(outcome).toEqual({ kind: 'rejected', errorCode, text, providerCode: text.slice(0, 3) });
    expect(booked(peer)).toEqual([[1, 0]]);
  });

  test('a group that moved gets it at its new id, once', async () => {
    await using peer = await startTelegramPeer();
    expect(await sendText(peer, 'Hi', '-2005')).toMatchObject({ kind: 'accepted' });
    expect(peer.ledger()).toMatchObject([
      { chat: '-2005', asked: 1, sent: 0 },
      { chat: '-1002005', asked: 1, sent: 1 },
    ]);
  });
});

describe('options', () => {
  const optioned = (peer: TelegramPeer, text: string, telegram: TelegramOptions, changes = {}) =>
    send(peer, { body: { text, telegram }, ...changes });

  test.each([
    ['html', '<b>Grüße</b> <a href="https://example.com">&lt;3</a>', 'HTML'],
    ['markdown', '*Grüße* [there](https://example.com) 1\\.5', 'MarkdownV2'],
  ] as const)('a text in %s is read as such', async (format, text, mode) => {
    await using peer = await startTelegramPeer();
    expect(await optioned(peer, text, { format })).toMatchObject({ kind: 'accepted' });
    expect(peer.ledger()).toMatchObject([{ text, sent: 1, fields: { parse_mode: mode } }]);
  });

  test.each([
    ['html', '<b>bold', `Can't find end tag corresponding to start tag "b"`],
    ['html', '<b>bold</i>', 'Unmatched end tag at byte offset 7, expected "</b>", found "</i>"'],
    ['html', 'ß <script>', 'Unsupported start tag "script" at byte offset 3'],
    ['markdown', '*bold', "Can't find end of Bold entity at byte offset 0"],
    ['markdown', '1.5', "Character '.' is reserved and must be escaped with the preceding '\\'"],
  ] as const)('%s that cannot be read is refused for good: %s', async (format, text, why) => {
    await using peer = await startTelegramPeer();
    expect(await optioned(peer, text, { format })).toEqual({
      kind: 'rejected',
      errorCode: 'content-rejected',
      text: `400: Bad Request: can't parse entities: ${why}`,
      providerCode: '400',
    });
  });

  test('without options nothing is asked for', async () => {
    await using peer = await startTelegramPeer();
    await sendText(peer, 'Hi');
    expect(peer.ledger()[0]?.fields).toEqual({ chat_id: '1000', text: 'Hi' });
  });

  test('a silent text without a preview', async () => {
    await using peer = await startTelegramPeer();
    await optioned(peer, 'Hi', { silent: true, preview: false });
    expect(peer.ledger()).toMatchObject([
      { fields: { disable_notification: 'true', link_preview_options: '{"is_disabled":true}' } },
    ]);
  });

  test('the topic that the sender names goes before that of the quoted message', async () => {
    await using peer = await startTelegramPeer();
    for (const threadId of [7, 8]) peer.people.write(1000, 'Hi', { threadId });
    await send(peer, { body: { text: 'to 7' }, threadId: 7 });
    await optioned(peer, 'to 8', { threadId: 8 }, { threadId: 7 });
    expect(peer.ledger()).toMatchObject([{ threadId: 7 }, { threadId: 8 }]);
  });

  test('a topic that is not there refuses the message', async () => {
    await using peer = await startTelegramPeer();
    expect(await optioned(peer, 'Hi', { threadId: 9 })).toMatchObject({
      kind: 'rejected',
      errorCode: 'recipient-rejected',
      text: '400: Bad Request: message thread not found',
    });
  });
});

test('a long text and a long caption are cut to what Telegram takes', () => {
  const words = `${'word '.repeat(900)}👨‍👩‍👧`;
  const texts = telegramBot.split!(words, { botToken: '' }, 'readable').texts;
  expect(texts.map(({ length }) => length <= 4_096)).toEqual([true, true]);
  expect(texts.join('')).toBe(words);
  const caption = telegramBot.splitCaption!('😀 '.repeat(500), 'readable');
  expect(caption.map(({ length }) => length <= 1_024)).toEqual([true, true]);
});

describe('when Telegram misbehaves', () => {
  test.each<[TelegramAnswer, Outcome['kind'], number]>([
    ['send-and-reset', 'unknown', 1],
    ['send-and-cut', 'unknown', 1],
    ['fail', 'retry', 0],
    ['gateway-page', 'retry', 0],
    ['throttle', 'throttled', 0],
  ])('%s: %s, sent %d times', async (answer, kind, sent) => {
    await using peer = await startTelegramPeer();
    peer.behave({ answer, times: 1 });
    expect([(await sendText(peer, 'Hi')).kind, booked(peer)]).toEqual([kind, [[1, sent]]]);
  });

  test.each<[TelegramAnswer, number]>([
    ['send-and-hang', 1],
    ['hang', 0],
  ])('%s: unknown once given up, sent %d times', async (answer, sent) => {
    await using peer = await startTelegramPeer();
    peer.behave({ answer });
    const giveUp = new AbortController();
    const outcome = send(peer, {}, giveUp.signal);
    await peer.when(([entry]) => entry?.asked === 1 && entry.sent === sent);
    giveUp.abort();
    expect([(await outcome).kind, booked(peer)]).toEqual(['unknown', [[1, sent]]]);
  });

  test('half of a 403 does not break the account', async () => {
    await using peer = await startTelegramPeer();
    peer.behave({ answer: 'send-and-cut' });
    expect(await sendText(peer, 'Hi', '2001')).toMatchObject({ kind: 'retry' });
  });

  test('nothing listens: not sent', async () => {
    await using peer = await startTelegramPeer();
    await peer.listen(false);
    expect(await sendText(peer, 'Hi')).toMatchObject({ kind: 'retry', errorCode: 'provider-unreachable' });
    await peer.listen(true);
    expect(await sendText(peer, 'Hi')).toMatchObject({ kind: 'accepted' });
  });

  test('429 in the middle: every call of the bot fails until the time is over', async () => {
    await using peer = await startTelegramPeer();
    using clock = stoppedClock();
    peer.behave({ answer: 'throttle', after: 2, retryAfter: 1 });
    expect([(await sendText(peer, 'a')).kind, (await sendText(peer, 'b')).kind]).toEqual([
      'accepted',
      'accepted',
    ]);
    const told = await sendText(peer, 'c');
    expect(told).toMatchObject({ kind: 'throttled', scope: 'account' });
    const { afterMs } = told as { afterMs: number };
    expect(await sendText(peer, 'd', '1001')).toMatchObject({ kind: 'throttled' });
    expect(
      await telegramBot.verify({ settings: peer.settings, http, baseUrl: peer.url, signal }),
    ).toMatchObject({ ok: false, refused: false });
    // The provider's own clock decides here, and the adapter's wish must be enough for it.
    clock.pass(afterMs);
    expect([(await sendText(peer, 'c')).kind, (await sendText(peer, 'd', '1001')).kind]).toEqual([
      'accepted',
      'accepted',
    ]);
    expect(peer.ledger().map(({ text, sent, throttled }) => [text, sent, throttled])).toEqual([
      ['a', 1, 0],
      ['b', 1, 0],
      ['c', 1, 0],
      ['d', 1, 1],
    ]);
  });

  test('more than the bot may send in a second is a flood', async () => {
    await using peer = await startTelegramPeer();
    using _clock = stoppedClock();
    peer.floodAbove(3);
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((text) => sendText(peer, text)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'throttled',
    ]);
  });
});

describe('the token', () => {
  const contextOf = (peer: TelegramPeer, botToken = peer.settings.botToken) => {
    return { settings: { botToken }, http, baseUrl: peer.url, signal };
  };

  test('verify tells who the bot is', async () => {
    await using peer = await startTelegramPeer();
    const verified = { ok: true, detail: 'Connected as @notify_test_bot.' };
    expect(await telegramBot.verify(contextOf(peer))).toEqual(verified);
  });

  test('a wrong one breaks the connection, and shows nowhere', async () => {
    await using peer = await startTelegramPeer();
    const wrong = '110201543:WRONGwrongWRONGwrongWRONGwrong';
    const text = '401: Unauthorized. Is the bot token right?';
    expect(await telegramBot.verify(contextOf(peer, wrong))).toEqual({
      ok: false,
      refused: true,
      detail: text,
    });
    const outcome = await telegramBot.send(sendRequest({ to: '1000' }), contextOf(peer, wrong));
    expect(outcome).toEqual({ kind: 'connection-broken', text, providerCode: '401' });
  });

  test('one that was revoked works again when it is given back', async () => {
    await using peer = await startTelegramPeer();
    peer.revoke(true);
    expect(await sendText(peer, 'Hi')).toMatchObject({ kind: 'connection-broken' });
    peer.revoke(false);
    expect(await sendText(peer, 'Hi')).toMatchObject({ kind: 'accepted' });
  });
});

test('the peer runs as its own process, told and asked over its control port', async () => {
  const main = fileURLToPath(import.meta.resolve('@notify/testkit/peers/telegram-bot'));
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { url, settings, controlUrl } = JSON.parse(line) as {
      url: string;
      settings: { botToken: string };
      controlUrl: string;
    };
    const tell = (what: string, value: unknown) =>
      fetch(`${controlUrl}/${what}`, { method: 'POST', body: JSON.stringify(value) });
    await tell('behave', { answer: 'fail', times: 1 });
    await tell('chat', { chat: '77', state: 'open' });
    const request = sendRequest({ to: '77' });
    const context = { settings, http, baseUrl: url, signal };
    const kindsOf = [await telegramBot.send(request, context), await telegramBot.send(request, context)];
    expect(kindsOf.map(({ kind }) => kind)).toEqual(['retry', 'accepted']);
    const ledger = await fetch(`${controlUrl}/ledger`);
    expect(await ledger.json()).toMatchObject([{ chat: '77', asked: 2, sent: 1 }]);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

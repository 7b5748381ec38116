import { createHttpClient, type HttpClient, type HttpResult } from '@notify/egress';
import { startTelegramPeer, type TelegramPeer } from '@notify/testkit';
import type { SendContext } from '../src/adapter/channel.ts';
import type { Inbound } from '../src/adapter/inbound.ts';
import type { ReadUpdates, UpdateHook } from '../src/adapter/updates.ts';
import { telegramBot } from '../src/telegram-bot/telegram-bot.ts';
import { sendRequest } from './conformance/conformance.ts';

const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'notify-test' });
afterAll(() => http.close());

const { updates, pairingUrl, openFile } = telegramBot as Required<typeof telegramBot>;
const path = '/callbacks/telegram-bot/account/';
const hook: UpdateHook = {
  url: `https://notify.example${path}secret`,
  isOurs: (url) => new URL(url).pathname.startsWith(path),
};

type Context = SendContext<{ botToken: string }>;

function contextOf(peer: TelegramPeer, signal = new AbortController().signal): Context {
  return { settings: peer.settings, http, baseUrl: peer.url, signal };
}

async function read(peer: TelegramPeer, next: string | null = null): Promise<ReadUpdates> {
  const batch = await updates.read({ next, waitMs: 0 }, contextOf(peer));
  if (batch.kind !== 'read') throw new Error(JSON.stringify(batch));
  return batch;
}

const textsOf = ({ inbound }: ReadUpdates) =>
  inbound.map(({ body }: Inbound) => ('text' in body ? body.text : body));

describe('reading', () => {
  test('updates come again until a later number is asked for', async () => {
    await using peer = await startTelegramPeer();
    peer.people.write(1_000, 'one');
    const { updateId } = peer.people.write(1_001, 'two');
    const first = await read(peer);
    expect([textsOf(first), first.next]).toEqual([['one', 'two'], String(updateId + 1)]);
    expect(textsOf(await read(peer))).toEqual(['one', 'two']);
    peer.people.write(1_000, 'three');
    expect(textsOf(await read(peer, first.next))).toEqual(['three']);
    expect(peer.updates.history().map(({ read: times, confirmed }) => [times, confirmed])).toEqual([
      [2, true],
      [2, true],
      [1, false],
    ]);
  });

  test('waits for the first update, and asks for reactions', async () => {
    await using peer = await startTelegramPeer();
    const reading = updates.read({ next: null, waitMs: 20_000 }, contextOf(peer));
    while (!peer.updates.isPolled()) await new Promise((resolve) => setTimeout(resolve, 5));
    peer.people.react(1_000, 3, '👍');
    expect(await reading).toMatchObject({ inbound: [{ type: 'reaction', replyTo: '1000:3' }] });
  });

  test('nothing to read: no number to go on from', async () => {
    await using peer = await startTelegramPeer();
    expect(await read(peer, '77')).toMatchObject({ inbound: [], next: null });
  });

  test('a hundred long messages at once', async () => {
    await using peer = await startTelegramPeer();
    for (let index = 0; index < 150; index += 1) peer.people.write(1_000, 'ü'.repeat(4_096));
    const first = await read(peer);
    expect(first.inbound).toHaveLength(100);
    expect((await read(peer, first.next)).inbound).toHaveLength(50);
  });

  test('a second reader ends the first one', async () => {
    await using peer = await startTelegramPeer();
    const first = updates.read({ next: null, waitMs: 20_000 }, contextOf(peer));
    while (!peer.updates.isPolled()) await new Promise((resolve) => setTimeout(resolve, 5));
    await read(peer);
    expect(await first).toMatchObject({ kind: 'taken', by: 'poll' });
  });

  test('a webhook keeps readers away', async () => {
    await using peer = await startTelegramPeer();
    await peer.updates.setWebhook('https://other.example/hook');
    const batch = await updates.read({ next: null, waitMs: 0 }, contextOf(peer));
    expect(batch).toMatchObject({ kind: 'taken', by: 'webhook' });
  });

  test('pressed buttons are acknowledged afterwards', async () => {
    await using peer = await startTelegramPeer();
    const press = peer.people.press(1_000, 3, 'yes');
    const batch = await read(peer);
    expect(peer.updates.acknowledged()).toEqual([]);
    await batch.acknowledge(contextOf(peer));
    expect(peer.updates.acknowledged()).toEqual([press]);
  });

  test('many pressed buttons are acknowledged side by side, and given up together', async () => {
    await using peer = await startTelegramPeer();
    for (let index = 0; index < 100; index += 1) peer.people.press(1_000, 3, `button ${index}`);
    const batch = await read(peer);
    let open = 0;
    let most = 0;
    let asked = 0;
    const slow: HttpClient = {
      ...http,
      async request(request) {
        asked += 1;
        open += 1;
        most = Math.max(most, open);
        const signals = [AbortSignal.timeout(request.deadlineMs ?? 60_000), request.signal!];
        const end = AbortSignal.any(signals);
        await new Promise((resolve) => end.addEventListener('abort', resolve));
        open -= 1;
        return { ok: false, fault: 'timeout' } as unknown as HttpResult;
      },
    };
    await batch.acknowledge({ ...contextOf(peer), http: slow });
    expect([most, open]).toEqual([4, 0]);
    expect(asked).toBeLessThan(20);
    await batch.acknowledge(contextOf(peer));
    expect(new Set(peer.updates.acknowledged()).size).toBe(100);
  });

  test('an end of the process ends the question at once', async () => {
    await using peer = await startTelegramPeer();
    const ending = new AbortController();
    const reading = updates.read({ next: null, waitMs: 20_000 }, contextOf(peer, ending.signal));
    while (!peer.updates.isPolled()) await new Promise((resolve) => setTimeout(resolve, 5));
    ending.abort();
    expect(await reading).toMatchObject({ kind: 'failed', refused: false });
  });

  test.each([
    ['a revoked token', (peer: TelegramPeer) => peer.revoke(true), true],
    ['a fault of Telegram', (peer: TelegramPeer) => peer.updates.fail(1), false],
  ])('%s', async (_, harm, refused) => {
    await using peer = await startTelegramPeer();
    harm(peer);
    const batch = await updates.read({ next: null, waitMs: 0 }, contextOf(peer));
    expect(batch).toMatchObject({ kind: 'failed', refused });
    expect(JSON.stringify(batch)).not.toContain(peer.settings.botToken.slice(10));
  });
});

describe('subscribing', () => {
  test('sets our address, and says where ours is another one', async () => {
    await using peer = await startTelegramPeer();
    await peer.updates.setWebhook(`https://earlier.example${path}secret`);
    expect(await updates.subscribe(hook, contextOf(peer))).toEqual({ kind: 'done', detail: null });
    expect(peer.updates.webhook()).toBe(hook.url);
  });

  test.each(['subscribe', 'unsubscribe'] as const)('%s leaves the webhook of others', async (action) => {
    await using peer = await startTelegramPeer();
    await peer.updates.setWebhook('https://other.example/a-secret');
    const answer = await updates[action](hook, contextOf(peer));
    expect(answer).toMatchObject({ kind: 'taken', by: 'webhook' });
    expect(JSON.stringify(answer)).toContain('other.example');
    expect(JSON.stringify(answer)).not.toContain('a-secret');
    expect(peer.updates.webhook()).toBe('https://other.example/a-secret');
  });

  test('unsubscribes our own, so that updates can be read', async () => {
    await using peer = await startTelegramPeer();
    await updates.subscribe(hook, contextOf(peer));
    expect(await updates.unsubscribe(hook, contextOf(peer))).toEqual({ kind: 'done', detail: null });
    expect(peer.updates.webhook()).toBeNull();
    expect(await updates.unsubscribe(hook, contextOf(peer))).toEqual({ kind: 'done', detail: null });
  });

  test('an address that Telegram refuses is unreachable, and not shown', async () => {
    await using peer = await startTelegramPeer();
    const inner = { ...hook, url: `https://notify.internal${path}a-secret` };
    const answer = await updates.subscribe(inner, contextOf(peer));
    expect(answer).toMatchObject({ kind: 'unreachable' });
    expect(JSON.stringify(answer)).not.toContain('a-secret');
  });

  test('tells what Telegram complains about', async () => {
    await using peer = await startTelegramPeer();
    peer.updates.route('https://notify.example', 'http://127.0.0.1:1');
    await updates.subscribe(hook, contextOf(peer));
    peer.people.write(1_000, 'Hello');
    await peer.updates.when((history) => history.some(({ posted }) => posted > 1));
    const answer = await updates.subscribe(hook, contextOf(peer));
    expect(answer).toMatchObject({ kind: 'done' });
    expect((answer as { detail: string }).detail).toMatch(/cannot deliver/);
  });

  test('a revoked token is refused', async () => {
    await using peer = await startTelegramPeer();
    peer.revoke(true);
    expect(await updates.subscribe(hook, contextOf(peer))).toMatchObject({ kind: 'failed', refused: true });
  });
});

describe('files', () => {
  async function sent(peer: TelegramPeer, bytes: Buffer) {
    const { fileId } = peer.people.sendFile(1_000, { kind: 'document', bytes, mimeType: 'text/plain' });
    const [message] = (await read(peer)).inbound;
    return { fileId, file: message!.file };
  }

  test('a file arrives whole', async () => {
    await using peer = await startTelegramPeer();
    const bytes = Buffer.alloc(3_000_000, 'x');
    const { file } = await sent(peer, bytes);
    const opened = await openFile(file, contextOf(peer));
    if (opened.kind !== 'file') throw new Error(opened.detail);
    expect(opened).toMatchObject({ mimeType: 'text/plain', bytes: 3_000_000 });
    expect(Buffer.concat(await Array.fromAsync(opened.content)).equals(bytes)).toBe(true);
  });

  test.each([
    ['Telegram has dropped it', 1, (peer: TelegramPeer, id: string) => peer.people.dropFile(id), 'expired'],
    ['it has more than 20 MB', 20 * 1_048_576 + 1, () => undefined, 'expired'],
    ['the token was revoked', 1, (peer: TelegramPeer) => peer.revoke(true), 'unavailable'],
    ['Telegram has a fault', 1, (peer: TelegramPeer) => peer.updates.fail(1), 'unavailable'],
  ])('%s', async (_, size, harm, kind) => {
    await using peer = await startTelegramPeer();
    const { fileId, file } = await sent(peer, Buffer.alloc(size));
    harm(peer, fileId);
    const opened = await openFile(file, contextOf(peer));
    expect(opened.kind).toBe(kind);
    expect(JSON.stringify(opened)).not.toContain(peer.settings.botToken.slice(10));
  });

  test.each([null, {}, { id: 5 }, 'x'])('%j names no file', async (file) => {
    await using peer = await startTelegramPeer();
    expect((await openFile(file, contextOf(peer))).kind).toBe('expired');
  });
});

describe('links for pairing', () => {
  test('name the bot', async () => {
    await using peer = await startTelegramPeer();
    const url = 'https://t.me/notify_test_bot?start=A-b_9';
    expect(await pairingUrl('A-b_9', contextOf(peer))).toEqual({ kind: 'url', url });
  });

  test('need a working token', async () => {
    await using peer = await startTelegramPeer();
    peer.revoke(true);
    expect(await pairingUrl('A-b_9', contextOf(peer))).toMatchObject({ kind: 'failed', refused: true });
  });
});

describe('replies', () => {
  test.each([
    ['a message of the chat', '1000:3', 3],
    ['a message that an earlier version sent', '3', 3],
    ['a message of another chat', '1001:3', null],
    ['a pressed button', 'press:77', null],
  ])('%s', async (_, externalId, quoted) => {
    await using peer = await startTelegramPeer();
    const replyTo = { externalId, isInbound: true, text: null };
    await telegramBot.send(sendRequest({ to: '1000', body: { text: 'Hi' }, replyTo }), contextOf(peer));
    expect(peer.ledger()).toMatchObject([{ sent: 1, replyTo: quoted }]);
  });
});

import type { ChatState } from '@notify/core';
import { createHttpClient } from '@notify/egress';
import {
  type CloudPeer,
  startTelegramPeer,
  startWhatsappCloudPeer,
  type TelegramPeer,
} from '@notify/testkit';
import { telegramBot } from '../src/telegram-bot/telegram-bot.ts';
import { whatsappCloud } from '../src/whatsapp-cloud/whatsapp-cloud.ts';
import { context } from './whatsapp-cloud-account.ts';

/** What the adapters tell people, at peers that behave as their providers do. */

const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'notify-test' });
afterAll(() => http.close());
const { signal } = new AbortController();

describe('WhatsApp Cloud API', () => {
  const tell = (peer: CloudPeer, state: ChatState, externalIds: readonly string[]) =>
    whatsappCloud.tell!({ state, to: '+491511234567', externalIds, threadId: null }, context(peer));

  async function peerWith(...ids: string[]): Promise<CloudPeer> {
    const peer = await startWhatsappCloudPeer();
    await peer.write(ids.map((id) => ({ id, from: '491511234567', type: 'text', text: { body: 'Hi' } })));
    return peer;
  }

  test('marks the newest message as read, and with typing shows that, too', async () => {
    await using peer = await peerWith('wamid.1', 'wamid.2');
    expect(await tell(peer, 'read', ['wamid.2', 'wamid.1'])).toEqual({ delivered: true });
    expect(await tell(peer, 'typing', ['wamid.2'])).toEqual({ delivered: true });
    const { phoneNumberId } = peer.settings() as { phoneNumberId: string };
    expect(peer.told()).toEqual([
      { phoneNumberId, messageId: 'wamid.2', typing: false },
      { phoneNumberId, messageId: 'wamid.2', typing: true },
    ]);
    expect(peer.ledger()).toEqual([]);
  });

  test('without a message of the person there is nothing to tell, and nobody is asked', async () => {
    await using peer = await peerWith();
    for (const state of ['read', 'typing'] as const)
      expect(await tell(peer, state, [])).toEqual({ delivered: false, reason: 'no-message' });
    expect(peer.told()).toEqual([]);
  });

  test.each([
    ['an unknown message', {}, 'wamid.unknown', 'refused'],
    ['the rate of the number', { answer: { error: 130429 } }, 'wamid.1', 'rate-limited'],
    ['the rate of the app', { answer: { error: 4 } }, 'wamid.1', 'rate-limited'],
    ['a token that has expired', { answer: { error: 190 } }, 'wamid.1', 'not-connected'],
    ['an outage', { answer: { error: 131016 } }, 'wamid.1', 'unavailable'],
    ['a connection that breaks', { answer: 'reset' }, 'wamid.1', 'unavailable'],
  ] as const)('%s', async (_, behaviour, id, reason) => {
    await using peer = await peerWith('wamid.1');
    peer.behave(behaviour);
    expect(await tell(peer, 'typing', [id])).toEqual({ delivered: false, reason });
  });
});

describe('Telegram', () => {
  const tell = (peer: TelegramPeer, state: ChatState, to = '1000', threadId: number | null = null) =>
    telegramBot.tell!(
      { state, to, externalIds: [], threadId },
      { settings: peer.settings, http, baseUrl: peer.url, signal },
    );

  test('shows that the bot types, also in a group that has moved, and counts as no message', async () => {
    await using peer = await startTelegramPeer();
    expect(await tell(peer, 'typing')).toEqual({ delivered: true });
    expect(await tell(peer, 'typing', '-2005')).toEqual({ delivered: true });
    expect(peer.typing()).toEqual([
      { chat: '1000', threadId: null },
      { chat: '-1002005', threadId: null },
    ]);
    expect(peer.ledger()).toEqual([]);
  });

  test('types in the topic of the message, also where the group has moved', async () => {
    await using peer = await startTelegramPeer();
    peer.people.write(-1_002_005, 'Hi', { threadId: 42 });
    for (const to of ['-1002005', '-2005'])
      expect(await tell(peer, 'typing', to, 42)).toEqual({ delivered: true });
    const shown = { chat: '-1002005', threadId: 42 };
    expect(peer.typing()).toEqual([shown, shown]);
  });

  test('has nowhere to show it if the topic is gone', async () => {
    await using peer = await startTelegramPeer();
    expect(await tell(peer, 'typing', '-1002005', 7)).toEqual({ delivered: false, reason: 'refused' });
    expect(peer.typing()).toEqual([]);
  });

  test('has no read marks', async () => {
    await using peer = await startTelegramPeer();
    expect(await tell(peer, 'read')).toEqual({ delivered: false, reason: 'not-supported' });
  });

  test.each([
    ['a chat that blocked the bot', '2001', 'refused'],
    ['an unknown chat', '999', 'refused'],
  ])('%s', async (_, to, reason) => {
    await using peer = await startTelegramPeer();
    expect(await tell(peer, 'typing', to)).toEqual({ delivered: false, reason });
    expect(peer.typing()).toEqual([]);
  });

  test('is told of a pause, of an outage and of a token that was taken back', async () => {
    await using peer = await startTelegramPeer();
    for (const [answer, reason] of [
      ['fail', 'unavailable'],
      ['gateway-page', 'unavailable'],
      ['throttle', 'rate-limited'],
    ] as const) {
      peer.behave({ answer, times: 1 });
      expect(await tell(peer, 'typing')).toEqual({ delivered: false, reason });
    }
    peer.revoke(true);
    expect(await tell(peer, 'typing')).toEqual({ delivered: false, reason: 'not-connected' });
  });
});

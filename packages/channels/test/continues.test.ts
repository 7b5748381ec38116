import {
  type Receiver,
  startContinuingProxy,
  startReceiver,
  startSmsGateway,
  startTelegramPeer,
  startTwilioPeer,
  startVonagePeer,
  startWhatsappCloudPeer,
} from '@notify/testkit';
import { openLine } from './peers.ts';

/** A provider's peer, which books how often it was asked to send. */
interface Booked extends AsyncDisposable {
  readonly url: string;
  readonly settings: unknown;
  ledger(): readonly { readonly asked: number }[];
}

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const started: Readonly<Record<string, () => Promise<Booked>>> = {
  twilio: startTwilioPeer,
  vonage: startVonagePeer,
  'http-sms': startSmsGateway,
  'telegram-bot': startTelegramPeer,
  async 'whatsapp-cloud'() {
    const peer = await startWhatsappCloudPeer();
    return { ...peer, settings: peer.settings(), ledger: () => peer.ledger() };
  },
};

test.each(Object.keys(started))(
  '%s behind a proxy that sends 100 unasked gets each message once, on one connection too',
  async (provider) => {
    await using peer = await started[provider]!();
    await using proxy = await startContinuingProxy(peer.url);
    const settings =
      provider === 'http-sms' ? { ...(peer.settings as object), url: `${proxy.url}/send` } : peer.settings;
    await using line = openLine(provider, proxy.url, settings, receiver);
    for (const messageId of [
      '01981000-0000-7000-8000-000000000001',
      '01981000-0000-7000-8000-000000000002',
    ]) {
      const to = provider === 'telegram-bot' ? '1000' : '+491511234567';
      expect(await line.send({ messageId, to })).toMatchObject({ kind: 'accepted' });
    }
    expect(await line.verify()).toMatchObject({ ok: true });
    expect(peer.ledger().reduce((sum, { asked }) => sum + asked, 0)).toBe(2);
  },
);

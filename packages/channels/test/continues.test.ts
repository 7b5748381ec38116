import { peers, type Receiver, startContinuingProxy, startReceiver } from '@notify/testkit';
import { openLine } from './peers.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test.each(Object.entries(peers))(
  '%s behind a proxy that sends 100 unasked gets each message once, on one connection too',
  async (provider, { start, recipient: to }) => {
    await using peer = await start();
    await using proxy = await startContinuingProxy(peer.url);
    const text = JSON.stringify(peer.settings).replaceAll(new URL(peer.url).origin, proxy.url);
    await using line = openLine(provider, proxy.url, JSON.parse(text), receiver);
    for (const messageId of ['01981000-0000-7000-8000-000000000001', '01981000-0000-7000-8000-000000000002'])
      expect(await line.send({ messageId, to })).toMatchObject({ kind: 'accepted' });
    expect(await line.verify()).toMatchObject({ ok: true });
    expect(peer.ledger().reduce((sum, { asked }) => sum + asked, 0)).toBe(2);
  },
);

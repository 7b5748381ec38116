import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWhatsappPeer, type WhatsappPeer } from '../client.ts';
import { newSession, open } from './plain-client.ts';

let peer: WhatsappPeer;
beforeAll(async () => void (peer = await startWhatsappPeer()));
afterAll(() => peer.stop());

test('a client is linked by a scan, comes again, and its text is acknowledged, read by the recipient and delivered', async () => {
  await using client = await open(peer, newSession(), '15550000001');
  await client.text('15550000002', 'hello', 'FIRST');
  await client.until(() => client.acks.has('FIRST') && client.statuses.has('FIRST'));
  expect(client.acks.get('FIRST')).toBeNull();
  expect(client.statuses.get('FIRST')).toEqual([3]);
  const { messages, connections } = await peer.log();
  expect(messages).toMatchObject([
    { id: 'FIRST', from: '15550000001:1@s.whatsapp.net', to: '15550000002', kind: 'text', text: 'hello' },
  ]);
  expect(connections.map(({ ended }) => ended)).toEqual(['515', null]);
});

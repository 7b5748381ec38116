import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWhatsappPeer, type WhatsappPeer } from '../client.ts';
import { newSession, open, type PlainClient } from './plain-client.ts';

const account = '15550300001';
const session = newSession();
let peer: WhatsappPeer;
let client: PlainClient;
beforeAll(async () => {
  peer = await startWhatsappPeer();
  client = await open(peer, session, account);
});
afterAll(async () => {
  await client.socket.end(undefined);
  await peer.stop();
});

const [delivered, read] = [3, 4];

test('receipts come late and in order, or out of order, as configured for each number', async () => {
  await peer.behave({ number: '15550300002', receipts: { deliveredAfterMs: 0, readAfterMs: 60 } });
  await peer.behave({ number: '15550300003', receipts: { deliveredAfterMs: 60, readAfterMs: 0 } });
  await client.text('15550300002', 'in order', 'IN-ORDER');
  await client.text('15550300003', 'out of order', 'OUT-OF-ORDER');
  await client.until(() => both('IN-ORDER') && both('OUT-OF-ORDER'));
  expect(client.receipts.get('IN-ORDER')).toEqual(['delivered', 'read']);
  expect(client.receipts.get('OUT-OF-ORDER')).toEqual(['read', 'delivered']);
});

test('only manual receipts come if none are configured', async () => {
  await peer.behave({ account, receipts: { deliveredAfterMs: null, readAfterMs: null } });
  await client.text('15550300004', 'silence', 'SILENCE');
  await client.until(() => client.acks.has('SILENCE'));
  await peer.sendReceipt({ account, from: '15550300004', id: 'SILENCE', kind: 'read' });
  await client.until(() => client.statuses.has('SILENCE'));
  expect(client.statuses.get('SILENCE')).toEqual([read]);
  await peer.behave({ account, receipts: null });
});

test('a missed receipt is sent when the client is back, and no longer after its acknowledgement', async () => {
  await client.socket.end(undefined);
  await peer.when(({ accounts }) => accounts.every(({ connected }) => !connected));
  await peer.sendReceipt({ account, from: '15550300004', id: 'MISSED', kind: 'delivered' });
  client = await open(peer, session, account);
  await client.until(() => client.statuses.has('MISSED'));
  expect(client.statuses.get('MISSED')).toEqual([delivered]);
  await peer.when(({ accounts }) => accounts.every(({ unacknowledged }) => unacknowledged === 0));
});

function both(id: string): boolean {
  return client.receipts.get(id)?.length === 2;
}

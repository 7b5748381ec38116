import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { overlaps, startWhatsappPeer, type WhatsappPeer } from '../client.ts';
import { connect, newSession, open, qrOf } from './plain-client.ts';

let peer: WhatsappPeer;
beforeAll(async () => void (peer = await startWhatsappPeer()));
afterAll(() => peer.stop());

test('a client is linked by a scan, reconnects, and its text is acknowledged, read by the recipient and delivered', async () => {
  await using client = await open(peer, newSession(), '15550000001');
  await client.text('15550000002', 'hello', 'FIRST');
  await client.until(() => client.acks.has('FIRST') && client.statuses.has('FIRST'));
  expect(client.acks.get('FIRST')).toBeNull();
  expect(client.statuses.get('FIRST')).toEqual([3]);
  const { messages, connections, accounts } = await peer.log();
  expect(messages).toMatchObject([
    { id: 'FIRST', from: '15550000001:1@s.whatsapp.net', to: '15550000002', kind: 'text', text: 'hello' },
  ]);
  expect(connections.map(({ ended }) => ended)).toEqual(['515', null]);
  expect(accounts).toMatchObject([{ phone: '15550000001', connected: true, preKeys: 812 }]);
});

test('a QR code is valid for one scan, and invalid after its client has left', async () => {
  const client = connect(peer, newSession());
  const qr = await qrOf(client);
  await peer.scan(qr, '15550000011');
  await expect(peer.scan(qr, '15550000012')).rejects.toThrow('no client offers this QR code');
  expect(await client.closed()).toBe(515);
  const other = connect(peer, newSession());
  const late = await qrOf(other);
  await other.socket.end(undefined);
  await peer.when(({ connections }) => connections.at(-1)?.closedAt !== null);
  await expect(peer.scan(late, '15550000012')).rejects.toThrow('no client offers this QR code');
});

test('a client that waits for a scan has its pings answered', async () => {
  await using client = connect(peer, newSession());
  await qrOf(client);
  const ping = { tag: 'iq', attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:p' } };
  expect(await client.socket.query(ping)).toMatchObject({ attrs: { type: 'result' } });
});

test('a phone links a second client as its second device', async () => {
  await using first = await open(peer, newSession(), '15550000021');
  await using second = await open(peer, newSession(), '15550000021');
  expect(first.socket.user?.id).toBe('15550000021:1@s.whatsapp.net');
  expect(second.socket.user?.id).toBe('15550000021:2@s.whatsapp.net');
  expect(overlaps((await peer.log()).connections)).toEqual([]);
});

test('a client is linked by a code entered on the phone', async () => {
  const session = newSession();
  const client = connect(peer, session);
  await qrOf(client);
  const code = await client.socket.requestPairingCode('15550000031');
  await peer.when(({ codeRequests }) => codeRequests.includes('15550000031'));
  await peer.enterCode(code, '15550000031');
  expect(await client.closed()).toBe(515);
  await using again = await open(peer, session, '15550000031');
  expect(again.socket.user?.id).toBe('15550000031:1@s.whatsapp.net');
});

test('a wrong code links nothing', async () => {
  await using client = connect(peer, newSession());
  await qrOf(client);
  const code = await client.socket.requestPairingCode('15550000041');
  await peer.when(({ codeRequests }) => codeRequests.includes('15550000041'));
  const wrong = code === 'AAAAAAAA' ? 'BBBBBBBB' : 'AAAAAAAA';
  await expect(peer.enterCode(wrong, '15550000041')).rejects.toThrow('/enter-code');
  const { rejected, accounts } = await peer.log();
  expect(rejected).toContainEqual(expect.objectContaining({ from: '15550000041', what: 'pairing code' }));
  expect(accounts.filter(({ phone }) => phone === '15550000041')).toEqual([]);
});

test('a certificate that the root has not signed ends the handshake with 400', async () => {
  await peer.forgeCertificate(true);
  const client = connect(peer, newSession());
  expect(await client.closed()).toBe(400);
  await peer.forgeCertificate(false);
  await using other = connect(peer, newSession());
  expect(await qrOf(other)).toContain('#');
});

test('a session opened twice ends the first connection with 440, and the log shows both at once', async () => {
  const session = newSession();
  const first = await open(peer, session, '15550000051');
  await using second = await open(peer, session, '15550000051');
  expect(await first.closed()).toBe(440);
  await second.text('15550000002', 'still here', 'AFTER-CONFLICT');
  await second.until(() => second.acks.has('AFTER-CONFLICT'));
  const { connections } = await peer.log();
  const pairs = overlaps(connections);
  expect(pairs).toMatchObject([[{ jid: '15550000051:1@s.whatsapp.net', ended: 'conflict' }, {}]]);
  expect(pairs[0]?.[0].replacedBy).toBe(pairs[0]?.[1].id);
});

test('a device removed by the phone is disconnected with 401 and cannot log in again', async () => {
  const session = newSession();
  const client = await open(peer, session, '15550000061');
  await peer.unlink('15550000061');
  expect(await client.closed()).toBe(401);
  expect(await connect(peer, session).closed()).toBe(401);
  const { accounts } = await peer.log();
  expect(accounts).toContainEqual(expect.objectContaining({ phone: '15550000061', loggedOut: true }));
});

test('a client that logs out is gone from the phone', async () => {
  const client = await open(peer, newSession(), '15550000071');
  await client.socket.logout();
  const { accounts } = await peer.when((log) =>
    log.accounts.some(({ phone, loggedOut }) => phone === '15550000071' && loggedOut),
  );
  expect(accounts.filter(({ phone }) => phone === '15550000071')).toMatchObject([{ loggedOut: true }]);
});

test('a session with another key than the linked one is refused', async () => {
  const session = newSession();
  await (await open(peer, session, '15550000081')).socket.end(undefined);
  const stranger = { ...session, creds: { ...session.creds, noiseKey: newSession().creds.noiseKey } };
  expect(await connect(peer, stranger).closed()).toBe(401);
});

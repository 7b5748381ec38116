import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type Receiver,
  startReceiver,
  startVonagePeer,
  type VonageBehaviour,
  type VonagePeer,
} from '@notify/testkit';
import { sendRequest } from './conformance/conformance.ts';
import { openLine, statusesOf } from './peers.ts';

const { messageId } = sendRequest();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const lineTo = (peer: VonagePeer, settings: object = peer.settings) =>
  openLine('vonage', peer.url, settings, receiver);

test('a text goes out and is reported sent, then delivered', async () => {
  await using peer = await startVonagePeer();
  await using line = lineTo(peer);
  const outcome = await line.send({ body: { text: 'Grüße & 100 % "Ω" 😀' } });
  expect(outcome).toEqual({ kind: 'accepted', externalId: peer.ledger()[0]?.externalIds[0] });
  expect(peer.ledger()).toMatchObject([{ id: messageId, to: '4915112345678', text: 'Grüße & 100 % "Ω" 😀' }]);
  await receiver.atLeast(2);
  expect(receiver.received.map((each) => line.read(each))).toMatchObject([
    { receipts: [{ messageId, part: null, status: 'sent' }] },
    { receipts: [{ messageId, part: null, status: 'delivered' }] },
  ]);
});

test('a sender by prefix is chosen by the number', async () => {
  await using peer = await startVonagePeer();
  const senders = [{ prefix: '+4915', from: '+447700900001' }];
  await using line = lineTo(peer, { ...peer.settings, senders });
  expect(await line.send()).toMatchObject({ note: 'Sent from +447700900001, by the prefix +4915.' });
  await line.send({ to: '+447700900123', messageId: '01912d68-783e-7a52-9d3a-6c4f2b1e8a91' });
  expect(peer.ledger().map(({ from }) => from)).toEqual(['447700900001', 'Notify']);
});

test('parts are reported each by itself, out of order, twice, and before the answer', async () => {
  await using peer = await startVonagePeer();
  await using line = lineTo(peer);
  const reports = ['read', 'delivered', 'delivered', 'submitted'] as const;
  peer.behave({ reports: reports.map((status) => ({ status })), early: true });
  expect(await line.send({ part: 1, parts: 2, text: 'second' })).toMatchObject({ kind: 'accepted' });
  const read = receiver.received.map((each) => line.read(each));
  expect(read.flatMap(statusesOf)).toEqual(['read', 'delivered', 'delivered', 'sent']);
  expect(read[0]).toMatchObject({ receipts: [{ messageId, part: 1 }] });
});

test('what fails later is reported with its error', async () => {
  await using peer = await startVonagePeer();
  await using line = lineTo(peer);
  await line.send({ to: '+49151001180' });
  await receiver.atLeast(2);
  expect(line.read(receiver.received[1]!)).toMatchObject({
    receipts: [{ status: 'failed', errorCode: 'recipient-unreachable', providerCode: '1180' }],
  });
});

test.each<[VonageBehaviour, object, number]>([
  [{ answer: { status: 429, code: 'throttled' }, retryAfter: '3' }, { kind: 'throttled', afterMs: 3_000 }, 1],
  [{ answer: { status: 422, code: '1070' } }, { kind: 'connection-broken', providerCode: '1070' }, 1],
  [{ answer: { status: 402, code: 'low-balance' } }, { kind: 'connection-broken' }, 1],
  [{ answer: { status: 403, code: 'forbidden' } }, { kind: 'connection-broken' }, 1],
  [{ answer: { status: 422, code: '1170' } }, { kind: 'rejected', errorCode: 'recipient-rejected' }, 1],
  [{ answer: { status: 500, code: 'internal' } }, { kind: 'retry' }, 1],
  [{ answer: 'hang' }, { kind: 'unknown' }, 2],
  [{ answer: 'reset' }, { kind: 'unknown' }, 2],
])('%j once, then taken', async (behaviour, expected, taken) => {
  await using peer = await startVonagePeer();
  await using line = lineTo(peer);
  peer.behave({ ...behaviour, times: 1 });
  expect(await line.send()).toMatchObject(expected);
  expect(await line.send()).toMatchObject({ kind: 'accepted' });
  expect(peer.ledger().map(({ asked, externalIds }) => [asked, externalIds.length])).toEqual([[2, taken]]);
});

test('a key that is not the application’s holds the account', async () => {
  await using peer = await startVonagePeer();
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await using line = lineTo(peer, { ...peer.settings, privateKey });
  expect(await line.send()).toMatchObject({ kind: 'connection-broken', providerCode: 'unauthorized' });
  expect(await line.verify()).toMatchObject({ ok: false, refused: true });
});

test.each([604_800_000, 86_400_000, 10_000, 0])(
  'a lifetime of %d ms is within the limits of Vonage',
  async (lifetimeMs) => {
    await using peer = await startVonagePeer();
    await using line = lineTo(peer);
    expect(await line.send({ lifetimeMs })).toMatchObject({ kind: 'accepted' });
  },
);

test('verify sends nothing', async () => {
  await using peer = await startVonagePeer();
  await using line = lineTo(peer);
  expect((await line.verify()).ok).toBe(true);
  expect(peer.ledger()).toEqual([]);
});

test('the peer runs as its own process, told and asked over its control port', async () => {
  const main = fileURLToPath(import.meta.resolve('@notify/testkit/peers/vonage'));
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [shown] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { url, settings, controlUrl } = JSON.parse(shown) as Record<'url' | 'controlUrl', string> & {
      settings: object;
    };
    await using line = openLine('vonage', url, settings, receiver);
    const body = JSON.stringify({ answer: { status: 429, code: 'throttled' }, times: 1 });
    await fetch(`${controlUrl}/behave`, { method: 'POST', body });
    expect([(await line.send()).kind, (await line.send()).kind]).toEqual(['throttled', 'accepted']);
    expect(await (await fetch(`${controlUrl}/ledger`)).json()).toMatchObject([{ id: messageId, asked: 2 }]);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

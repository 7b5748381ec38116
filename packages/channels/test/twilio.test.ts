import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type Receiver,
  startReceiver,
  startTwilioPeer,
  type TwilioBehaviour,
  type TwilioPeer,
} from '@notify/testkit';
import { sendRequest } from './conformance/conformance.ts';
import { openLine, statusesOf } from './peers.ts';

const { messageId, to } = sendRequest();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const lineTo = (peer: TwilioPeer, settings: object = peer.settings) =>
  openLine('twilio', peer.url, settings, receiver);

/** Waits for so many callbacks and reads them. */
async function statuses(line: ReturnType<typeof lineTo>, count: number) {
  await receiver.atLeast(count);
  return receiver.received.slice(0, count).flatMap((each) => statusesOf(line.read(each)));
}

test('a text goes out and is reported sent, then delivered', async () => {
  await using peer = await startTwilioPeer();
  await using line = lineTo(peer);
  const outcome = await line.send({ body: { text: 'Grüße & 100 % "Ω" 😀 + a=b' } });
  expect(outcome).toEqual({ kind: 'accepted', externalId: expect.stringMatching(/^SM\d{32}$/) });
  expect(peer.ledger()).toMatchObject([{ id: messageId, to, text: 'Grüße & 100 % "Ω" 😀 + a=b', asked: 1 }]);
  expect(await statuses(line, 3)).toEqual(['sent', 'delivered']);
  expect(line.read(receiver.received[2]!)).toMatchObject({ receipts: [{ messageId, part: null }] });
});

test('parts are reported each by itself, out of order and twice as it comes', async () => {
  await using peer = await startTwilioPeer();
  await using line = lineTo(peer);
  peer.behave({ reports: [{ status: 'delivered' }, { status: 'sent' }, { status: 'sent' }], early: true });
  await line.send({ part: 1, parts: 2, text: 'second' });
  expect(await statuses(line, 3)).toEqual(['delivered', 'sent', 'sent']);
  expect(line.read(receiver.received[0]!)).toMatchObject({ receipts: [{ messageId, part: 1 }] });
});

test.each([604_800_000, 36_000_999, 1_500, 0])(
  'a lifetime of %d ms is within the limits of Twilio',
  async (lifetimeMs) => {
    await using peer = await startTwilioPeer();
    await using line = lineTo(peer);
    expect(await line.send({ lifetimeMs })).toMatchObject({ kind: 'accepted' });
  },
);

test('a recipient that cannot be reached is reported', async () => {
  await using peer = await startTwilioPeer();
  await using line = lineTo(peer);
  await line.send({ to: '+491511130003' });
  await receiver.atLeast(2);
  expect(line.read(receiver.received[1]!)).toMatchObject({
    receipts: [{ status: 'failed', errorCode: 'recipient-unreachable', providerCode: '30003' }],
  });
});

test.each([
  ['+15005550001', { kind: 'rejected', errorCode: 'recipient-rejected', providerCode: '21211' }],
  ['+15005550002', { kind: 'rejected', errorCode: 'recipient-rejected', providerCode: '21612' }],
  ['+15005550003', { kind: 'rejected', errorCode: 'recipient-rejected', providerCode: '21408' }],
  ['+15005550004', { kind: 'rejected', errorCode: 'recipient-opted-out', providerCode: '21610' }],
  ['+15005550009', { kind: 'rejected', errorCode: 'recipient-rejected', providerCode: '21614' }],
])('to the magic number %s', async (number, expected) => {
  await using peer = await startTwilioPeer();
  await using line = lineTo(peer);
  expect(await line.send({ to: number })).toMatchObject(expected);
});

test.each<[string, object, object]>([
  ['another number', { from: '+15005550099' }, { kind: 'connection-broken', providerCode: '21659' }],
  ['a number of nobody', { from: '+15005550007' }, { kind: 'connection-broken', providerCode: '21606' }],
  ['a sender with a full queue', { from: '+15005550008' }, { kind: 'throttled', afterMs: 600_000 }],
  ['a wrong token', { authToken: 'wrong' }, { kind: 'connection-broken', providerCode: '20003' }],
])('from %s', async (_, changes, expected) => {
  await using peer = await startTwilioPeer();
  await using line = lineTo(peer, { ...peer.settings, ...changes });
  expect(await line.send()).toMatchObject(expected);
});

describe('a sender by prefix', () => {
  const second = '+15005550010';

  test('is chosen by the number, and the answer to it arrives', async () => {
    await using peer = await startTwilioPeer();
    await using line = lineTo(peer, { ...peer.settings, senders: [{ prefix: '+4915', from: second }] });
    peer.setIncoming(`${receiver.url}/callbacks/p/a/s`);
    await line.send();
    await line.send({ to: '+447700900123', messageId: '01912d68-783e-7a52-9d3a-6c4f2b1e8a91' });
    expect(peer.ledger().map(({ from }) => from)).toEqual([second, peer.settings.from]);
    await receiver.atLeast(4);
    await peer.text(to, 'STOP');
    expect(line.readInbound(receiver.received.at(-1)!)).toMatchObject([{ from: to, consent: 'opted-out' }]);
  });

  test('stands beside a Messaging Service that has it', async () => {
    await using peer = await startTwilioPeer();
    const { accountSid, authToken } = peer.settings;
    const { messagingServiceSid } = peer;
    const senders = [
      { prefix: '+49', from: second },
      { prefix: '+44', from: '+447700900001' },
    ];
    await using line = lineTo(peer, { accountSid, authToken, messagingServiceSid, senders });
    await line.send();
    expect(
      await line.send({ to: '+33612345678', messageId: '01912d68-783e-7a52-9d3a-6c4f2b1e8a91' }),
    ).toMatchObject({
      kind: 'accepted',
      note: 'Sent without a sender, because no prefix fits.',
    });
    expect(peer.ledger().map(({ from }) => from)).toEqual([second, messagingServiceSid]);
    expect(await line.send({ to: '+447700900123' })).toMatchObject({
      kind: 'rejected',
      errorCode: 'sender-rejected',
      providerCode: '21711',
    });
  });

  test.each([
    ['+15005550099', '21659'],
    ['+15005550007', '21606'],
  ])('that is wrong (%s) fails its messages and nothing more', async (from, providerCode) => {
    await using peer = await startTwilioPeer();
    await using line = lineTo(peer, { ...peer.settings, senders: [{ prefix: '+49', from }] });
    expect(await line.send()).toMatchObject({
      kind: 'rejected',
      errorCode: 'sender-rejected',
      providerCode,
      text: expect.stringContaining(`(sent from ${from}, by the prefix +49)`),
    });
    expect(await line.send({ to: '+447700900123' })).toMatchObject({ kind: 'accepted' });
  });
});

test.each<[TwilioBehaviour, object, number]>([
  [{ answer: { error: 20429 }, retryAfter: '3' }, { kind: 'throttled', afterMs: 3_000 }, 1],
  [{ answer: { error: 30002 } }, { kind: 'connection-broken', providerCode: '30002' }, 1],
  [{ answer: { error: 21217 } }, { kind: 'rejected', errorCode: 'recipient-rejected' }, 1],
  [{ answer: { error: 20503 }, retryAfter: '2' }, { kind: 'retry', afterMs: 2_000 }, 1],
  [{ answer: { status: 502 } }, { kind: 'retry', providerCode: '502' }, 1],
  [{ answer: 'hang' }, { kind: 'unknown' }, 2],
  [{ answer: 'reset' }, { kind: 'unknown' }, 2],
])('%j once, then taken', async (behaviour, expected, taken) => {
  await using peer = await startTwilioPeer();
  await using line = lineTo(peer);
  peer.behave({ ...behaviour, times: 1 });
  expect(await line.send()).toMatchObject(expected);
  expect(await line.send()).toMatchObject({ kind: 'accepted' });
  expect(peer.ledger().map(({ asked, externalIds }) => [asked, externalIds.length])).toEqual([[2, taken]]);
});

describe('opting out', () => {
  test('STOP is heard and obeyed, START lifts it', async () => {
    await using peer = await startTwilioPeer();
    await using line = lineTo(peer);
    receiver.behave({ body: '<Response/>', headers: { 'content-type': 'text/xml' } });
    peer.setIncoming(`${receiver.url}/callbacks/p/a/s`);
    expect(await peer.text(to, 'STOP')).toBe(200);
    expect(line.readInbound(receiver.received[0]!)).toMatchObject([{ from: to, consent: 'opted-out' }]);
    expect(await line.send()).toMatchObject({ kind: 'rejected', errorCode: 'recipient-opted-out' });
    await peer.text(to, 'START');
    expect(line.readInbound(receiver.received[1]!)).toMatchObject([{ from: to, consent: 'opted-in' }]);
    expect(await line.send()).toMatchObject({ kind: 'accepted' });
  });

  test("without Advanced Opt-Out the account's words judge START", async () => {
    await using peer = await startTwilioPeer(0, { advancedOptOut: false });
    await using line = lineTo(peer);
    peer.setIncoming(`${receiver.url}/callbacks/p/a/s`);
    await peer.text(to, 'START');
    const [read] = line.readInbound(receiver.received[0]!);
    expect(read).toMatchObject({ from: to, body: { text: 'START' } });
    expect(read).not.toHaveProperty('consent');
  });

  test('a Messaging Service takes the message and says so later', async () => {
    await using peer = await startTwilioPeer();
    const { accountSid, authToken } = peer.settings;
    const { messagingServiceSid } = peer;
    await using line = lineTo(peer, { accountSid, authToken, messagingServiceSid, ...peer.apiKey });
    await peer.text(to, 'STOP');
    expect(await line.send()).toMatchObject({ kind: 'accepted' });
    await receiver.atLeast(1);
    expect(line.read(receiver.received[0]!)).toMatchObject({
      receipts: [{ messageId, status: 'failed', errorCode: 'recipient-opted-out' }],
      consents: [{ recipient: to, optedOut: true }],
    });
  });
});

describe('verify', () => {
  test.each<[string, (peer: TwilioPeer) => object, boolean, RegExp]>([
    ['the token', (peer) => peer.settings, true, /^Connected to Peer Shop\.$/],
    ['token and key', (peer) => ({ ...peer.settings, ...peer.apiKey }), true, /Connected/],
    [
      'the key alone',
      ({ settings: { accountSid, from }, apiKey }) => ({ accountSid, from, ...apiKey }),
      true,
      /no delivery receipts/,
    ],
    ['a wrong token', (peer) => ({ ...peer.settings, authToken: 'wrong' }), false, /^20003: Authenticate$/],
    ['a wrong key', (peer) => ({ ...peer.settings, ...peer.apiKey, apiKeySecret: 'wrong' }), false, /20003/],
  ])('%s', async (_, settings, ok, detail) => {
    await using peer = await startTwilioPeer();
    await using line = lineTo(peer, settings(peer));
    const verdict = ok ? { ok } : { ok, refused: true };
    expect(await line.verify()).toEqual({ ...verdict, detail: expect.stringMatching(detail) });
  });

  test('of an account elsewhere', async () => {
    await using peer = await startTwilioPeer();
    await using line = lineTo(peer, { ...peer.settings, accountSid: `AC${'9'.repeat(32)}` });
    expect(await line.verify()).toMatchObject({ ok: false, refused: true });
  });
});

test('the peer runs as its own process, told and asked over its control port', async () => {
  const main = fileURLToPath(import.meta.resolve('@notify/testkit/peers/twilio'));
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [shown] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { url, settings, controlUrl } = JSON.parse(shown) as Record<'url' | 'controlUrl', string> & {
      settings: object;
    };
    await using line = openLine('twilio', url, settings, receiver);
    const body = JSON.stringify({ answer: { error: 20429 }, times: 1 });
    await fetch(`${controlUrl}/behave`, { method: 'POST', body });
    expect([(await line.send()).kind, (await line.send()).kind]).toEqual(['throttled', 'accepted']);
    expect(await (await fetch(`${controlUrl}/ledger`)).json()).toMatchObject([{ id: messageId, asked: 2 }]);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

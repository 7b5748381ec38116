import {
  type Answered,
  type PeerFile,
  type Receiver,
  startReceiver,
  startSmsGateway,
  startTwilioPeer,
  startVonagePeer,
  startWhatsappCloudPeer,
} from '@notify/testkit';
import type { Inbound } from '../src/index.ts';
import { contentOf, type Line, openLine } from './peers.ts';

/* What people write at each provider, by way of its peer, as the adapter reads it. */

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const from = '+4915112345678';
const picture: PeerFile = { mimeType: 'image/png', content: Buffer.alloc(300_000, 'png') };

/** Reads every callback so far. */
const readAll = (line: Line): readonly Inbound[] =>
  receiver.received.flatMap((received) => line.readInbound(received));

describe('Meta', () => {
  async function start() {
    const peer = await startWhatsappCloudPeer();
    const line = openLine('whatsapp-cloud', peer.url, peer.settings(), receiver);
    receiver.behave(({ url }) => ({
      body: new URL(url, receiver.url).searchParams.get('hub.challenge') ?? '',
    }));
    await peer.subscribe(`${receiver.url}/callbacks/p/a/s`, '');
    receiver.behave({});
    const write = async (...messages: Parameters<typeof peer.write>[0]) => {
      expect(await peer.write(messages)).toBe(200);
      return line.readInbound(receiver.received.at(-1)!);
    };
    return { peer, line, write };
  }

  test('text, file, reply, reaction and button in one callback', async () => {
    const { peer, line, write } = await start();
    const image = { ...peer.files.take(picture), caption: 'Look' };
    const [text, file, reply, reaction, button] = await write(
      { from, id: 'wamid.1', type: 'text', text: { body: 'Hi' } },
      { from, type: 'image', image },
      { from, type: 'text', text: { body: 'Yes' }, context: { id: 'wamid.0', from: '15550109999' } },
      { from, type: 'reaction', reaction: { message_id: 'wamid.0', emoji: '👍' } },
      { from, type: 'button', button: { text: 'Stop', payload: 's' }, context: { id: 'wamid.0' } },
    );
    expect(text).toMatchObject({
      externalId: 'wamid.1',
      from,
      contact: { name: 'Ada' },
      body: { text: 'Hi' },
    });
    expect(file).toMatchObject({ type: 'image', body: { caption: 'Look', mimeType: 'image/png' } });
    const opened = await line.open(file!);
    expect(opened).toMatchObject({ kind: 'file', mimeType: 'image/png', bytes: 300_000 });
    expect(await contentOf(opened)).toEqual(picture.content);
    for (const each of [reply, reaction, button]) expect(each).toMatchObject({ replyTo: 'wamid.0' });
    await using _ = peer;
    await line[Symbol.asyncDispose]();
  });

  test('a file that is gone, an address that is old, and a wrong token', async () => {
    const { peer, line, write } = await start();
    await using _ = peer;
    const image = peer.files.take(picture);
    const [message] = await write({ from, type: 'image', image });
    await using stranger = openLine(
      'whatsapp-cloud',
      peer.url,
      { ...peer.settings(), accessToken: 'x' },
      receiver,
    );
    expect(await contentOf(await stranger.open(message!))).toMatch(/^unavailable/);
    peer.files.addressMs = -1;
    expect(await contentOf(await line.open(message!))).toMatch(/^expired/);
    peer.files.addressMs = 60_000;
    expect(await contentOf(await line.open(message!))).toEqual(picture.content);
    peer.files.remove(image.id);
    expect(await contentOf(await line.open(message!))).toMatch(/^expired/);
    await peer.setAway(true);
    expect(await contentOf(await line.open(message!))).toMatch(/^unavailable/);
    await line[Symbol.asyncDispose]();
  });

  test('the token goes to no foreign host', async () => {
    const { peer, line, write } = await start();
    await using _ = peer;
    const [message] = await write({ from, type: 'image', image: peer.files.take(picture) });
    const url = `${receiver.url}/attachments/1`;
    peer.files.describe = () => ({ url, mime_type: 'image/png' });
    const before = receiver.received.length;
    expect(await line.open(message!)).toMatchObject({
      kind: 'unavailable',
      detail: expect.stringMatching(/Meta's own/),
    });
    expect(receiver.received).toHaveLength(before);
    await line[Symbol.asyncDispose]();
  });

  test('a callback is repeated, unchanged, until it is answered', async () => {
    const { peer, line } = await start();
    await using _ = peer;
    const before = receiver.received.length;
    receiver.behave(() => ({ status: receiver.received.length - before < 3 ? 503 : 200 }));
    expect(await peer.write([{ from, type: 'text', text: { body: 'Hi' } }])).toBe(200);
    const ids = receiver.received.slice(before).map((one) => line.readInbound(one)[0]?.externalId);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    await line[Symbol.asyncDispose]();
  });

  test('a reply quotes what it answers, and reaches a person without a number', async () => {
    const { peer, line, write } = await start();
    await using _ = peer;
    const userId = 'US.13491208655302741918';
    const [message] = await write({ from: '', userId, type: 'text', text: { body: 'Hi' } });
    const replyTo = { externalId: message!.externalId, isInbound: true, text: 'Hi' };
    expect(await line.send({ to: message!.from, replyTo })).toMatchObject({ kind: 'accepted' });
    const [entry] = peer.ledger();
    expect(entry).toMatchObject({ to: userId, message: { context: { message_id: message!.externalId } } });
    await line[Symbol.asyncDispose]();
  });
});

describe('Twilio', () => {
  async function start() {
    const peer = await startTwilioPeer();
    const line = openLine('twilio', peer.url, peer.settings, receiver);
    receiver.behave({ body: '<Response/>', headers: { 'content-type': 'text/xml' } });
    peer.setIncoming(`${receiver.url}/callbacks/p/a/s`);
    return { peer, line };
  }

  test('a text with two files, each of which can be read', async () => {
    const { peer, line } = await start();
    await using _ = peer;
    const bill = { mimeType: 'application/pdf', content: Buffer.from('%PDF') };
    const answered: Answered = await peer.write({ from, body: 'Look', files: [picture, bill] });
    expect(answered.status).toBe(200);
    const read = readAll(line);
    expect(read).toMatchObject([
      { from, type: 'image', body: { caption: 'Look' } },
      { from, type: 'document', body: { caption: null } },
    ]);
    expect(read[1]!.externalId).toBe(`${read[0]!.externalId}/1`);
    for (const [index, file] of [picture, bill].entries()) {
      const opened = await line.open(read[index]!);
      expect(opened).toMatchObject({ kind: 'file', mimeType: file.mimeType, bytes: file.content.length });
      expect(await contentOf(opened)).toEqual(file.content);
    }
    await line[Symbol.asyncDispose]();
  });

  test('a file that is gone, an address that is old, and wrong credentials', async () => {
    const { peer, line } = await start();
    await using _ = peer;
    await peer.write({ from, files: [picture] });
    const [message] = readAll(line);
    await using stranger = openLine('twilio', peer.url, { ...peer.settings, authToken: 'x' }, receiver);
    expect(await contentOf(await stranger.open(message!))).toMatch(/^unavailable/);
    peer.files.addressMs = -1;
    expect(await contentOf(await line.open(message!))).toMatch(/^unavailable/);
    peer.files.addressMs = 60_000;
    expect(await contentOf(await line.open(message!))).toEqual(picture.content);
    peer.files.remove((message!.file as { path: string }).path.split('/').at(-1)!);
    expect(await contentOf(await line.open(message!))).toMatch(/^expired/);
    await line[Symbol.asyncDispose]();
  });

  test('a redirect elsewhere is not followed', async () => {
    const { peer, line } = await start();
    await using _ = peer;
    await peer.write({ from, files: [picture] });
    const [message] = readAll(line);
    peer.files.addressOf = () => `${receiver.url}/storage/1`;
    const before = receiver.received.length;
    expect(await line.open(message!)).toMatchObject({ kind: 'unavailable' });
    expect(receiver.received).toHaveLength(before);
    await line[Symbol.asyncDispose]();
  });

  test('an answer that is no TwiML calls the fallback, with the same message', async () => {
    const { peer, line } = await start();
    await using _ = peer;
    receiver.behave({ body: 'OK' });
    await peer.write({ from, body: 'Hi', more: { OriginalRepliedMessageSid: 'SM0' } });
    const read = readAll(line);
    expect(read).toMatchObject([{ replyTo: 'SM0' }, { replyTo: 'SM0' }]);
    expect(read[1]!.externalId).toBe(read[0]!.externalId);
    await line[Symbol.asyncDispose]();
  });
});

describe('Vonage', () => {
  async function start() {
    const peer = await startVonagePeer();
    peer.setIncoming(`${receiver.url}/callbacks/p/a/s`);
    return { peer, line: openLine('vonage', peer.url, peer.settings, receiver) };
  }

  test.each(['messages', 'get', 'post', 'json'] as const)('a text as %s', async (form) => {
    const { peer, line } = await start();
    await using _ = peer;
    expect(await peer.write({ from, text: 'Grüße & = 😀', form })).toEqual([200]);
    expect(readAll(line)).toMatchObject([{ from, body: { text: 'Grüße & = 😀' } }]);
    await line[Symbol.asyncDispose]();
  });

  test('pieces out of order and repeated', async () => {
    const { peer, line } = await start();
    await using _ = peer;
    await peer.write({ from, text: '', parts: ['one ', 'two ', 'three'], order: [2, 0, 0, 1], form: 'get' });
    const pieces = readAll(line);
    expect(pieces.map(({ piece }) => piece?.index)).toEqual([3, 1, 1, 2]);
    expect(new Set(pieces.map(({ piece }) => piece?.reference)).size).toBe(1);
    expect(new Set(pieces.map(({ externalId }) => externalId)).size).toBe(3);
    await line[Symbol.asyncDispose]();
  });

  test('bytes are unsupported, and a callback is repeated until it is answered', async () => {
    const { peer, line } = await start();
    await using _ = peer;
    receiver.behave(() => ({ status: receiver.received.length < 3 ? 500 : 200 }));
    expect(await peer.write({ from, text: 'x', type: 'binary', form: 'json' })).toEqual([200]);
    const read = readAll(line);
    expect(read.map(({ body }) => body)).toEqual([1, 2, 3].map(() => ({ kind: 'binary' })));
    await line[Symbol.asyncDispose]();
  });
});

test('an HTTP gateway: a text, repeated until it is answered', async () => {
  await using gateway = await startSmsGateway();
  await using line = openLine('http-sms', '', gateway.settings, receiver);
  gateway.setIncoming(`${receiver.url}/callbacks/p/a/s`);
  receiver.behave(() => ({ status: receiver.received.length < 2 ? 500 : 200 }));
  expect(await gateway.write({ from, text: 'Hi', id: 'mo-1' })).toBe(200);
  const expected = { externalId: 'mo-1', from, to: '13013', body: { text: 'Hi' } };
  expect(readAll(line)).toMatchObject([expected, expected]);
});

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AnyMessageContent } from '@whiskeysockets/baileys';
import { startWhatsappPeer, type WhatsappPeer } from '../client.ts';
import { newSession, open, type PlainClient } from './plain-client.ts';

const account = '15550200001';
const jid = `${account}:1@s.whatsapp.net`;
let peer: WhatsappPeer;
let client: PlainClient;
beforeAll(async () => {
  peer = await startWhatsappPeer();
  client = await open(peer, newSession(), account);
});
afterAll(async () => {
  await client.socket.end(undefined);
  await peer.stop();
});

describe('an attachment is uploaded, downloaded, checked and decrypted:', () => {
  const file = Buffer.from('a file of some bytes '.repeat(500));
  const sha256 = createHash('sha256').update(file).digest('hex');
  const sound = { audio: file, mimetype: 'audio/mpeg' };
  const paper = { document: file, mimetype: 'application/pdf', fileName: 'x.pdf', caption: 'paper' };
  test.each<[string, AnyMessageContent, object]>([
    ['image', { image: file, mimetype: 'image/png', caption: 'look' }, { text: 'look' }],
    ['video', { video: file, mimetype: 'video/mp4', caption: 'film' }, { text: 'film' }],
    ['audio', sound, { text: null }],
    ['document', paper, { text: 'paper', media: { fileName: 'x.pdf', mimetype: 'application/pdf' } }],
  ])('%s', async (kind, content, expected) => {
    await client.socket.sendMessage('15550200002@s.whatsapp.net', content, { messageId: `FILE-${kind}` });
    await client.until(() => client.acks.has(`FILE-${kind}`));
    const { messages } = await peer.log();
    const media = { bytes: file.length, sha256 };
    expect(messages.find(({ id }) => id === `FILE-${kind}`)).toMatchObject({ kind, media, ...expected });
  });
});

describe('the media host', () => {
  const image = { image: Buffer.from('bytes'), mimetype: 'image/png' };
  const send = (messageId: string, mediaUploadTimeoutMs = 300) =>
    client.socket.sendMessage('15550200002@s.whatsapp.net', image, { messageId, mediaUploadTimeoutMs });

  test.each(['refuse', 'reset', 'hang'] as const)(
    'can %s an upload, and the message is not sent',
    async (answer) => {
      await peer.behaveMedia({ answer, times: 1 });
      await expect(send(`MEDIA-${answer}`)).rejects.toThrow('Media upload failed on all hosts');
      const { stanzas } = await peer.log();
      expect(stanzas.filter(({ id }) => id === `MEDIA-${answer}`)).toEqual([]);
    },
  );

  test('can be slow', async () => {
    await peer.behaveMedia({ answer: 'serve', afterMs: 100 });
    const begunAt = performance.now();
    await send('MEDIA-slow', 60_000);
    expect(performance.now() - begunAt).toBeGreaterThan(95);
    await client.until(() => client.acks.has('MEDIA-slow'));
    await peer.behaveMedia({ answer: 'serve' });
  });
});

test('every device of the recipient gets its own copy', async () => {
  await peer.setNumber('15550200003', { devices: [0, 4] });
  await client.text('15550200003', 'to both', 'BOTH');
  await client.until(() => client.acks.has('BOTH'));
  const { messages, stanzas } = await peer.log();
  expect(messages.filter(({ id }) => id === 'BOTH').map(({ device, text }) => [device, text])).toEqual([
    [0, 'to both'],
    [4, 'to both'],
  ]);
  const copies = ['15550200003@s.whatsapp.net', '15550200003:4@s.whatsapp.net'];
  expect(stanzas.find(({ id }) => id === 'BOTH')).toMatchObject({ from: jid, to: '15550200003', copies });
});

test('a number that is not on WhatsApp is recognised, and a message to it is acknowledged but not delivered', async () => {
  await peer.setNumber('15550200004', { exists: false });
  const known = await client.socket.onWhatsApp('15550200003', '15550200004');
  expect(known).toEqual([{ jid: '15550200003@s.whatsapp.net', exists: true }]);
  await client.text('15550200004', 'to nobody', 'NOBODY');
  await client.until(() => client.acks.has('NOBODY'));
  const { stanzas, messages } = await peer.log();
  expect(stanzas.find(({ id }) => id === 'NOBODY')).toMatchObject({ copies: [], answer: 'ack' });
  expect(messages.filter(({ id }) => id === 'NOBODY')).toEqual([]);
});

describe('a client that waits a second for an answer', () => {
  const hasty = '15550200009';
  let client: PlainClient;
  beforeAll(async () => {
    client = await open(peer, newSession(), hasty, { defaultQueryTimeoutMs: 1_000 });
  });
  afterAll(() => client.socket.end(undefined));

  test('reaches nobody when a query about devices stays unanswered', async () => {
    await peer.behave({ account: hasty, unanswered: ['usync/get/usync'] });
    await client.text('15550200005', 'to nobody', 'UNANSWERED');
    await client.until(() => client.acks.has('UNANSWERED'));
    await peer.behave({ account: hasty, unanswered: null });
    const { stanzas, queries } = await peer.log();
    expect(stanzas.find(({ id }) => id === 'UNANSWERED')).toMatchObject({ copies: [] });
    expect(queries[`${hasty}:1@s.whatsapp.net usync/get/usync`]).toBeGreaterThan(0);
  });

  test('fails to send when keys are not given out', async () => {
    await peer.behave({ account: hasty, unanswered: ['encrypt/get/key'] });
    // A busy machine may need more than its second for the query about devices, and then the message reaches nobody.
    const send = (count: number) => client.text('15550200006', 'no keys', `NO-KEYS-${count}`);
    const sendUntilItFails = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) await send(count);
    };
    await expect(sendUntilItFails()).rejects.toThrow('All encryptions failed');
    await peer.behave({ account: hasty, unanswered: null });
  });
});

test.each([463, 479, 500])('a message is refused with %d, so many times', async (code) => {
  await peer.behave({ number: '15550200007', ack: { answer: 'refuse', code, times: 1 } });
  await client.text('15550200007', 'refused', `REFUSED-${code}`);
  await client.until(() => client.statuses.has(`REFUSED-${code}`));
  expect(client.acks.get(`REFUSED-${code}`)).toBe(String(code));
  expect(client.statuses.get(`REFUSED-${code}`)).toEqual([0]);
  await client.text('15550200007', 'taken', `TAKEN-${code}`);
  await client.until(() => client.acks.has(`TAKEN-${code}`));
  const { messages, stanzas } = await peer.log();
  expect(stanzas.find(({ id }) => id === `REFUSED-${code}`)).toMatchObject({ answer: code });
  expect(messages.filter(({ id }) => id.endsWith(`-${code}`)).map(({ id }) => id)).toEqual([`TAKEN-${code}`]);
});

test('an account that may not begin chats learns the end of its restriction', async () => {
  const until = Math.floor(Date.now() / 1_000) + 3_600;
  await peer.behave({ account, restrictedUntil: until });
  const lock = await client.socket.fetchAccountReachoutTimelock();
  expect(lock).toMatchObject({ isActive: true, timeEnforcementEnds: new Date(until * 1_000) });
  await peer.behave({ account, restrictedUntil: null });
});

test('an account is notified of a restriction on new chats, and of its end', async () => {
  const until = Math.floor(Date.now() / 1_000) + 3_600;
  const told = () => client.updates.flatMap(({ reachoutTimeLock }) => reachoutTimeLock ?? []);
  const before = told().length;
  await peer.restrict(account, until);
  await client.until(() => told().length === before + 1);
  await peer.restrict(account, null);
  await client.until(() => told().length === before + 2);
  expect(told().slice(before)).toMatchObject([
    { isActive: true, timeEnforcementEnds: new Date(until * 1_000) },
    { isActive: false },
  ]);
});

test('a query is refused with a code, and a usync part fails inside an answer that Baileys accepts', async () => {
  await peer.behave({ account, refusedQueries: { 'usync/get/usync': 429 } });
  await expect(client.socket.onWhatsApp('15550200003')).rejects.toMatchObject({ data: 429 });
  await peer.behave({ account, refusedQueries: null, usyncErrors: { contact: 429 } });
  expect(await client.socket.onWhatsApp('15550200003')).toEqual([]);
  await peer.behave({ account, usyncErrors: null });
});

test('an ack can be lost: the message was delivered, and a repeat is shown once', async () => {
  await peer.behave({ account, ack: { answer: 'lose', times: 1 }, receipts: silence });
  await client.text('15550200008', 'once', 'LOST');
  await peer.when(({ messages }) => messages.some(({ id }) => id === 'LOST'));
  await client.text('15550200008', 'once', 'LOST');
  await client.until(() => client.acks.has('LOST'));
  await peer.behave({ account, receipts: null });
  const { messages, stanzas } = await peer.log();
  expect(stanzas.filter(({ id }) => id === 'LOST').map(({ answer }) => answer)).toEqual(['lost', 'ack']);
  expect(messages.filter(({ id }) => id === 'LOST').map(({ duplicate }) => duplicate)).toEqual([false, true]);
});

test('a recipient that could not read a message asks again and gets it', async () => {
  await peer.behave({ number: '15550200009', retry: { times: 1 } });
  await client.text('15550200009', 'once more', 'RETRY');
  const { stanzas } = await peer.when(({ messages }) => messages.some(({ id }) => id === 'RETRY'));
  expect(stanzas.filter(({ id }) => id === 'RETRY').map(({ answer }) => answer)).toEqual(['retry', 'ack']);
});

test('a message encrypted for old keys is rejected, asked for again, and then read', async () => {
  await client.text('15550200010', 'before', 'BEFORE');
  await client.until(() => client.acks.has('BEFORE'));
  await peer.reinstall('15550200010');
  await client.text('15550200010', 'after', 'AFTER');
  const { rejected } = await peer.when(({ messages }) => messages.some(({ id }) => id === 'AFTER'));
  expect(rejected).toContainEqual(expect.objectContaining({ from: jid, what: 'message AFTER' }));
});

const silence = { deliveredAfterMs: null, readAfterMs: null };

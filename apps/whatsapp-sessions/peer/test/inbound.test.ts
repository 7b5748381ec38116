import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWhatsappPeer, type WhatsappPeer } from '../client.ts';
import { newSession, open, type PlainClient } from './plain-client.ts';

const account = '15550400001';
const session = newSession();
let peer: WhatsappPeer;
let client: PlainClient;
const heard: string[] = [];

beforeAll(async () => {
  peer = await startWhatsappPeer();
  client = await open(peer, session, account);
  client.socket.ev.on('messages.upsert', ({ messages }) => {
    for (const { key, message } of messages)
      heard.push(`${key.remoteJid} ${message?.conversation ?? (message ? 'other' : 'unreadable')}`);
  });
});
afterAll(async () => {
  await client.socket.end(undefined);
  await peer.stop();
});

/** The number of times the client has sent a query. */
const asked = async (name: string) => (await peer.log()).queries[`${account}:1@s.whatsapp.net ${name}`] ?? 0;

async function untilHeard(line: string): Promise<void> {
  while (!heard.includes(line))
    await new Promise((resolve) => client.socket.ev.on('messages.upsert', resolve));
}

test('an incoming message is encrypted for the client, and a second one uses the same session', async () => {
  await peer.write({ account, from: '15550400002', text: 'one' });
  await peer.write({ account, from: '15550400002', text: 'two' });
  await untilHeard('15550400002@s.whatsapp.net two');
  expect(heard).toEqual(['15550400002@s.whatsapp.net one', '15550400002@s.whatsapp.net two']);
});

test('an account uploads new prekeys when told that few are left', async () => {
  const before = await asked('encrypt/set/registration');
  await peer.notify({ account, kind: 'prekeys-low', count: 1 });
  const uploads = `${account}:1@s.whatsapp.net encrypt/set/registration`;
  const { accounts } = await peer.when(({ queries }) => queries[uploads] === before + 1);
  expect(accounts[0]!.preKeys).toBeGreaterThan(812);
});

test('a reinstalled contact gets messages encrypted with new keys', async () => {
  const to = '15550400003';
  await client.text(to, 'before', 'BEFORE');
  await peer.when(({ messages }) => messages.some(({ id }) => id === 'BEFORE'));
  await peer.reinstall(to);
  const keys = await asked('encrypt/get/key');
  await peer.notify({ account, kind: 'identity', of: to });
  await peer.when(({ queries }) => (queries[`${account}:1@s.whatsapp.net encrypt/get/key`] ?? 0) > keys);
  await client.text(to, 'after', 'AFTER');
  const { rejected } = await peer.when(({ messages }) => messages.some(({ id }) => id === 'AFTER'));
  expect(rejected).toEqual([]);
});

test('a phone that sends new keys with its request needs no further keys', async () => {
  const to = '15550400004';
  await peer.behave({ number: to, retry: { times: 1, withKeys: true } });
  await client.text(to, 'hello', 'WITH-KEYS');
  await peer.when(({ messages }) => messages.some(({ id }) => id === 'WITH-KEYS'));
  const first = await asked('encrypt/get/key');
  await peer.behave({ number: to, retry: { times: 1, withKeys: false } });
  await client.text(to, 'hello', 'WITHOUT-KEYS');
  await peer.when(({ messages }) => messages.some(({ id }) => id === 'WITHOUT-KEYS'));
  expect(await asked('encrypt/get/key')).toBe(first + 1);
});

test('a message to a number without a LID, or without the required token, fails', async () => {
  await peer.setNumber('15550400005', { lid: false });
  await expect(client.text('15550400005', 'hello', 'NO-LID')).rejects.toThrow(/encryptions failed/);
  await peer.setNumber('15550400006', { token: 'dG9rZW4=' });
  await client.text('15550400006', 'hello', 'NO-TOKEN');
  await client.until(() => client.acks.has('NO-TOKEN'));
  expect(client.acks.get('NO-TOKEN')).toBe('463');
});

test('a client reconnects with the routing information that it received', async () => {
  await client.socket.end(undefined);
  client = await open(peer, session, account);
  const { connections } = await peer.log();
  expect(Buffer.from(connections.at(-1)!.routing ?? '', 'hex').toString()).toBe(`${account}:1`);
  expect(connections[0]!.routing).toBeNull();
});

/** How often the server has sent a message, and what the client answered. */
const written = async (id: string) => {
  const { written: all } = await peer.when((log) =>
    log.written.some((one) => one.id === id && one.answers.length > 0),
  );
  const { sent, answers } = all.find((one) => one.id === id)!;
  return { sent, answers };
};

test('a message to a client that is away arrives at its next login, and is repeated until it is acknowledged', async () => {
  await client.socket.end(undefined);
  await peer.when(({ connections }) => connections.every(({ closedAt }) => closedAt !== null));
  const id = await peer.write({ account, from: '15550400002', text: 'while you were away' });
  client = await open(peer, session, account);
  expect(await written(id)).toEqual({ sent: 1, answers: ['inactive'] });
  await client.socket.end(undefined);
  client = await open(peer, session, account);
  const next = await peer.write({ account, from: '15550400002', text: 'after that' });
  expect(await written(next)).toEqual({ sent: 1, answers: ['inactive'] });
  expect(await written(id)).toEqual({ sent: 1, answers: ['inactive'] });
});

test('a message that the client cannot decrypt is encrypted and sent again', async () => {
  const id = await peer.write({ account, from: '15550400002', text: 'damaged', damaged: true });
  const { written: all } = await peer.when((log) =>
    log.written.some((one) => one.id === id && one.answers.includes('inactive')),
  );
  expect(all.find((one) => one.id === id)).toMatchObject({
    sent: 2,
    answers: ['retry', 'ack 500', 'inactive'],
  });
});

import { eventNames } from '@notify/core';
import { openEventStream, type RunningProcess, startReceiver } from '@notify/testkit';
import { Webhook } from 'standardwebhooks';
import { wireId } from '../src/sending/message-id.ts';
import { hurried, openWorld, until, type World } from './world.ts';

type Json = Record<string, unknown>;

let world: World;
let url: string;
let processes: RunningProcess[];
/** A tenant with its session and key. */
let token: string;
let key: string;

beforeAll(async () => {
  world = await openWorld({ LOG_LEVEL: 'trace' });
  const api = await world.start('api');
  processes = [api, await world.start(), await world.start('webhook-worker')];
  ({ url } = api);
  const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };
  const { data } = await ask('POST', '/auth/register', ada);
  token = (data as { accessToken: string }).accessToken;
  key = (await ask('POST', '/tenant/api-keys', { name: 'test' })).key as string;
});

afterAll(() => world[Symbol.asyncDispose]());

/** Calls with the session's token. Rejects unless the response is a success. */
async function ask(method: string, path: string, body?: object, headers: object = bearer()): Promise<Json> {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Json);
}

function bearer(): object {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

async function connectAccount(): Promise<string> {
  const account = { provider: 'whatsapp-web', name: 'Phone', settings: hurried };
  const { id } = await ask('POST', '/v1/channel-accounts', account);
  return `/v1/channel-accounts/${String(id)}`;
}

const watch = (account: string) => openEventStream(`${url}${account}/link/events`, token);

/** The log lines that contain a text. */
const logged = (text: string) =>
  processes.flatMap(({ lines }) => lines).filter((line) => line.includes(text));

test('a tenant links a phone by QR code, sends, and gets a webhook when the message is delivered and read', async () => {
  await using receiver = await startReceiver();
  await ask('POST', '/v1/webhooks', { url: receiver.url });
  const account = await connectAccount();
  expect(await ask('GET', account)).toMatchObject({ status: 'action-required', isDefault: false });
  await using stream = await watch(account);
  expect(await ask('POST', `${account}/link`, {})).toMatchObject({ step: 'idle', wanted: 'link' });
  const shown = await stream.next(({ step }) => step === 'display-qr');
  expect(await ask('GET', `${account}/link`)).toEqual(shown);
  await world.peer.scan(String(shown.qr), '15550003001');
  await stream.next(({ step }) => step === 'connected');
  expect(await ask('GET', account)).toMatchObject({ isDefault: true });
  const linked = { step: 'connected', phone: '+15550003001', wanted: null, care: { newContactsUsed: 0 } };
  expect(await ask('GET', `${account}/link`)).toMatchObject(linked);

  const number = '15550003002';
  await world.peer.behave({ number, receipts: { deliveredAfterMs: 0, readAfterMs: 50 } });
  const message = { to: `+${number}`, text: 'Good morning ☀' };
  const sent = await ask('POST', '/v1/notify/whatsapp/text', message, { 'x-api-key': key });
  const told = () => receiver.received.map((received) => JSON.parse(String(received.body)) as Json);
  await until(async () => told().length === 4);
  const names = told().map(({ event }) => String(event));
  expect(names.toSorted()).toEqual(eventNames.filter((event) => event !== 'message.failed').toSorted());
  expect(told().find(({ event }) => event === 'message.delivered')).toMatchObject({
    messageId: sent.id,
    provider: 'whatsapp',
    to: message.to,
    status: 'delivered',
  });
  const id = wireId(String(sent.id).replace('msg_', ''));
  const shownMessage = await ask('GET', `/v1/notify/messages/${String(sent.id)}`, undefined, {
    'x-api-key': key,
  });
  expect(shownMessage).toMatchObject({ status: 'delivered', externalId: id, attempts: 1 });
  const { messages } = await world.peer.log();
  expect(messages.filter(({ to }) => to === number)).toMatchObject([
    { id, kind: 'text', text: message.text, duplicate: false },
  ]);
  expect(await ask('GET', account)).toMatchObject({ status: 'connected' });
  expect(await ask('GET', `${account}/link`)).toMatchObject({ care: { newContactsUsed: 1 } });
  expect(await ask('POST', `${account}/verify`)).toEqual({ ok: true, detail: 'Connected.', refused: false });

  expect(logged('device linked')).toHaveLength(1);
  for (const part of String(shown.qr)
    .split(',')
    .filter(({ length }) => length > 8))
    expect(logged(part)).toEqual([]);
});

test('a tenant links a phone by pairing code, and unlinks it', async () => {
  const account = await connectAccount();
  await using stream = await watch(account);
  await ask('POST', `${account}/link`, { phone: '+15550003003' });
  const { code } = await stream.next(({ step }) => step === 'display-code');
  await world.peer.enterCode(String(code), '15550003003');
  await stream.next(({ step }) => step === 'connected');
  await until(async () => (await ask('GET', account)).status === 'connected');
  // Another phone is the default already.
  expect(await ask('GET', account)).toMatchObject({ isDefault: false });
  await ask('POST', `${account}/unlink`);
  await stream.next(({ step, wanted }) => step === 'idle' && wanted === null);
  await world.peer.when(({ accounts }) =>
    accounts.some(({ phone, loggedOut }) => phone === '15550003003' && loggedOut),
  );
  expect(await ask('GET', account)).toMatchObject({ status: 'action-required' });
  expect(logged('device unlinked')).toHaveLength(1);
  expect(logged(String(code))).toEqual([]);
});

test('a tenant hears what a person writes, fetches the file, and answers', async () => {
  await using receiver = await startReceiver();
  const { secret } = await ask('POST', '/v1/webhooks', { url: receiver.url, events: ['message.received'] });
  const account = await connectAccount();
  await using stream = await watch(account);
  await ask('POST', `${account}/link`, {});
  const shown = await stream.next(({ step }) => step === 'display-qr');
  const phone = '15550003004';
  await world.peer.scan(String(shown.qr), phone);
  await stream.next(({ step }) => step === 'connected');
  await until(async () => (await ask('GET', account)).status === 'connected');

  const from = '15550003005';
  const content = Buffer.from('a picture of a cat');
  const file = {
    kind: 'image',
    content: content.toString('base64'),
    mimetype: 'image/png',
    caption: 'Look',
  } as const;
  const id = await world.peer.write({ account: phone, from, name: 'Ada', file });
  await until(async () => receiver.received.length > 0);
  const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
  const event = new Webhook(String(secret)).verify(String(body), headers as Record<string, string>) as Json;
  expect(event).toMatchObject({
    event: 'message.received',
    direction: 'inbound',
    from: `+${from}`,
    to: `+${phone}`,
    type: 'image',
    body: { type: 'image', caption: 'Look', mimeType: 'image/png', bytes: content.length },
    contact: { name: 'Ada' },
    externalId: id,
  });
  expect(String(body)).not.toContain('sealed');

  const path = `/v1/messages/${String(event.messageId)}/media`;
  const response = await fetch(url + path, { headers: bearer() as Record<string, string> });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
  await world.peer.behaveDownloads({ answer: 'gone' });
  const gone = await fetch(url + path, { headers: bearer() as Record<string, string> });
  expect([gone.status, await gone.json()]).toMatchObject([410, { code: 'media-expired' }]);

  const message = {
    to: `+${from}`,
    text: 'Nice',
    replyTo: event.messageId,
    channelAccountId: account.split('/').at(-1),
  };
  const sent = await ask('POST', '/v1/notify/whatsapp/text', message, { 'x-api-key': key });
  const wire = wireId(String(sent.id).replace('msg_', ''));
  const { messages } = await world.peer.when((log) => log.messages.some((one) => one.id === wire));
  expect(messages.find((one) => one.id === wire)).toMatchObject({
    text: 'Nice',
    answers: { id, text: 'Look' },
  });
  await until(async () => (await ask('GET', `/v1/messages/${String(sent.id)}`)).status !== 'queued');
  await world.peer.write({ account: phone, from, reaction: { to: wire, emoji: '❤' } });
  await until(async () => receiver.received.length > 1);
  expect(JSON.parse(String(receiver.received[1]!.body))).toMatchObject({
    type: 'reaction',
    body: { emoji: '❤' },
    replyTo: sent.id,
  });
});

test('an api that shuts down ends its event streams without waiting for their readers', async () => {
  await using stream = await watch(await connectAccount());
  await stream.next();
  const [api] = processes;
  await Promise.all([api!.stop(), stream.ended()]);
  expect(logged('"msg":"shut down"')).toHaveLength(1);
});

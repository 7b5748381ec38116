import type { Adapter, TellRequest } from '@notify/channels';
import type { Told } from '@notify/core';
import { sql } from 'kysely';
import Type from 'typebox';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

/** What the api makes of providers that are to tell people something. */

type Answer = (request: TellRequest, signal: AbortSignal) => Promise<Told>;
let answer: Answer;
let asked: TellRequest[];
const telling: Adapter = {
  id: 'test-tells',
  channel: 'telegram',
  name: 'Test chats',
  baseUrl: null,
  capabilities: {
    media: false,
    reportsDelivery: false,
    reportsRead: false,
    repeatIsSafe: false,
    callbacks: false,
    inbound: true,
    chatStates: ['read', 'typing'],
    maxInFlight: 1,
    callDeadlineMs: 1_000,
  },
  settings: Type.Object({}, { additionalProperties: false }),
  send: () => Promise.resolve({ kind: 'accepted', externalId: null }),
  verify: () => Promise.resolve({ ok: true, detail: 'Welcome.' }),
  tell(request, { signal }) {
    asked.push(request);
    return answer(request, signal);
  },
};

let service: MessagingApp;
let own: Caller;
let accountId: string;
beforeAll(async () => {
  service = await messagingApp({}, [telling]);
});
beforeEach(async () => {
  own = await service.tenant({ sandbox: false });
  const account = { provider: telling.id, name: 'Bot', settings: {} };
  accountId = (await own.manage('post', '/v1/channel-accounts', account).expect(201)).body.id;
  answer = async () => ({ delivered: true });
  asked = [];
});
afterAll(() => service[Symbol.asyncDispose]());

/** A person writes. Returns the id of the conversation. */
async function receive(externalId: string, from = '4711', threadId?: number): Promise<string> {
  await service.parts.intake.store(
    {
      id: accountId,
      tenantId: own.tenantId,
      channel: 'telegram',
      provider: telling.id,
      keywords: { stop: [], start: [] },
    },
    {
      inbound: [
        {
          externalId,
          from,
          to: null,
          sentAt: new Date(),
          type: 'text',
          body: { text: 'hi' },
          contact: null,
          replyTo: null,
          file: null,
          ...(threadId === undefined ? {} : { threadId }),
        },
      ],
      moved: [],
      consents: [],
    },
  );
  return (await own.manage('get', `/v1/conversations?to=${from}`).expect(200)).body.data[0].id;
}

const typing = async (id: string): Promise<unknown> =>
  (await own.manage('post', `/v1/conversations/${id}/typing`).expect(200)).body;
const read = async (id: string, body: object = {}): Promise<unknown> =>
  (await own.manage('post', `/v1/conversations/${id}/read`, { tellSender: true, ...body }).expect(200)).body;

test('the adapter is asked with the person and the messages that are newly read', async () => {
  for (const externalId of ['1', '2']) await receive(externalId);
  const id = await receive('3');
  const { data } = (await own.manage('get', `/v1/conversations/${id}/messages`).expect(200)).body;
  const messageId = data.find((one: { externalId: string }) => one.externalId === '2').messageId;
  expect(await read(id, { messageId })).toMatchObject({ delivered: true, unread: 1 });
  expect(await read(id)).toMatchObject({ delivered: true, unread: 0 });
  expect(await typing(id)).toEqual({ delivered: true });
  expect(asked).toEqual([
    { state: 'read', to: '4711', externalIds: ['2', '1'], threadId: null },
    { state: 'read', to: '4711', externalIds: ['3'], threadId: null },
    { state: 'typing', to: '4711', externalIds: ['3'], threadId: null },
  ]);
});

test('the adapter is told the topic of the newest message', async () => {
  await receive('1', '-1001', 42);
  const id = await receive('2', '-1001', 43);
  expect(await typing(id)).toEqual({ delivered: true });
  expect(await read(id)).toMatchObject({ delivered: true });
  await receive('3', '-1001');
  expect(await typing(id)).toEqual({ delivered: true });
  expect(asked).toEqual([
    { state: 'typing', to: '-1001', externalIds: ['2'], threadId: 43 },
    { state: 'read', to: '-1001', externalIds: ['2', '1'], threadId: 43 },
    { state: 'typing', to: '-1001', externalIds: ['3'], threadId: null },
  ]);
});

test('without tellSender nobody is asked', async () => {
  const id = await receive('1');
  expect(await read(id, { tellSender: false })).toMatchObject({ delivered: false, reason: 'not-asked' });
  expect(asked).toEqual([]);
});

test('an account that cannot be used now, or must wait, asks nobody', async () => {
  const id = await receive('1');
  const set = (change: object) =>
    service.db.updateTable('channel_accounts').set(change).where('id', '=', accountId).execute();
  await set({ paused_until: sql`now() + interval '1 minute'` });
  expect(await typing(id)).toEqual({ delivered: false, reason: 'unavailable' });
  await set({ paused_until: sql`'infinity'` });
  expect(await typing(id)).toEqual({ delivered: false, reason: 'unavailable' });
  await set({ paused_until: null, status: 'action-required' });
  expect(await typing(id)).toEqual({ delivered: false, reason: 'not-connected' });
  await own.manage('delete', `/v1/channel-accounts/${accountId}`).expect(204);
  expect(await typing(id)).toEqual({ delivered: false, reason: 'not-connected' });
  expect(asked).toEqual([]);
});

test('a provider that never answers costs ten seconds, and the request is dropped then', async () => {
  const id = await receive('1');
  const aborted = Promise.withResolvers<void>();
  answer = (_request, signal) => {
    signal.addEventListener('abort', () => aborted.resolve());
    return new Promise(() => undefined);
  };
  expect(await read(id)).toMatchObject({ delivered: false, reason: 'timeout', unread: 0 });
  await aborted.promise;
});

test('an account has four at once; more are told so, and other accounts go on', async () => {
  const ids: string[] = [];
  for (const from of ['4711', '4712', '4713', '4714', '4715']) ids.push(await receive(`of ${from}`, from));
  const going = Promise.withResolvers<Told>();
  const begun = Promise.withResolvers<void>();
  answer = () => {
    if (asked.length === 4) begun.resolve();
    return going.promise;
  };
  const waiting = ids.slice(0, 4).map(typing);
  await begun.promise;
  expect(await typing(ids[4]!)).toEqual({ delivered: false, reason: 'rate-limited' });
  going.resolve({ delivered: true });
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 4 }, () => ({ delivered: true })));
});

test('a conversation has 30 a minute, and leaves the rest of the account alone', async () => {
  const [busy, calm] = [await receive('1', '4711'), await receive('2', '4712')];
  for (let count = 0; count < 30; count += 1) expect(await typing(busy)).toEqual({ delivered: true });
  for (let count = 0; count < 5; count += 1)
    expect(await typing(busy)).toEqual({ delivered: false, reason: 'rate-limited' });
  expect(asked).toHaveLength(30);
  expect(await typing(calm)).toEqual({ delivered: true });
});

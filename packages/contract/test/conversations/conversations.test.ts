import type { Response } from 'supertest';
import { type BadField, badString, changed } from '../suite/bad-fields.ts';
import { problem } from '../suite/problem.ts';
import { newKey, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { chat, id, phone, someText, timestamp, unknownId, withoutPrefix } from '../suite/values.ts';

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

/** Has a person write. Returns the message's id. */
async function receive(from: string, text = 'hi', channel = 'sms'): Promise<string> {
  const { id: account } = await sandboxAccount(tenant, channel);
  const answer = await tenant.post(`/v1/channel-accounts/${account}/simulate-inbound`, { from, text });
  if (answer.status !== 202) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body.messageId;
}

const list = async (query = ''): Promise<Response['body']> =>
  (await tenant.get(`/v1/conversations${query}`)).body;
const only = async (): Promise<Response['body']> => (await list()).data[0];

test('a conversation shows its contact, its last message and what is unread', async () => {
  const from = phone();
  const first = await receive(from, 'one');
  const [conversation] = (await list()).data;
  expect(conversation).toEqual({
    id: id('cnv'),
    channel: 'sms',
    channelAccountId: (await sandboxAccount(tenant, 'sms')).id,
    contact: null,
    to: from,
    unread: 1,
    windowExpiresAt: null,
    slowedUntil: null,
    optedOut: false,
    lastMessage: (await tenant.message(first)).body,
    lastInboundAt: timestamp,
    createdAt: timestamp,
  });
  expect((await tenant.get(`/v1/conversations/${conversation.id}`)).body).toEqual(conversation);
  const bare = withoutPrefix(conversation.id).toUpperCase();
  expect((await tenant.get(`/v1/conversations/${bare}`)).body).toEqual(conversation);
});

test('sends to strangers make none; an answer joins the one there is, and is not unread', async () => {
  const from = phone();
  await tenant.send('sms/text', { to: from, text: 'before' });
  expect(await list()).toEqual({ data: [], nextCursor: null });
  const asked = await receive(from);
  const { id: answer } = (await tenant.send('sms/text', { to: from, text: 'after', replyTo: asked })).body;
  await tenant.send('sms/text', { to: phone(), text: 'to a stranger' });
  const { data } = await list();
  expect(data).toMatchObject([
    { to: from, unread: 1, lastMessage: { messageId: answer, direction: 'outbound' } },
  ]);
  const thread = (await tenant.get(`/v1/conversations/${data[0].id}/messages`)).body;
  expect(thread).toMatchObject({
    data: [
      { messageId: answer, replyTo: asked },
      { messageId: asked, direction: 'inbound' },
    ],
    nextCursor: null,
  });
});

test('the list has the newest message first, page by page, and filters', async () => {
  const [first, second] = [phone(), phone()];
  const chatId = chat();
  await receive(first);
  await receive(chatId, 'hi', 'telegram');
  await receive(second);
  await receive(first);
  const one = await list('?limit=2');
  expect(one).toMatchObject({ data: [{ to: first }, { to: second }], nextCursor: someText });
  expect(await list(`?limit=2&cursor=${one.nextCursor}`)).toMatchObject({
    data: [{ to: chatId }],
    nextCursor: null,
  });
  expect((await list('?channel=telegram')).data).toMatchObject([{ to: chatId }]);
  const account = (await sandboxAccount(tenant, 'sms')).id;
  expect((await list(`?channelAccountId=${account.toUpperCase()}`)).data).toMatchObject([
    { to: first },
    { to: second },
  ]);
  expect((await list(`?channelAccountId=${account}&channel=telegram`)).data).toEqual([]);
  expect((await list('?channel=whatsapp')).data).toEqual([]);
});

test('the list shows only what is unread, or has a text in its contact, whatever else it filters', async () => {
  const [ada, bob] = [phone(), phone()];
  const chatId = chat();
  await receive(ada);
  await receive(chatId, 'hi', 'telegram');
  await receive(bob);
  const { data } = await list();
  await tenant.post(`/v1/conversations/${data[0].id}/read`);
  const unread = [{ to: chatId }, { to: ada }];
  expect(await list('?unread=true')).toMatchObject({ data: unread, nextCursor: null });
  expect((await list('?unread=false')).data).toMatchObject([{ to: bob }]);
  const one = await list('?unread=true&limit=1');
  expect(one).toMatchObject({ data: [unread[0]], nextCursor: someText });
  expect(await list(`?unread=true&limit=1&cursor=${one.nextCursor}`)).toMatchObject({
    data: [unread[1]],
    nextCursor: null,
  });
  expect((await list('?unread=true&channel=sms')).data).toMatchObject([unread[1]]);
  const spaced = encodeURIComponent(`${ada.slice(1, 5)} ${ada.slice(5, 9)}-${ada.slice(9)}`);
  expect((await list(`?search=${spaced}`)).data).toMatchObject([{ to: ada }]);
  expect((await list('?search=nobody')).data).toEqual([]);
});

test('the list takes a range of time for the last message, page by page', async () => {
  const [ada, bob] = [phone(), phone()];
  await receive(ada);
  await receive(bob);
  await receive(ada);
  const [newest, older] = (await list()).data;
  const first = older.lastMessage.createdAt;
  expect((await list(`?from=${first}`)).data).toMatchObject([{ to: ada }, { to: bob }]);
  expect((await list(`?until=${first}`)).data).toEqual([]);
  const afterAll = new Date(Date.parse(newest.lastMessage.createdAt) + 60_000).toISOString();
  expect((await list(`?from=${afterAll}`)).data).toEqual([]);
  const one = await list(`?from=${first}&until=${afterAll}&limit=1`);
  expect(one).toMatchObject({ data: [{ to: ada }], nextCursor: someText });
  expect(await list(`?from=${first}&until=${afterAll}&limit=1&cursor=${one.nextCursor}`)).toMatchObject({
    data: [{ to: bob }],
    nextCursor: null,
  });
  expect((await list(`?from=${first}&unread=true&to=${encodeURIComponent(bob)}`)).data).toMatchObject([
    { to: bob },
  ]);
  const backwards = await tenant.get(`/v1/conversations?from=${first}&until=${first}`);
  expect(backwards).toMatchObject(problem('invalid-request', 'query/until'));
});

test('a conversation says that its contact opted out', async () => {
  const from = phone();
  await receive(from, 'STOP');
  expect(await only()).toMatchObject({ to: from, optedOut: true });
  await receive(from, 'START');
  expect(await only()).toMatchObject({ to: from, optedOut: false });
});

test('a thread is read page by page', async () => {
  const from = phone();
  const ids: string[] = [];
  for (const text of ['1', '2', '3']) ids.push(await receive(from, text));
  const path = `/v1/conversations/${(await only()).id}/messages`;
  const one = (await tenant.get(`${path}?limit=2`)).body;
  expect(one).toMatchObject({ data: [{ messageId: ids[2] }, { messageId: ids[1] }], nextCursor: someText });
  const two = (await tenant.get(`${path}?limit=2&cursor=${one.nextCursor}`)).body;
  expect(two).toMatchObject({ data: [{ messageId: ids[0] }], nextCursor: null });
});

describe('POST /v1/conversations/:id/read', () => {
  test('marks up to a message, never back, and by default all', async () => {
    const from = phone();
    const ids: string[] = [];
    for (const text of ['1', '2', '3']) ids.push(await receive(from, text));
    const path = `/v1/conversations/${(await only()).id}/read`;
    const read = async (body?: object) => (await tenant.post(path, body)).body.unread;
    expect((await only()).unread).toBe(3);
    expect(await read({ messageId: ids[1] })).toBe(1);
    expect(await read({ messageId: ids[0] })).toBe(1);
    expect(await read({ messageId: withoutPrefix(ids[1]!) })).toBe(1);
    expect(await read()).toBe(0);
    await receive(from, '4');
    expect(await only()).toMatchObject({ unread: 1 });
    expect(await read({})).toBe(0);
  });

  test('answers the conversation, and that nobody was told', async () => {
    await receive(phone());
    const { id: conversation } = await only();
    const { status, body } = await tenant.post(`/v1/conversations/${conversation}/read`);
    const { delivered, reason, ...rest } = body;
    expect([status, delivered, reason]).toEqual([200, false, 'not-asked']);
    expect(rest).toEqual(await only());
    const said = await tenant.post(`/v1/conversations/${conversation}/read`, { tellSender: false });
    expect(said.body).toMatchObject({ delivered: false, reason: 'not-asked' });
  });

  test('tells the person where the channel can, and marks the messages either way', async () => {
    for (const [from, channel, told] of [
      [phone(), 'whatsapp', { delivered: true }],
      [phone(), 'sms', { delivered: false, reason: 'not-supported' }],
      [chat(), 'telegram', { delivered: false, reason: 'not-supported' }],
      [phone('0001'), 'whatsapp', { delivered: false, reason: 'refused' }],
      [phone('0003'), 'whatsapp', { delivered: false, reason: 'unavailable' }],
      [phone('0006'), 'whatsapp', { delivered: false, reason: 'rate-limited' }],
    ] as const) {
      await receive(from, 'hi', channel);
      const { id: conversation } = await only();
      const { status, body } = await tenant.post(`/v1/conversations/${conversation}/read`, {
        tellSender: true,
      });
      expect([status, body]).toMatchObject([200, { to: from, unread: 0, ...told }]);
      expect('reason' in body).toBe(!told.delivered);
    }
  });

  const bad: readonly BadField[] = [
    ...badString('messageId'),
    ['tellSender that is no boolean', { tellSender: 'yes' }, 'tellSender'],
    ['an unknown field', { all: true }, 'all'],
    ['a message that is not there', { messageId: unknownId('msg') }, 'messageId'],
    ['what is no id', { messageId: 'newest' }, 'messageId'],
  ];
  test.each(bad)('refuses %s', async (_, change, at) => {
    await receive(phone());
    const { id: conversation } = await only();
    const refused = await tenant.post(`/v1/conversations/${conversation}/read`, changed({}, change));
    expect(refused).toMatchObject(problem('invalid-request', `body/${at}`));
    expect((await only()).unread).toBe(1);
  });

  test('refuses a message of another conversation', async () => {
    const elsewhere = await receive(phone());
    await receive(phone());
    const refused = await tenant.post(`/v1/conversations/${(await only()).id}/read`, {
      messageId: elsewhere,
    });
    expect(refused).toMatchObject(problem('invalid-request', 'body/messageId'));
  });
});

describe('POST /v1/conversations/:id/typing', () => {
  const typing = (conversation: string, body?: object) =>
    tenant.post(`/v1/conversations/${conversation}/typing`, body);

  test('shows it where the channel can, and marks nothing as read here', async () => {
    for (const [from, channel, told] of [
      [phone(), 'whatsapp', { delivered: true }],
      [chat(), 'telegram', { delivered: true }],
      [phone(), 'sms', { delivered: false, reason: 'not-supported' }],
    ] as const) {
      await receive(from, 'hi', channel);
      const { id: conversation } = await only();
      const { status, body } = await typing(conversation);
      expect([status, body]).toEqual([200, told]);
      expect((await only()).unread).toBe(1);
    }
  });

  test('is bounded for each conversation, and others go on', async () => {
    const [busy, calm] = [chat(), chat()];
    await receive(calm, 'hi', 'telegram');
    const { id: other } = await only();
    await receive(busy, 'hi', 'telegram');
    const { id: conversation } = await only();
    const told = await Promise.all(Array.from({ length: 60 }, () => typing(conversation)));
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]));
    const delivered = told.filter(({ body }) => body.delivered === true);
    expect(delivered.length).toBeGreaterThan(0);
    expect(delivered.length).toBeLessThanOrEqual(30);
    const refused = told.find(({ body }) => body.delivered === false);
    expect(refused!.body).toEqual({ delivered: false, reason: 'rate-limited' });
    expect((await typing(other)).body).toEqual({ delivered: true });
  });
});

test('a key with the scopes lists, reads, marks and types as a token does', async () => {
  const from = phone();
  const messageId = await receive(from, 'hi', 'whatsapp');
  const conversation = await only();
  const scopes = ['conversations:read', 'conversations:write'];
  const apiKey = await newKey(tenant.service, tenant.accessToken, 10_000, { scopes });
  const by = (method: 'get' | 'post', path: string, body?: object) =>
    tenant.service.call(method, `/v1/notify/conversations${path}`, {
      apiKey,
      ...(body === undefined ? {} : { body }),
    });
  expect((await by('get', '')).body).toEqual({ data: [conversation], nextCursor: null });
  expect((await by('get', '?channel=sms')).body.data).toEqual([]);
  const { createdAt } = conversation.lastMessage;
  expect((await by('get', `?from=${createdAt}`)).body.data).toEqual([conversation]);
  expect((await by('get', `?until=${createdAt}`)).body.data).toEqual([]);
  expect((await by('get', `/${conversation.id}/messages`)).body.data).toMatchObject([{ messageId }]);
  expect((await by('post', `/${conversation.id}/typing`)).body).toEqual({ delivered: true });
  const read = await by('post', `/${conversation.id}/read`, { tellSender: true });
  expect([read.status, read.body]).toMatchObject([200, { id: conversation.id, unread: 0, delivered: true }]);
});

test.each([
  ['channel', '?channel=fax'],
  ['channelAccountId', '?channelAccountId=x'],
  ['limit', '?limit=0'],
  ['limit', '?limit=101'],
  ['cursor', '?cursor=x'],
  ['unread', '?unread=some'],
  ['from', '?from=yesterday'],
  ['until', '?until=2026-01-01'],
  ['search', '?search='],
  ['search', `?search=${'x'.repeat(101)}`],
  ['unknown', '?unknown=1'],
])('the list names %s when it is at fault: %s', async (name, query) => {
  expect(await tenant.get(`/v1/conversations${query}`)).toMatchObject(
    problem('invalid-request', `query/${name}`),
  );
});

test('what is no conversation of the tenant is a 404, and a thread names a bad cursor', async () => {
  for (const unknown of [unknownId('cnv'), 'nonsense', '%00'])
    for (const answer of [
      await tenant.get(`/v1/conversations/${unknown}`),
      await tenant.get(`/v1/conversations/${unknown}/messages`),
      await tenant.post(`/v1/conversations/${unknown}/read`),
      await tenant.post(`/v1/conversations/${unknown}/typing`),
    ])
      expect(answer).toMatchObject(problem('not-found'));
  await receive(phone());
  const path = `/v1/conversations/${(await only()).id}/messages`;
  expect(await tenant.get(`${path}?cursor=x`)).toMatchObject(problem('invalid-request', 'query/cursor'));
});

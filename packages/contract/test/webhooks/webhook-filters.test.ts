import { randomUUID } from 'node:crypto';
import { openEventStream } from '@notify/testkit';
import type { Response } from 'supertest';
import { type Delivery, type Inbox, openInbox } from '../suite/inbox.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { chat, phone } from '../suite/values.ts';

/** Which events a webhook, the list of events and its stream have: by account, channel and tag. */

let tenant: Tenant;
let sms: string;
let telegram: string;
beforeEach(async () => {
  tenant = await newTenant();
  [sms, telegram] = (await Promise.all(
    ['sms', 'telegram'].map(async (channel) => (await sandboxAccount(tenant, channel)).id),
  )) as [string, string];
});

const none = { channelAccountIds: null, channels: null, tags: null };
const create = (inbox: Pick<Inbox, 'url'>, change: object = {}) =>
  tenant.post('/v1/webhooks', { url: inbox.url, ...change });
const send = async (change: object = {}): Promise<string> =>
  (await tenant.send('sms/text', { to: phone(), text: 'hi', ...change })).body.id;
const write = async (): Promise<string> =>
  (await tenant.send('telegram/text', { to: chat(), text: 'hi' })).body.id;
const idsOf = (deliveries: readonly Delivery[]) => [
  ...new Set(deliveries.map(({ event }) => event.messageId)),
];
const nowhere = { url: 'https://hooks.example.com/notify' };

describe('the filters of a webhook', () => {
  test('are shown when they are set, and null otherwise', async () => {
    const filters = {
      channelAccountIds: [sms, telegram],
      channels: ['sms', 'telegram'],
      tags: ['a', 'B_2.-'],
    };
    const capitals = { ...filters, channelAccountIds: [sms.toUpperCase(), telegram] };
    const made = await create(nowhere, capitals);
    expect(made).toMatchObject({ status: 201, body: filters });
    expect((await create(nowhere)).body).toMatchObject(none);
    expect((await create(nowhere, none)).body).toMatchObject(none);
    expect((await tenant.get(`/v1/webhooks/${made.body.id}`)).body).toMatchObject(filters);
    expect((await tenant.get('/v1/webhooks')).body).toMatchObject([filters, none, none]);
  });

  test('are changed one by one, and null removes one', async () => {
    const { id } = (await create(nowhere, { channels: ['sms'], tags: ['a'] })).body;
    const change = async (body: object) => tenant.patch(`/v1/webhooks/${id}`, body);
    const added = await change({ channelAccountIds: [sms], events: null });
    expect(added).toMatchObject({
      status: 200,
      body: { channelAccountIds: [sms], channels: ['sms'], tags: ['a'] },
    });
    expect((await change({ channels: null, tags: ['b'] })).body).toMatchObject({
      channelAccountIds: [sms],
      channels: null,
      tags: ['b'],
    });
    expect((await change({ description: 'x' })).body).toMatchObject({
      channelAccountIds: [sms],
      tags: ['b'],
    });
    expect((await change(none)).body).toMatchObject(none);
    expect(await change({ channels: ['fax'] })).toMatchObject(problem('invalid-request', 'body/channels/0'));
    expect(await change({ channelAccountIds: [] })).toMatchObject(
      problem('invalid-request', 'body/channelAccountIds'),
    );
  });

  test('keep an account that was removed, which then matches nothing of the others', async () => {
    await using inbox = await openInbox();
    const { id } = (await create(inbox, { channelAccountIds: [telegram] })).body;
    expect((await tenant.remove(`/v1/channel-accounts/${telegram}`)).status).toBe(204);
    expect((await tenant.get(`/v1/webhooks/${id}`)).body.channelAccountIds).toEqual([telegram]);
    await messageWhen(tenant, await send(), ({ status }) => status === 'delivered');
    const waits = await tenant.get(`/v1/webhooks/${id}/deliveries`);
    expect(waits.body.data).toEqual([]);
  });

  test('may repeat a removed account while it is in them, and never name another one', async () => {
    const { id } = (await create(nowhere, { channelAccountIds: [telegram] })).body;
    expect((await tenant.remove(`/v1/channel-accounts/${telegram}`)).status).toBe(204);
    const change = (channelAccountIds: readonly string[]) =>
      tenant.patch(`/v1/webhooks/${id}`, { channelAccountIds });
    const changed = (channelAccountIds: readonly string[]) => ({ status: 200, body: { channelAccountIds } });
    const refused = (index: number) => problem('invalid-request', `body/channelAccountIds/${index}`);
    expect(await change([telegram])).toMatchObject(changed([telegram]));
    expect(await change([sms, telegram.toUpperCase()])).toMatchObject(changed([sms, telegram]));
    const others = await newTenant();
    for (const unknown of [randomUUID(), (await sandboxAccount(others, 'sms')).id])
      expect(await change([sms, telegram, unknown])).toMatchObject(refused(2));
    expect(await change([sms])).toMatchObject(changed([sms]));
    expect(await change([sms, telegram])).toMatchObject(refused(1));
    expect(await create(nowhere, { channelAccountIds: [telegram] })).toMatchObject(refused(0));
  });

  test('of a webhook that is not there are not judged', async () => {
    const { id } = (await create(nowhere)).body;
    expect((await tenant.remove(`/v1/webhooks/${id}`)).status).toBe(204);
    const change = { channelAccountIds: [randomUUID()] };
    expect(await tenant.patch(`/v1/webhooks/${id}`, change)).toMatchObject(problem('not-found'));
  });

  test('decide what is posted at every step, and what is not wanted is no delivery', async () => {
    await using byTag = await openInbox();
    await using byChannel = await openInbox();
    const tagged = (await create(byTag, { channelAccountIds: [sms], tags: ['a', 'b'] })).body;
    await create(byChannel, { channels: ['telegram'] });
    const [, wanted, letter] = [await send({ tags: ['c'] }), await send({ tags: ['c', 'b'] }), await write()];
    const plain = await send();
    for (const id of [wanted, plain]) await messageWhen(tenant, id, ({ status }) => status === 'delivered');
    expect(idsOf(await byTag.atLeast(3))).toEqual([wanted]);
    expect(idsOf(await byChannel.atLeast(2))).toEqual([letter]);
    const { data } = (await tenant.get(`/v1/webhooks/${tagged.id}/deliveries`)).body;
    expect(data.map(({ messageId }: { messageId: string }) => messageId)).toEqual([wanted, wanted, wanted]);
  });

  test('let a test pass, and hold for a replay as they are then', async () => {
    await using inbox = await openInbox();
    const events = ['message.delivered'];
    const { id } = (await create(inbox, { events, tags: ['a'] })).body;
    await tenant.post(`/v1/webhooks/${id}/test`);
    await inbox.atLeast(1, ({ event }) => event.event === 'webhook.test');
    const since = new Date(Date.now() - 60_000).toISOString();
    const sent = [await send({ tags: ['b'] }), await send()];
    for (const one of sent) await messageWhen(tenant, one, ({ status }) => status === 'delivered');
    const replay = async () => (await tenant.post(`/v1/webhooks/${id}/replay`, { since })).body.events;
    expect(await replay()).toBe(0);
    await tenant.patch(`/v1/webhooks/${id}`, { tags: ['b'] });
    expect(await replay()).toBe(1);
    const isDelivered = ({ event }: Delivery): boolean => event.event === 'message.delivered';
    expect(idsOf(await inbox.atLeast(1, isDelivered))).toEqual([sent[0]]);
  });

  test('match a group by any of its routes', async () => {
    await using inbox = await openInbox();
    await create(inbox, { events: ['group.delivered'], channelAccountIds: [telegram] });
    const routes = [
      { channel: 'sms', to: phone(), text: 'hi' },
      { channel: 'telegram', to: chat(), text: 'hi' },
    ];
    const { id } = (await tenant.send('send', { routes })).body;
    const [first] = await inbox.atLeast(1);
    expect(first!.event).toMatchObject({ event: 'group.delivered', groupId: id, channelAccountId: sms });
  });
});

describe('the list of events and its stream', () => {
  const parsed = ({ body }: Response): Response['body'][] =>
    body.data.map((one: { body: string }) => JSON.parse(one.body));

  test('take an account and a channel', async () => {
    const url = `${tenant.service.url}/v1/events/stream?channel=sms&channelAccountId=${sms}`;
    await using stream = await openEventStream(url, tenant.accessToken, null);
    const [letter, text] = [await write(), await send()];
    await messageWhen(tenant, text, ({ status }) => status === 'delivered');
    const got = async (query: string) => [
      ...new Set(parsed(await tenant.get(`/v1/events?${query}`)).map(({ messageId }) => messageId)),
    ];
    await until(
      () => got(`channelAccountId=${sms}`),
      (ids) => ids.length === 1,
    );
    expect(await got(`channelAccountId=${sms.toUpperCase()}`)).toEqual([text]);
    expect(await got('channel=telegram')).toEqual([letter]);
    expect(await got(`channel=telegram&channelAccountId=${telegram}`)).toEqual([letter]);
    expect(await got(`channel=telegram&channelAccountId=${sms}`)).toEqual([]);
    const streamed = [await stream.next(), await stream.next(), await stream.next()];
    expect(streamed.map(({ body }) => JSON.parse(String(body)).messageId)).toEqual([text, text, text]);
  });

  test.each([
    ['channel', 'fax'],
    ['channelAccountId', 'x'],
  ])('refuse a bad %s', async (name, value) => {
    const refused = problem('invalid-request', `query/${name}`);
    expect(await tenant.get(`/v1/events?${name}=${value}`)).toMatchObject(refused);
    expect(await tenant.get(`/v1/events/stream?${name}=${value}`)).toMatchObject(refused);
  });
});

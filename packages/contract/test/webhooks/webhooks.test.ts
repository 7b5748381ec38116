import { badRequired, changed, tooLong } from '../suite/bad-fields.ts';
import { describeOwnService } from '../suite/describe-own-service.ts';
import { expectOneIsMade } from '../suite/limits.ts';
import { problem } from '../suite/problem.ts';
import { newTenant, type Tenant } from '../suite/tenant.ts';
import { id, inheritedNames, someText, timestamp, unknownId, withoutPrefix } from '../suite/values.ts';

const url = 'https://hooks.example.com/notify';
const allFive = ['message.queued', 'message.sent', 'message.delivered', 'message.read', 'message.failed'];

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});
const create = (body: unknown) => tenant.post('/v1/webhooks', body);
const listed = async () => (await tenant.get('/v1/webhooks')).body;

describe('POST /v1/webhooks', () => {
  test('answers 201 with the webhook, its secret, once, and a warning that says so', async () => {
    const response = await create({ url, events: ['message.sent', 'message.failed'] });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      id: id('wh'),
      url,
      events: ['message.sent', 'message.failed'],
      isActive: true,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/),
      warning: someText,
    });
  });

  test.each([
    ['events are left out', {}],
    ['events are null', { events: null }],
  ])('subscribes to all five when %s', async (_what, change) => {
    const { status, body } = await create({ url, ...change });
    expect(status).toBe(201);
    expect(new Set(body.events)).toEqual(new Set(allFive));
    expect(body.events).toHaveLength(5);
  });

  test('keeps a description; an empty one is none', async () => {
    await create({ url, description: 'orders' });
    await create({ url, description: '' });
    expect(await listed()).toMatchObject([{ description: 'orders' }, { description: null }]);
  });

  test('gives every webhook its own secret', async () => {
    const secrets = [(await create({ url })).body.secret, (await create({ url })).body.secret];
    expect(secrets[0]).not.toBe(secrets[1]);
  });

  test.each([
    ...badRequired('url'),
    ['an empty url', { url: '' }, 'url'] as const,
    ['a url that is none', { url: 'hooks.example.com' }, 'url'] as const,
    ['a url without a host', { url: 'https://' }, 'url'] as const,
    ['a url without its slashes', { url: 'https:example.com' }, 'url'] as const,
    ['a url with a password', { url: 'https://u:p@example.com/' }, 'url'] as const,
    ['a url with a space', { url: 'https://example.com/a b' }, 'url'] as const,
    ['a url that is link-local', { url: 'https://169.254.169.254/latest' }, 'url'] as const,
    ['a url that is too long', { url: `https://example.com/${'x'.repeat(2_048)}` }, 'url'] as const,
    ['an ftp url', { url: 'ftp://hooks.example.com/' }, 'url'] as const,
    ['a javascript url', { url: 'javascript:alert(1)' }, 'url'] as const,
    ['events that are a string', { events: 'message.sent' }, 'events'] as const,
    ['events that are an object', { events: {} }, 'events'] as const,
    ['no events', { events: [] }, 'events'] as const,
    ['an event twice', { events: ['message.sent', 'message.sent'] }, 'events'] as const,
    ['an unknown event', { events: ['message.sent', 'message.lost'] }, 'events/1'] as const,
    ['an event that is a number', { events: [7] }, 'events'] as const,
    ['an event that is null', { events: [null] }, 'events'] as const,
    ['an inherited name as event', { events: ['constructor'] }, 'events'] as const,
    ['accounts that are a string', { channelAccountIds: 'x' }, 'channelAccountIds'] as const,
    ['no accounts', { channelAccountIds: [] }, 'channelAccountIds'] as const,
    ['an account that is none', { channelAccountIds: ['x'] }, 'channelAccountIds/0'] as const,
    ['an account of nobody', { channelAccountIds: [crypto.randomUUID()] }, 'channelAccountIds/0'] as const,
    ['no channels', { channels: [] }, 'channels'] as const,
    ['a channel twice', { channels: ['sms', 'sms'] }, 'channels'] as const,
    ['an unknown channel', { channels: ['sms', 'fax'] }, 'channels/1'] as const,
    ['a channel that is null', { channels: [null] }, 'channels/0'] as const,
    ['no tags', { tags: [] }, 'tags'] as const,
    ['a tag twice', { tags: ['a', 'a'] }, 'tags'] as const,
    ['an empty tag', { tags: ['a', ''] }, 'tags/1'] as const,
    ['a tag with a space', { tags: ['a b'] }, 'tags/0'] as const,
    ['a tag of 41 characters', { tags: ['a'.repeat(41)] }, 'tags/0'] as const,
    ['101 tags', { tags: Array.from({ length: 101 }, (_, at) => `t${at}`) }, 'tags'] as const,
    ['an unknown field', { event: ['message.sent'] }, 'event'] as const,
    ['its own secret', { secret: 'whsec_x' }, 'secret'] as const,
    ...tooLong('description', 500),
    ...inheritedNames.map((name) => [`a field named ${name}`, { [name]: 'x' }, name] as const),
  ])('refuses %s, naming the field', async (_what, change, at) => {
    expect(await create(changed({ url }, change))).toMatchObject(problem('invalid-request', at));
  });
});

describe('GET /v1/webhooks', () => {
  test('is an empty array for a new tenant', async () => {
    expect(await tenant.get('/v1/webhooks')).toMatchObject({ status: 200, body: [] });
    expect(await listed()).toHaveLength(0);
  });

  test('lists each webhook, untriggered and without failures at first', async () => {
    const { body: created } = await create({ url, events: ['message.sent'] });
    expect(await listed()).toMatchObject([
      {
        id: created.id,
        url,
        events: ['message.sent'],
        channelAccountIds: null,
        channels: null,
        tags: null,
        isActive: true,
        lastTriggeredAt: null,
        failureCount: 0,
        description: null,
        disabledReason: null,
        state: 'healthy',
        failingSince: null,
        nextAttemptAt: null,
        waiting: 0,
        lastSuccessAt: null,
        previousSecretUntil: null,
        replay: null,
        createdAt: timestamp,
      },
    ]);
  });

  test('never shows a secret', async () => {
    const { body: created } = await create({ url });
    const response = await tenant.get('/v1/webhooks');
    expect(response.text).not.toContain(created.secret);
    expect(response.body[0]).not.toHaveProperty('secret');
  });
});

describe('GET /v1/webhooks/:id', () => {
  test('answers the webhook as it is listed', async () => {
    const { body: created } = await create({ url });
    const response = await tenant.get(`/v1/webhooks/${created.id}`);
    expect(response.status).toBe(200);
    expect(await listed()).toEqual([response.body]);
  });
});

describe('PATCH /v1/webhooks/:id/disable and /enable', () => {
  test('answer 200 with the webhook, which is kept', async () => {
    const { body: created } = await create({ url });
    const disabled = await tenant.patch(`/v1/webhooks/${created.id}/disable`);
    expect(disabled).toMatchObject({ status: 200, body: { id: created.id, url, isActive: false } });
    expect(await listed()).toMatchObject([{ id: created.id, isActive: false, state: 'disabled' }]);
    const enabled = await tenant.patch(`/v1/webhooks/${created.id}/enable`);
    expect(enabled).toMatchObject({ status: 200, body: { id: created.id, isActive: true, failureCount: 0 } });
    expect(await listed()).toMatchObject([{ id: created.id, isActive: true }]);
  });

  test('answer the same again when nothing changes', async () => {
    const { body: created } = await create({ url });
    expect(await tenant.patch(`/v1/webhooks/${created.id}/enable`)).toMatchObject({
      status: 200,
      body: { isActive: true },
    });
    await tenant.patch(`/v1/webhooks/${created.id}/disable`);
    expect(await tenant.patch(`/v1/webhooks/${created.id}/disable`)).toMatchObject({
      status: 200,
      body: { isActive: false },
    });
  });

  test('never show the secret', async () => {
    const { body: created } = await create({ url });
    const response = await tenant.patch(`/v1/webhooks/${created.id}/disable`);
    expect(response.text).not.toContain(created.secret);
  });
});

describe('DELETE /v1/webhooks/:id', () => {
  test('answers 204, and the webhook is gone', async () => {
    const { body: created } = await create({ url });
    expect((await tenant.remove(`/v1/webhooks/${created.id}`)).status).toBe(204);
    expect(await listed()).toHaveLength(0);
    expect(await tenant.remove(`/v1/webhooks/${created.id}`)).toMatchObject(problem('not-found'));
  });
});

describe('the id of a webhook', () => {
  test('may come without its prefix', async () => {
    const { body: created } = await create({ url });
    const path = `/v1/webhooks/${withoutPrefix(created.id)}`;
    expect(await tenant.get(path)).toMatchObject({ status: 200, body: { id: created.id } });
    expect(await tenant.patch(`${path}/disable`)).toMatchObject({ status: 200, body: { id: created.id } });
    expect(await tenant.patch(`${path}/enable`)).toMatchObject({ status: 200, body: { id: created.id } });
    expect((await tenant.remove(path)).status).toBe(204);
  });

  test.each([unknownId('wh'), unknownId('msg'), 'wh_', 'nonsense', '%00', '__proto__'])(
    '%s is not found',
    async (unknown) => {
      const path = `/v1/webhooks/${unknown}`;
      const answers = [
        await tenant.get(path),
        await tenant.remove(path),
        await tenant.patch(`${path}/enable`),
        await tenant.patch(`${path}/disable`),
      ];
      for (const answer of answers) expect(answer).toMatchObject(problem('not-found'));
    },
  );
});

describeOwnService('with default settings', () => {
  test('a tenant has at most 20 webhooks, however many calls race, and may make another when one is deleted', async () => {
    for (let count = 0; count < 19; count += 1) expect((await create({ url })).status).toBe(201);
    await expectOneIsMade(Array.from({ length: 6 }, () => create({ url })));
    await tenant.remove(`/v1/webhooks/${(await listed())[0].id}`);
    expect((await create({ url })).status).toBe(201);
  });

  test.each([
    'http://127.0.0.1:9/hook',
    'http://10.0.0.1/hook',
    'https://[::1]/hook',
    'http://localhost:9/hook',
  ])('in development a webhook may lead to %s', async (privateUrl) => {
    expect(await create({ url: privateUrl })).toMatchObject({ status: 201, body: { url: privateUrl } });
  });
});

import { randomInt } from 'node:crypto';
import { openInbox, subscribe, verifyStandardSignature } from '../suite/inbox.ts';
import { problem } from '../suite/problem.ts';
import { newKey, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { id, phone, timestamp, unknownId, uuid } from '../suite/values.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

/** A text; the last digits of its recipient choose the sandbox's ending. */
const text = (ending?: string, change: object = {}) => ({
  channel: 'sms',
  to: phone(ending),
  text: 'hello',
  ...change,
});
const refused = '0001';
const unknown = '0003';
const reportedFailed = '0004';
const group = (...routes: object[]) => ({ routes });
const get = (groupId: string) =>
  tenant.service.call('get', `/v1/notify/groups/${groupId}`, { apiKey: tenant.apiKey });
const whenEnded = async (groupId: string) =>
  (
    await until(
      () => get(groupId),
      ({ body }) => body.endedAt !== null && body.status !== 'sent',
    )
  ).body;
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

describe('POST /v1/notify/send', () => {
  test.concurrent('answers the group and its first message, and sends no more than needed', async () => {
    const first = text();
    const { status, body } = await tenant.send('send', group(first, text()));
    expect(status).toBe(202);
    expect(body).toEqual({
      id: id('grp'),
      status: 'pending',
      messages: [
        {
          id: body.messages[0].messageId,
          messageId: id('msg'),
          tenantId: tenant.id,
          provider: 'sms',
          channelAccountId: uuid,
          to: first.to,
          type: 'text',
          status: 'queued',
          body: { text: 'hello' },
          createdAt: timestamp,
          scheduledAt: null,
          metadata: {},
          tags: [],
        },
      ],
    });
    expect(await whenEnded(body.id)).toMatchObject({
      status: 'delivered',
      deliveredTwice: false,
      advanceAfterSeconds: 60,
      nextRouteAt: null,
      routes: [
        { channel: 'sms', to: first.to, messageId: body.messages[0].id, leftFor: null },
        { messageId: null, leftFor: null },
      ],
      messages: [{ messageId: body.messages[0].id, status: 'delivered', groupId: body.id }],
    });
    expect((await tenant.message(body.messages[0].id)).body.groupId).toBe(body.id);
    expect((await tenant.get(`/v1/messages/${body.messages[0].id}`)).body.groupId).toBe(body.id);
  });

  test.concurrent(
    'tries the next route when one fails, at once or by a later report, and fails with the last',
    async () => {
      const { body } = await tenant.send('send', group(text(refused), text(reportedFailed), text()));
      expect(await whenEnded(body.id)).toMatchObject({
        status: 'delivered',
        routes: [{ leftFor: 'failed' }, { leftFor: 'failed' }, { leftFor: null }],
        messages: [{ status: 'failed' }, { status: 'failed' }, { status: 'delivered' }],
      });
      const second = (await tenant.send('send', group(text(refused), text(refused)))).body;
      expect(await whenEnded(second.id)).toMatchObject({
        status: 'failed',
        messages: [{}, { status: 'failed' }],
      });
    },
  );

  test.concurrent('takes files and templates, and routes of several channels', async () => {
    const { id: accountId } = await sandboxAccount(tenant, 'sms');
    const list = async () => (await tenant.get(`/v1/channel-accounts/${accountId}/templates`)).body;
    const { data } = await until(list, ({ syncedAt }) => syncedAt !== null);
    const media = { type: 'image', url: 'https://example.com/a.png' };
    const { status, body } = await tenant.send(
      'send',
      group(
        { channel: 'sms', to: phone(refused), template: data[0].example, channelAccountId: accountId },
        { channel: 'whatsapp', to: phone(refused), media },
        { channel: 'telegram', to: '110201543', text: 'hello' },
      ),
    );
    expect(status).toBe(202);
    const ended = await until(
      () => get(body.id),
      (seen) => seen.body.endedAt !== null,
    );
    // Telegram reports no delivery.
    expect(ended.body).toMatchObject({
      status: 'sent',
      routes: [
        { type: 'template', channelAccountId: accountId },
        { type: 'image', body: { type: 'image', url: media.url, caption: null } },
        { type: 'text', channel: 'telegram' },
      ],
    });
  });

  test.each([
    ['no routes', { routes: [] }, 'body/routes'],
    ['six routes', group(...Array.from({ length: 6 }, () => text())), 'body/routes'],
    ['an unknown field', { ...group(text()), replyTo: unknownId('msg') }, 'body/replyTo'],
    ['an unknown channel', group(text(), { ...text(), channel: 'fax' }), 'body/routes/1/channel'],
    ['a route without content', group(text(), { channel: 'sms', to: phone() }), 'body/routes/1/text'],
    [
      'a route with two contents',
      group(text(), { ...text(), media: { type: 'image', url: 'https://example.com/a.png' } }),
      'body/routes/1/media',
    ],
    ['9 seconds', { ...group(text()), advanceAfterSeconds: 9 }, 'body/advanceAfterSeconds'],
    ['a day and a second', { ...group(text()), advanceAfterSeconds: 86_401 }, 'body/advanceAfterSeconds'],
    ['a lifetime of 29 seconds', { ...group(text()), expiresInSeconds: 29 }, 'body/expiresInSeconds'],
    ['a time two minutes ago', { ...group(text()), sendAt: new Date(Date.now() - 120_000) }, 'body/sendAt'],
    [
      'a file with a bad URL',
      group(text(), {
        channel: 'whatsapp',
        to: phone(),
        media: { type: 'image', url: 'ftp://example.com/a' },
      }),
      'body/routes/1/media/url',
    ],
  ])('refuses %s', async (_what, body, at) => {
    expect(await tenant.send('send', body)).toMatchObject(problem('invalid-request', at));
  });

  test.each([
    ['a recipient', { ...text(), to: 'nobody' }, 'invalid-recipient', 'to'],
    [
      'a file without a URL',
      { channel: 'whatsapp', to: phone(), media: { type: 'image' } },
      'media-url-required',
      'media/url',
    ],
    [
      'a file on sms',
      { channel: 'sms', to: phone(), media: { type: 'image' } },
      'media-not-supported',
      'media',
    ],
    [
      'an account',
      text(undefined, { channelAccountId: '01912d60-5b7e-7d02-b0f4-3c8f2f1e9a11' }),
      'channel-account-not-found',
      'channelAccountId',
    ],
    [
      'a template',
      { channel: 'sms', to: phone(), template: { name: 'nothing', language: 'en' } },
      'template-not-found',
      'template',
    ],
  ] as const)(
    'refuses %s that cannot be, names its route, and sends nothing',
    async (_what, route, code, field) => {
      const first = text(undefined, { to: `+4915${randomInt(1e8, 1e9)}` });
      const templates = await sandboxAccount(tenant, 'sms');
      await until(
        async () => (await tenant.get(`/v1/channel-accounts/${templates.id}/templates`)).body,
        ({ syncedAt }) => syncedAt !== null,
      );
      const answer = await tenant.send('send', group(first, route));
      expect(answer.body).toMatchObject({
        code,
        errors: [{ at: expect.stringMatching(`^body/routes/1/${field}`) }],
      });
      const { data } = (await tenant.get(`/v1/messages?to=${encodeURIComponent(first.to)}`)).body;
      expect(data).toEqual([]);
    },
  );

  test('a repeated key answers the first group, and another request with it is refused', async () => {
    const asked = { ...group(text(), text()), idempotencyKey: 'once' };
    const [one, two] = await Promise.all([tenant.send('send', asked), tenant.send('send', asked)]);
    expect(one).toMatchObject({ status: 202 });
    expect(two.body).toEqual(one.body);
    await whenEnded(one.body.id);
    expect((await tenant.send('send', asked)).body).toEqual(one.body);
    const others = [
      { ...asked, routes: asked.routes.toReversed() },
      { ...asked, sendAt: inAnHour() },
      { ...asked, urgent: true },
    ];
    for (const other of others)
      expect(await tenant.send('send', other)).toMatchObject(problem('idempotency-key-reused'));
    expect(await tenant.send('sms/text', { to: phone(), text: 'hi', idempotencyKey: 'once' })).toMatchObject(
      problem('idempotency-key-reused'),
    );
  });

  test('the key may be a header', async () => {
    const body = group(text());
    const call = () =>
      tenant.service.call('post', '/v1/notify/send', {
        apiKey: tenant.apiKey,
        headers: { 'idempotency-key': 'by header' },
        body,
      });
    const { id: groupId } = (await call()).body;
    expect((await call()).body.id).toBe(groupId);
  });

  test('may be for later; canceling its message ends it, and its time cannot be changed', async () => {
    const sendAt = inAnHour();
    const { body } = await tenant.send('send', { ...group(text(), text()), sendAt });
    const messageId = body.messages[0].id;
    expect(body.messages[0]).toMatchObject({ scheduledAt: sendAt });
    expect((await get(body.id)).body).toMatchObject({ status: 'pending', scheduledAt: sendAt });
    const changed = await tenant.patch(`/v1/messages/${messageId}`, { sendAt: inAnHour() });
    expect(changed).toMatchObject(problem('not-changeable'));
    expect((await tenant.post(`/v1/messages/${messageId}/cancel`)).status).toBe(200);
    expect(await whenEnded(body.id)).toMatchObject({
      status: 'failed',
      messages: [{ errorCode: 'canceled' }],
      routes: [{ leftFor: null }, { messageId: null }],
    });
  });

  test('a key for one account sends only from it', async () => {
    const mine = await sandboxAccount(tenant, 'sms');
    const key = await newKey(tenant.service, tenant.accessToken, 10_000, { channelAccountIds: [mine.id] });
    const call = (body: object) => tenant.service.call('post', '/v1/notify/send', { apiKey: key, body });
    const { body } = await call(group(text()));
    expect(body.messages[0].channelAccountId).toBe(mine.id);
    const other = await call(group(text(), { channel: 'whatsapp', to: phone(), text: 'hi' }));
    expect(other).toMatchObject(problem('channel-account-not-found', 'body/routes/1/channel'));
    const theirs = (await tenant.send('send', group({ channel: 'whatsapp', to: phone(), text: 'hi' }))).body
      .id;
    const look = await tenant.service.call('get', `/v1/notify/groups/${theirs}`, { apiKey: key });
    expect(look).toMatchObject(problem('not-found'));
  });
});

// These wait for routes whose time is 10 s, so they wait together.
test.concurrent(
  'the next route is tried when the time of one is over, and nothing is repeated of that one',
  async () => {
    const asked = { ...group(text(unknown), text()), advanceAfterSeconds: 10 };
    const { body } = await tenant.send('send', asked);
    expect((await get(body.id)).body.nextRouteAt).toEqual(timestamp);
    expect(await whenEnded(body.id)).toMatchObject({
      status: 'delivered',
      routes: [{ leftFor: 'time-over' }, {}],
      messages: [{ status: 'failed', errorCode: 'outcome-unknown' }, { status: 'delivered' }],
    });
  },
);

test.concurrent(
  'a person sends and reads a group, too, and resends a message only once it has ended',
  async () => {
    const { status, body } = await tenant.post('/v1/groups', {
      ...group(text(refused), text(unknown), text(refused)),
      advanceAfterSeconds: 10,
    });
    expect(status).toBe(202);
    const look = () => tenant.get(`/v1/groups/${body.id}`);
    await until(look, (seen) => seen.body.messages.length === 2);
    const resend = () => tenant.post(`/v1/messages/${body.messages[0].id}/resend`, {});
    expect(await resend()).toMatchObject(problem('not-resendable'));
    await whenEnded(body.id);
    expect((await look()).body).toMatchObject({ status: 'failed', messages: [{}, {}, {}] });
    const resent = await resend();
    expect(resent.status).toBe(202);
    expect((await tenant.message(resent.body.id)).body.groupId).toBeNull();
  },
);

test('an unknown group, and that of another tenant, are a 404', async () => {
  const stranger = await newTenant();
  const theirs = (await stranger.send('send', group(text()))).body.id;
  for (const one of [theirs, unknownId('grp'), 'grp_1']) {
    expect(await get(one)).toMatchObject(problem('not-found'));
    expect(await tenant.get(`/v1/groups/${one}`)).toMatchObject(problem('not-found'));
  }
});

test.concurrent(
  'webhooks that name them get the events of groups, and those of messages name the group',
  async () => {
    const own = await newTenant();
    await using inbox = await openInbox();
    await using usual = await openInbox();
    const { secret } = await subscribe(own, inbox, ['message.delivered', 'group.delivered', 'group.failed']);
    await subscribe(own, usual);
    const first = (await own.send('send', group(text(refused), text()))).body;
    const second = (await own.send('send', group(text(refused)))).body;
    const posted = await inbox.atLeast(3);
    const of = (event: string) => posted.find((one) => one.event.event === event)!;
    expect(of('message.delivered').event.groupId).toBe(first.id);
    expect(of('group.delivered').event).toMatchObject({
      groupId: first.id,
      status: 'delivered',
      deliveredTwice: false,
    });
    expect(of('group.failed').event).toMatchObject({
      groupId: second.id,
      messageId: second.messages[0].id,
      status: 'failed',
      errorCode: expect.any(String),
      error: expect.any(String),
    });
    for (const one of posted) verifyStandardSignature(secret, one);
    const listed = (await own.get('/v1/events?limit=100')).body.data.map(
      (one: { body: string }) => JSON.parse(one.body).event,
    );
    expect(listed).toEqual(expect.arrayContaining(['group.delivered', 'group.failed']));
    const names = (await usual.atLeast(7)).map(({ event }) => event.event);
    expect(names.filter((name) => name.startsWith('group.'))).toEqual([]);
  },
);

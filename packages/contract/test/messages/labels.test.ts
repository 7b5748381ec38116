import { openEventStream } from '@notify/testkit';
import type { Response } from 'supertest';
import { openInbox, subscribe } from '../suite/inbox.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { phone } from '../suite/values.ts';

/** Metadata and tags of messages. */

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

/** `__proto__` is a name as any other, and so is what arrays in Postgres read as null. */
const metadata: Record<string, string> = JSON.parse(
  '{"__proto__":"a","constructor":"b","order.id_1-A":"\\"4711\\", 😀\\n","empty":""}',
);
const labels = { metadata, tags: ['news.letter', 'null', '__proto__'] };
const none = { metadata: {}, tags: [] };
/** In bodies that are compared byte for byte, because matchers leave `__proto__` out. */
const shownAs = JSON.stringify(metadata);
const metadataOf = ({ metadata: shown }: { metadata?: unknown }): string => JSON.stringify(shown);

const text = (change: object = {}) => ({ to: phone(), text: 'hi', ...change });
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const listed = async (query: string): Promise<string[]> => {
  const { body } = await tenant.get(`/v1/messages?${query}`);
  return body.data.map(({ id }: { id: string }) => id);
};

describe('a message', () => {
  test.each([
    ['a text', 'sms/text', text(labels)],
    ['a file', 'whatsapp/media', { to: phone(), type: 'image', url: 'https://example.com/a.png', ...labels }],
    [
      'a template',
      'whatsapp/template',
      {
        to: phone(),
        template: {
          name: 'appointment_reminder',
          language: 'en',
          parameters: { header: { text: 'x' }, body: { first_name: 'Ada', time: '10:30' } },
        },
        ...labels,
      },
    ],
  ])('of %s returns them in the answer, in reads and in the list', async (_, path, body) => {
    const sent = await tenant.send(path, body);
    expect(sent).toMatchObject({ status: 202, body: { tags: labels.tags } });
    const { id } = sent.body;
    const [byKey, byBearer, list] = [
      await tenant.message(id),
      await tenant.get(`/v1/messages/${id}`),
      await tenant.get('/v1/messages'),
    ];
    for (const shown of [sent.body, byKey.body, byBearer.body, list.body.data[0]]) {
      expect(shown.tags).toEqual(labels.tags);
      expect(metadataOf(shown)).toBe(shownAs);
    }
  });

  test('has none unless its sender gives some', async () => {
    const sent = await tenant.send('sms/text', text({ metadata: {}, tags: [] }));
    expect(sent).toMatchObject({ status: 202, body: none });
    expect((await tenant.message(sent.body.id)).body).toMatchObject(none);
  });

  test('of POST /v1/messages and of each item of a bulk call has its own, failed ones too', async () => {
    const one = await tenant.post('/v1/messages', { channel: 'sms', ...text(labels) });
    expect(one).toMatchObject({ status: 202, body: { tags: labels.tags } });
    const messages = [
      text({ tags: ['a'] }),
      text(),
      text({ to: 'nobody', metadata: { b: '1' }, tags: ['b'] }),
    ];
    const { body } = await tenant.send('sms/bulk', { messages });
    expect(body).toMatchObject([
      { tags: ['a'], metadata: {} },
      none,
      { status: 'failed', tags: ['b'], metadata: { b: '1' } },
    ]);
    expect(await listed('tag=a')).toEqual([body[0].id]);
    expect(await listed('tag=b&status=failed')).toEqual([body[2].id]);
  });

  test('that is asked for again has those of the first request, whatever the second one gives', async () => {
    const request = text({ idempotencyKey: 'k' });
    const first = await tenant.send('sms/text', { ...request, ...labels });
    for (const others of [{}, { metadata: { other: '1' }, tags: ['other'] }]) {
      const again = await tenant.send('sms/text', { ...request, ...others });
      expect(again).toMatchObject({ status: 202, body: { id: first.body.id, tags: labels.tags } });
      expect(metadataOf(again.body)).toBe(shownAs);
    }
    const bare = text({ idempotencyKey: 'bare' });
    await tenant.send('sms/text', bare);
    expect((await tenant.send('sms/text', { ...bare, ...labels })).body).toMatchObject(none);
    expect(await listed('tag=other')).toEqual([]);
  });

  test('that is resent hands them on', async () => {
    const { id } = (await tenant.send('sms/text', text({ to: phone('0001'), ...labels }))).body;
    await messageWhen(tenant, id, ({ status }) => status === 'failed');
    const resent = await tenant.post(`/v1/messages/${id}/resend`, {});
    expect(resent).toMatchObject({ status: 202, body: { resendOf: id, tags: labels.tags } });
    expect(metadataOf(resent.body)).toBe(shownAs);
    expect(await listed('tag=null')).toEqual([resent.body.id, id]);
  });

  test.each<[field: string, change: object]>([
    ['body/metadata', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`n${n}`, ''])) }],
    ['body/metadata', { metadata: [] }],
    ['body/metadata/a', { metadata: { a: 1 } }],
    ['body/metadata/a', { metadata: { a: null } }],
    ['body/metadata/a', { metadata: { a: 'x'.repeat(257) } }],
    ['body/metadata/a', { metadata: { a: '\0' } }],
    ['body/metadata/a b', { metadata: { 'a b': '' } }],
    [`body/metadata/${'a'.repeat(41)}`, { metadata: { ['a'.repeat(41)]: '' } }],
    ['body/metadata', { metadata: { '': '' } }],
    ['body/tags', { tags: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['body/tags', { tags: ['a', 'a'] }],
    ['body/tags', { tags: 'a' }],
    ['body/tags/0', { tags: [''] }],
    ['body/tags/1', { tags: ['a', 'ä'] }],
    ['body/tags/0', { tags: ['a'.repeat(41)] }],
  ])('is refused at %s', async (field, change) => {
    const answer = await tenant.send('sms/text', text(change));
    expect(answer).toMatchObject(problem('invalid-request'));
    expect(answer.body.errors.map(({ at }: { at: string }) => at)).toContain(field);
  });

  test('takes as much as it may have, and 256 code points in a value', async () => {
    const most = {
      metadata: Object.fromEntries(
        Array.from({ length: 16 }, (_, n) => [`${n}`.padStart(40, 'n'), '😀'.repeat(256)]),
      ),
      tags: ['a', 'b', 'c', 'd', 'e'.repeat(40)],
    };
    const { body } = await tenant.send('sms/text', text(most));
    expect((await tenant.message(body.id)).body).toMatchObject(most);
  });
});

describe('the tag filter', () => {
  test('finds messages page by page, together with other filters', async () => {
    const send = async (change: object) => (await tenant.send('sms/text', text(change))).body;
    const sent = [];
    for (const tags of [['a', 'b'], ['a'], ['b'], ['a']]) sent.push(await send({ tags }));
    await send({});
    const ids = sent.map(({ id }: { id: string }) => id);
    expect(await listed('tag=a')).toEqual([ids[3], ids[1], ids[0]]);
    expect(await listed('tag=b')).toEqual([ids[2], ids[0]]);
    const first = await tenant.get('/v1/messages?tag=a&limit=2');
    expect(first.body.data).toHaveLength(2);
    expect(await listed(`tag=a&cursor=${first.body.nextCursor}`)).toEqual([ids[0]]);
    expect(await listed(`tag=a&to=${encodeURIComponent(sent[1].to)}`)).toEqual([ids[1]]);
    expect(await listed('tag=b&channel=whatsapp')).toEqual([]);
    expect(await listed('tag=c')).toEqual([]);
    expect(await tenant.get('/v1/messages?tag=a%20b')).toMatchObject(problem('invalid-request', 'query/tag'));
    const stranger = await newTenant();
    expect((await stranger.get('/v1/messages?tag=a')).body.data).toEqual([]);
  });

  test('cancels what waits with the tag, and nothing else', async () => {
    const send = async (tags: string[]) =>
      (await tenant.send('sms/text', text({ sendAt: inAnHour(), tags }))).body.id;
    const [wanted, other] = [await send(['a', 'b']), await send(['c'])];
    const cancel = (filter: object, dryRun = false) => tenant.post('/v1/messages/cancel', { filter, dryRun });
    expect((await cancel({ tag: 'b' }, true)).body).toMatchObject({ matched: 1, canceled: 0 });
    expect((await cancel({ tag: 'b' })).body).toMatchObject({ matched: 1, canceled: 1 });
    expect((await tenant.message(wanted)).body).toMatchObject({ status: 'failed', errorCode: 'canceled' });
    expect((await tenant.message(other)).body).toMatchObject({ status: 'queued' });
    expect(await cancel({ tag: 'ä' })).toMatchObject(problem('invalid-request', 'body/filter/tag'));
  });

  test('counts the usage of a tag, of tagged messages alone', async () => {
    await tenant.send('sms/text', text());
    for (const [ending, tags] of [
      ['7777', ['a', 'b']],
      ['0001', ['a']],
    ] as const) {
      const { id } = (await tenant.send('sms/text', text({ to: phone(ending), tags }))).body;
      await messageWhen(tenant, id, ({ status }) => status === 'failed' || status === 'delivered');
    }
    const usage = async (query: string) => (await tenant.get(`/v1/usage?${query}`)).body;
    const settled = await until(
      () => usage('tag=a'),
      ({ totals }) => totals.delivered === 1 && totals.failed === 1,
    );
    expect(settled.totals).toMatchObject({ accepted: 2, waiting: 0, sent: 1, delivered: 1, failed: 1 });
    expect(settled.totals.timeToDelivered).not.toBeNull();
    expect(settled.failures).toEqual([{ channel: 'sms', errorCode: 'recipient-rejected', messages: 1 }]);
    expect((await usage('tag=b&per=day')).totals).toMatchObject({ accepted: 1, delivered: 1, failed: 0 });
    expect((await usage('tag=b&channel=whatsapp')).totals.accepted).toBe(0);
    expect((await usage('')).totals.accepted).toBe(3);
    expect((await usage('tag=other')).totals.accepted).toBe(0);
    expect(await tenant.get('/v1/usage?tag=')).toMatchObject(problem('invalid-request', 'query/tag'));
  });
});

describe('events', () => {
  const parsed = ({ body }: Response): Response['body'][] =>
    body.data.map((one: { body: string }) => JSON.parse(one.body));

  test('of a message have them at every step, and those of others have no field for them', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    const { id } = (await tenant.send('sms/text', text(labels))).body;
    const plain = (await tenant.send('sms/text', text())).body.id;
    const posted = await inbox.atLeast(6);
    const of = (messageId: string) =>
      posted.map(({ event }) => event).filter((one) => one.messageId === messageId);
    expect(
      of(id)
        .map(({ event }): string => event)
        .toSorted(),
    ).toEqual(['message.delivered', 'message.queued', 'message.sent']);
    for (const event of of(id)) {
      expect(event.tags).toEqual(labels.tags);
      expect(metadataOf(event)).toBe(shownAs);
    }
    for (const event of of(plain)) expect(Object.keys(event)).not.toContain('tags');
    for (const event of of(plain)) expect(Object.keys(event)).not.toContain('metadata');
  });

  test('are listed and streamed by tag', async () => {
    const url = `${tenant.service.url}/v1/events/stream?tag=a`;
    await using stream = await openEventStream(url, tenant.accessToken, null);
    const send = async (change: object) => (await tenant.send('sms/text', text(change))).body.id;
    const [, wanted] = [await send({ tags: ['b'] }), await send({ tags: ['a'], metadata: { x: '1' } })];
    await messageWhen(tenant, wanted, ({ status }) => status === 'delivered');
    const page = await until(
      () => tenant.get('/v1/events?tag=a'),
      (answer) => parsed(answer).length === 3,
    );
    const of = { messageId: wanted, metadata: { x: '1' }, tags: ['a'] };
    const expected = ['message.queued', 'message.sent', 'message.delivered'].map((event) => ({
      event,
      ...of,
    }));
    expect(parsed(page)).toMatchObject(expected);
    const streamed = [await stream.next(), await stream.next(), await stream.next()];
    expect(streamed.map(({ body }) => JSON.parse(String(body)))).toMatchObject(expected);
    expect(parsed(await tenant.get('/v1/events?tag=c'))).toEqual([]);
    expect(await tenant.get('/v1/events?tag=a,b')).toMatchObject(problem('invalid-request', 'query/tag'));
  });

  test('of an answer have the metadata of the message that it answers', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['message.received']);
    const { id: accountId } = await sandboxAccount(tenant, 'sms');
    const answer = async (change: object): Promise<Response['body']> => {
      const to = phone();
      const { id } = (await tenant.send('sms/text', { to, text: 'Hello', ...change })).body;
      await messageWhen(tenant, id, ({ status }) => status !== 'queued');
      const received = await tenant.post(`/v1/channel-accounts/${accountId}/simulate-inbound`, {
        from: to,
        text: 'Hi',
        replyTo: id,
      });
      expect(received).toMatchObject({ status: 202, body: { replyTo: id, ...none } });
      const { messageId } = received.body;
      const [delivery] = await inbox.atLeast(1, ({ event }) => event.messageId === messageId);
      return delivery!.event;
    };
    const labelled = await answer(labels);
    expect(JSON.stringify(labelled.replyToMetadata)).toBe(shownAs);
    expect(Object.keys(labelled)).not.toContain('metadata');
    expect(Object.keys(await answer({ tags: ['a'] }))).not.toContain('replyToMetadata');
  });
});

describe('a group', () => {
  const route = (ending?: string) => ({ channel: 'sms', to: phone(ending), text: 'hi' });

  test('hands them to all its messages, and shows them in reads, lists and events', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['group.delivered', 'message.queued']);
    const request = { routes: [route('0001'), route()], idempotencyKey: 'g' };
    const sent = await tenant.send('send', { ...request, ...labels });
    expect(sent).toMatchObject({ status: 202, body: { messages: [{ tags: labels.tags }] } });
    const again = await tenant.send('send', { ...request, tags: ['other'] });
    expect(again.body).toMatchObject({ id: sent.body.id, messages: [{ tags: labels.tags }] });
    const group = await until(
      async () => (await tenant.get(`/v1/groups/${sent.body.id}`)).body,
      ({ status }) => status === 'delivered',
    );
    const inList = (await tenant.get('/v1/groups')).body.data[0];
    expect(group.messages).toHaveLength(2);
    for (const shown of [group, inList, ...group.messages]) {
      expect(shown.tags).toEqual(labels.tags);
      expect(metadataOf(shown)).toBe(shownAs);
    }
    expect(await listed('tag=news.letter')).toEqual(
      group.messages.map(({ id }: { id: string }) => id).toReversed(),
    );
    const posted = await inbox.atLeast(3);
    for (const { event } of posted) expect(metadataOf(event)).toBe(shownAs);
    expect(posted.map(({ event }): string => event.event).toSorted()).toEqual([
      'group.delivered',
      'message.queued',
      'message.queued',
    ]);
    const events = await tenant.get('/v1/events?tag=news.letter');
    expect(JSON.stringify(events.body)).toContain('group.delivered');
  });

  test('without any has none', async () => {
    const { body } = await tenant.send('send', { routes: [route()] });
    expect((await tenant.get(`/v1/groups/${body.id}`)).body).toMatchObject({ ...none, messages: [none] });
  });
});

test('a verification hands them to its messages, and shows them', async () => {
  const started = await tenant.send('verifications', { to: phone(), channel: 'sms', ...labels });
  expect(started.status).toBe(202);
  const [shown] = (await tenant.get('/v1/verifications')).body.data;
  expect(shown.id).toBe(started.body.id);
  const byKey = await tenant.service.call('get', `/v1/notify/verifications/${shown.id}`, {
    apiKey: tenant.apiKey,
  });
  for (const { tags, ...rest } of [shown, byKey.body]) {
    expect(tags).toEqual(labels.tags);
    expect(metadataOf(rest)).toBe(shownAs);
  }
  const messages = (await tenant.get('/v1/messages?tag=__proto__')).body.data;
  expect(messages).toMatchObject([{ groupId: shown.groupId, tags: labels.tags }]);
  await tenant.send('verifications', { to: phone(), channel: 'sms' });
  expect((await tenant.get('/v1/verifications')).body.data[0]).toMatchObject(none);
});

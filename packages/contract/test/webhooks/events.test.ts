import { type EventStream, openEventStream } from '@notify/testkit';
import type { Response } from 'supertest';
import { Webhook } from 'standardwebhooks';
import { openInbox, subscribe, svcSignature } from '../suite/inbox.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { phone } from '../suite/values.ts';

interface Listed {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const stream = (lastEventId: string | null = null, by = tenant): Promise<EventStream> =>
  openEventStream(`${by.service.url}/v1/events/stream`, by.accessToken, lastEventId);
const secretOf = async (by = tenant): Promise<string> => (await by.get('/v1/events/secret')).body.secret;
const parsed = ({ body }: Response): Response['body'][] =>
  body.data.map((one: Listed) => JSON.parse(one.body));

/** Sends to the sandbox and waits until the message is delivered. */
async function deliver(by = tenant): Promise<string> {
  const { id } = (await by.send('sms/text', { to: phone(), text: 'hi' })).body;
  await messageWhen(by, id, ({ status }) => status === 'delivered');
  return id;
}

describe('GET /v1/events', () => {
  test('lists the events of a message in order, each signed, without any webhook', async () => {
    const messageId = await deliver();
    const page = await tenant.get('/v1/events');
    expect(page.status).toBe(200);
    expect(parsed(page)).toMatchObject([
      { event: 'message.queued', messageId, sequence: 1 },
      { event: 'message.sent', messageId, sequence: 2 },
      { event: 'message.delivered', messageId, sequence: 3 },
    ]);
    const secret = await secretOf();
    for (const { headers, body } of page.body.data as Listed[]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(headers['x-svc-signature']).toBe(svcSignature(secret, Buffer.from(body)));
      expect(headers['webhook-id']).toBe(JSON.parse(body).id);
    }
  });

  test('has byte for byte what a webhook gets', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    await deliver();
    const posted = await inbox.atLeast(3);
    const { body } = await tenant.get('/v1/events');
    const listed = (body.data as Listed[]).map((one) => one.body);
    expect(listed.toSorted()).toEqual(posted.map((one) => one.body.toString()).toSorted());
  });

  test('is paged by nextCursor, which continues later, too', async () => {
    await deliver();
    const found: string[] = [];
    let page = await tenant.get('/v1/events?limit=2');
    for (; page.body.hasMore; page = await tenant.get(`/v1/events?limit=2&cursor=${page.body.nextCursor}`))
      found.push(...parsed(page).map(({ event }) => event));
    found.push(...parsed(page).map(({ event }) => event));
    expect(found).toEqual(['message.queued', 'message.sent', 'message.delivered']);
    const messageId = await deliver();
    const later = await tenant.get(`/v1/events?cursor=${page.body.nextCursor}`);
    expect(parsed(later).map((one) => one.messageId)).toEqual([messageId, messageId, messageId]);
  });

  test('shows no other tenant’s events, whoever’s cursor it is', async () => {
    const stranger = await newTenant();
    const { nextCursor } = (await stranger.get('/v1/events')).body;
    await deliver(stranger);
    expect(parsed(await tenant.get('/v1/events'))).toEqual([]);
    expect(parsed(await tenant.get(`/v1/events?cursor=${nextCursor}`))).toEqual([]);
    expect(await secretOf()).not.toBe(await secretOf(stranger));
  });

  test.each([
    ['a cursor that is made up', 'cursor=next', 'cursor'],
    ['an empty cursor', 'cursor=', 'cursor'],
    ['a limit of 0', 'limit=0', 'limit'],
    ['a limit above 100', 'limit=101', 'limit'],
    ['an unknown field', 'since=2026-01-01', 'since'],
  ])('refuses %s, naming it', async (_what, query, at) => {
    expect(await tenant.get(`/v1/events?${query}`)).toMatchObject(problem('invalid-request', `query/${at}`));
  });
});

describe('GET /v1/events/stream', () => {
  test('tells events as they happen, each with the cursor after it', async () => {
    await using live = await stream();
    expect(live.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await live.idAlone();
    const messageId = await deliver();
    const secret = await secretOf();
    for (const event of ['message.queued', 'message.sent', 'message.delivered']) {
      const { headers, body } = (await live.next()) as unknown as Listed;
      expect(new Webhook(secret).verify(body, { ...headers })).toMatchObject({ event, messageId });
    }
    expect(parsed(await tenant.get(`/v1/events?cursor=${live.lastId()}`))).toEqual([]);
  });

  test('continues after the last id, with nothing missed or repeated', async () => {
    const first = await stream();
    const begin = await first.idAlone();
    first.close();
    await deliver();
    let last: string | null = begin;
    const events: string[] = [];
    while (events.length < 3) {
      await using again = await stream(last);
      events.push(JSON.parse(String((await again.next()).body)).event);
      last = again.lastId();
    }
    expect(events).toEqual(['message.queued', 'message.sent', 'message.delivered']);
  });

  test('tells nothing of another tenant, whoever’s id it continues', async () => {
    const stranger = await newTenant();
    await using theirs = await stream(null, stranger);
    const id = await theirs.idAlone();
    await using mine = await stream(id);
    await deliver(stranger);
    const messageId = await deliver();
    for (let count = 0; count < 3; count += 1)
      expect(JSON.parse(String((await mine.next()).body))).toMatchObject({ tenantId: tenant.id, messageId });
  });

  test('ends with the session', async () => {
    await using live = await stream();
    await live.idAlone();
    await tenant.post('/auth/logout');
    expect(await live.ended()).toEqual([]);
  });

  test('refuses a cursor that is made up', async () => {
    const { status, body } = await tenant.get('/v1/events/stream?cursor=next');
    expect([status, body.code]).toEqual([422, 'invalid-request']);
  });
});

describe('the events of inbound messages and contacts', () => {
  const inbound = ['message.received', 'contact.paired', 'contact.opted-out', 'contact.opted-in'];

  test('reach a webhook that names them; by default there are five', async () => {
    const url = 'https://hooks.example.com/notify';
    const named = await tenant.post('/v1/webhooks', { url, events: inbound });
    expect([named.status, named.body.events]).toEqual([201, inbound]);
    const plain = (await tenant.post('/v1/webhooks', { url })).body;
    expect(plain.events.filter((event: string) => inbound.includes(event))).toEqual([]);
    const events = ['message.sent', 'message.received'];
    const changed = await tenant.patch(`/v1/webhooks/${plain.id}`, { events });
    expect([changed.status, changed.body.events]).toEqual([200, events]);
    const listed = await until(
      async () => (await tenant.get('/v1/webhooks')).body,
      ({ length }) => length === 2,
    );
    expect(listed.map((one: { events: string[] }) => one.events)).toEqual([inbound, events]);
  });
});

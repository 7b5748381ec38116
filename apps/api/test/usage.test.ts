import { openDb } from '@notify/db/connection';
import { storeReceived } from '@notify/db/inbound';
import { applyReceipts, storeReceipts } from '@notify/db/receipts';
import { countUsage, inboundAccountOf, inboundText, makeWebhook, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { createParts } from '../src/parts.ts';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';
import { register, testApi } from './test-api.ts';

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

const nothing = { accepted: 0, waiting: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0 };
const hour = 3_600_000;

/** Sends by the api and has the provider report; the message's account. */
async function sent(caller: Caller, channel: string, to: string, ...reports: object[]): Promise<string> {
  const { body } = await caller.notify('post', `/${channel}/text`, { to, text: 'hi' }).expect(202);
  const { channelAccountId: accountId, id } = body;
  for (const report of reports) {
    const receipt = { accountId, messageId: id.slice(4), externalId: null, part: null, ...report };
    const ids = await storeReceipts(service.db, [receipt as Parameters<typeof storeReceipts>[1][number]]);
    await applyReceipts(service.db, { kind: 'ids', ids });
  }
  return accountId;
}

test('messages are counted by time, channel and status, with what failed and why', async () => {
  const caller = await service.tenant();
  const account = await sent(caller, 'sms', '+15550001000', { status: 'delivered' });
  await sent(
    caller,
    'sms',
    '+15550001000',
    { status: 'sent' },
    { status: 'failed', errorCode: 'unreachable' },
  );
  await sent(caller, 'sms', '+15550001000', { status: 'failed', errorCode: 'rejected' });
  await sent(caller, 'sms', '+15550001000');
  await sent(caller, 'whatsapp', '+15550001000', { status: 'read' });
  await sent(caller, 'telegram', '4711', { status: 'sent' });
  const inbox = inboundAccountOf({ tenantId: caller.tenantId, accountId: account } as TestTenant);
  const inbound = [inboundText(inbox), inboundText(inbox)];
  await storeReceived(service.db, { inbound, moved: [], consents: [] });
  await countUsage(service.db);
  const { body } = await caller.manage('get', '/v1/usage').expect(200);
  const timeToDelivered = { p50Ms: expect.any(Number), p95Ms: expect.any(Number) };
  const sms = { accepted: 4, waiting: 1, sent: 2, delivered: 1, read: 0, failed: 2, received: 2 };
  const whatsapp = { ...nothing, accepted: 1, sent: 1, delivered: 1, read: 1 };
  const telegram = { ...nothing, accepted: 1, sent: 1 };
  const all = { accepted: 6, waiting: 1, sent: 4, delivered: 2, read: 1, failed: 2, received: 2 };
  expect(body).toMatchObject({
    per: 'hour',
    totals: { ...all, deliveryRate: 0.5, timeToDelivered },
    channels: [
      { channel: 'whatsapp', ...whatsapp, deliveryRate: 1, timeToDelivered },
      { channel: 'telegram', ...telegram, deliveryRate: null, timeToDelivered: null },
      { channel: 'sms', ...sms, deliveryRate: 0.3333, timeToDelivered },
    ],
    webhooks: [],
  });
  expect(body.failures).toHaveLength(2);
  expect(body.failures).toEqual(
    expect.arrayContaining(
      ['unreachable', 'rejected'].map((errorCode) => ({ channel: 'sms', errorCode, messages: 1 })),
    ),
  );
  expect(body.buckets).toHaveLength(24);
  expect(body.buckets.filter(({ accepted }: typeof all) => accepted > 0)).toEqual([
    {
      startsAt: new Date(Math.floor(Date.now() / hour) * hour).toISOString(),
      ...all,
      channels: [
        { channel: 'whatsapp', ...whatsapp },
        { channel: 'telegram', ...telegram },
        { channel: 'sms', ...sms },
      ],
    },
  ]);
  expect(Date.now() - Date.parse(body.asOf)).toBeLessThan(60_000);

  const ofSms = await caller.manage('get', '/v1/usage?per=day&channel=sms').expect(200);
  expect(ofSms.body).toMatchObject({ per: 'day', totals: sms, channels: [{ channel: 'sms', ...sms }] });
  expect(ofSms.body.buckets).toHaveLength(30);
  const ofAccount = await caller.manage('get', `/v1/usage?channelAccountId=${account}`).expect(200);
  expect(ofAccount.body.totals).toMatchObject(sms);
});

test('another tenant’s figures are not seen, not even by the id of its account', async () => {
  const [owner, stranger] = [await service.tenant(), await service.tenant()];
  const account = await sent(owner, 'sms', '+15550001000');
  await makeWebhook(service.db, owner.tenantId);
  await countUsage(service.db);
  for (const query of ['', `?channelAccountId=${account}`]) {
    const { body } = await stranger.manage('get', `/v1/usage${query}`).expect(200);
    expect(body).toMatchObject({ totals: nothing, failures: [], webhooks: [] });
  }
});

test('each webhook is shown with its state, what was posted to it, and what was given up', async () => {
  const caller = await service.tenant();
  const webhook = await makeWebhook(service.db, caller.tenantId);
  await sql`update webhooks set failure_count = 5 where id = ${webhook}`.execute(service.db);
  await sql`
    insert into delivery_attempts (delivery_id, webhook_id, number, status, duration_ms, began_at)
    select uuidv7(), ${webhook}, number, status, 1, now()
    from (values (1, 200), (1, 500), (2, 204), (1, 302), (1, 404), (2, null)) as a(number, status)`.execute(
    service.db,
  );
  await sql`
    insert into deliveries (id, webhook_id, tenant_id, event_id, state, attempts, created_at, ended_at)
    select uuidv7(), ${webhook}, ${caller.tenantId}, uuidv7(), state, 1, now(), now()
    from (values ('delivered'), ('failed'), ('failed'), ('skipped')) as d(state)`.execute(service.db);
  await countUsage(service.db);
  const { body } = await caller.manage('get', '/v1/usage').expect(200);
  expect(body.webhooks).toEqual([
    {
      id: `wh_${webhook}`,
      url: 'https://example.com/hook',
      state: 'failing',
      delivered: 2,
      retried: 2,
      failed: 2,
      attempts: { '2xx': 2, '3xx': 1, '4xx': 1, '5xx': 1, none: 1 },
    },
  ]);
});

test.each([
  ['until=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z', 'query/from'],
  ['until=2026-03-01T00:00:00Z&from=2026-01-01T00:00:00Z', 'query/from'],
  ['per=day&until=2026-03-01T00:00:00Z&from=2024-01-01T00:00:00Z', 'query/from'],
  ['until=9999-12-31T23:59:59Z', 'query/until'],
  ['until=1969-01-01T00:00:00Z', 'query/until'],
  ['from=0001-01-01T00:00:00Z', 'query/from'],
  ['from=yesterday', 'query/from'],
  ['per=week', 'query/per'],
  ['channel=fax', 'query/channel'],
  ['channelAccountId=1', 'query/channelAccountId'],
  ['group=channel', 'query/group'],
])('%s is refused and %s named', async (query, at) => {
  const caller = await service.tenant();
  const { body } = await caller.manage('get', `/v1/usage?${query}`).expect(422);
  expect(body.errors.map((error: { at: string }) => error.at)).toEqual([at]);
});

test('from and until are widened to whole hours and days', async () => {
  const caller = await service.tenant();
  const asked = 'from=2026-01-31T22:59:59.999Z&until=2026-02-02T00:30:00%2B00:29';
  const byHour = await caller.manage('get', `/v1/usage?${asked}`).expect(200);
  expect(byHour.body).toMatchObject({ from: '2026-01-31T22:00:00.000Z', until: '2026-02-02T01:00:00.000Z' });
  expect(byHour.body.buckets).toHaveLength(27);
  const byDay = await caller.manage('get', `/v1/usage?per=day&${asked}`).expect(200);
  expect(byDay.body.buckets.map(({ startsAt }: { startsAt: string }) => startsAt)).toEqual([
    '2026-01-31T00:00:00.000Z',
    '2026-02-01T00:00:00.000Z',
    '2026-02-02T00:00:00.000Z',
  ]);
});

test('what takes the database too long is answered with 503 and when to ask again', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const { url, db } = api.database;
  const dashboardDb = openDb(url, { statementTimeoutMs: 100 });
  const app = createApp(await createParts({ ...api.parts, listDb: dashboardDb }));
  await db.transaction().execute(async (trx) => {
    await sql`lock table usage in access exclusive mode`.execute(trx);
    const answer = await request(app).get('/v1/usage').set('Authorization', tenant.bearer);
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
  });
  await dashboardDb.destroy();
});
